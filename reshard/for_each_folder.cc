// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/for_each_folder.h"

#include <algorithm>
#include <thread>

#include "shardingdb/thread_pool.h"

namespace shardingdb {

absl::Status ForEachFolder(const std::vector<size_t>& folders,
                           absl::FunctionRef<absl::Status(size_t)> work) {
  // At least two, as each also waits for its disk.
  const size_t threads = std::max(2u, std::thread::hardware_concurrency());
  std::vector<absl::Status> statuses(folders.size());
  ParallelFor(folders.size(), threads,
              [&](size_t i) { statuses[i] = work(folders[i]); });
  const auto failed =
      std::find_if(statuses.begin(), statuses.end(),
                   [](const absl::Status& status) { return !status.ok(); });
  return failed == statuses.end() ? absl::OkStatus() : *failed;
}

}  // namespace shardingdb
