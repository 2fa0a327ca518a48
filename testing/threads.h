// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_THREADS_H_
#define SHARDINGDB_TESTING_THREADS_H_

#include <functional>

namespace shardingdb {

// Runs work(0) to work(count - 1), each in a thread of its own, all let go at
// the same moment, and returns when the last has returned.
void RunThreads(int count, const std::function<void(int)>& work);

// Runs work(0) to work(count - 1) as RunThreads does, and meanwhile watch() in
// one more thread over and over again, also once after the last has returned.
void RunThreadsWatched(int count, const std::function<void(int)>& work,
                       const std::function<void()>& watch);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_THREADS_H_
