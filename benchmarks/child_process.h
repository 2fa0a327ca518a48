// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_CHILD_PROCESS_H_
#define SHARDINGDB_BENCHMARKS_CHILD_PROCESS_H_

#include <cstring>
#include <string>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace shardingdb {

// Calls `work` in a child process, which has a heap and a peak of memory of its
// own, and returns what it returns. Only what it returns and what it writes to
// files comes back. Aborted, with the signal or the exit code, if the child
// ends in any other way.
//
// REQUIRES: no other thread is running.
[[nodiscard]] absl::StatusOr<std::string> RunInChild(
    absl::FunctionRef<absl::StatusOr<std::string>()> work);

// The same for a result that can be copied byte by byte.
template <typename Result, typename Work>
[[nodiscard]] absl::StatusOr<Result> RunInChildAs(const Work& work) {
  static_assert(std::is_trivially_copyable_v<Result>);
  const absl::StatusOr<std::string> bytes =
      RunInChild([&]() -> absl::StatusOr<std::string> {
        const absl::StatusOr<Result> result = work();
        if (!result.ok()) return result.status();
        return std::string(reinterpret_cast<const char*>(&*result),
                           sizeof(Result));
      });
  if (!bytes.ok()) return bytes.status();
  if (bytes->size() != sizeof(Result))
    return absl::AbortedError("the child process has sent half a result");
  Result result;
  std::memcpy(&result, bytes->data(), sizeof(Result));
  return result;
}

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_CHILD_PROCESS_H_
