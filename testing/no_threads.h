// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_NO_THREADS_H_
#define SHARDINGDB_TESTING_NO_THREADS_H_

#include <pthread.h>

namespace shardingdb {

// While it lives, no thread can be started in this process: std::thread throws
// as it does where the system has none left. Threads that run are not touched.
// One at a time.
class NoThreads {
 public:
  NoThreads();
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  ~NoThreads();

 private:
  ::pthread_attr_t before_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_NO_THREADS_H_
