// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_GREP_H_
#define SHARDINGDB_TESTING_GREP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// Returns the paths, sorted, of all files below `folder` whose contents hold
// the bytes `needle`. A file that cannot be read is an error: a search that
// looked at less than everything finds nothing.
//
// InvalidArgument for an empty needle; NotFound where there is no such folder.
[[nodiscard]] absl::StatusOr<std::vector<std::string>> FilesContaining(
    const std::string& folder, absl::string_view needle);

// Returns `size` letters and digits to plant and to look for: the same for the
// same `seed`, without repetitions that a compressor would replace, so they are
// found in compressed files too.
std::string PlantedMarker(uint64_t seed, size_t size = 32);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_GREP_H_
