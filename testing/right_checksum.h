// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_RIGHT_CHECKSUM_H_
#define SHARDINGDB_TESTING_RIGHT_CHECKSUM_H_

#include <string>

#include "absl/strings/string_view.h"

namespace shardingdb {

// What anybody can make of a file whose last line has the checksum of those
// before it (key rings, reshard markers): `text` with a last line that is
// right, in the place of the one it has.
std::string WithRightChecksum(absl::string_view text);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_RIGHT_CHECKSUM_H_
