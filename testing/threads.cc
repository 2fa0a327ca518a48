// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/threads.h"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"

namespace shardingdb {

void RunThreads(int count, const std::function<void(int)>& work) {
  absl::Notification go;
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&go, &work, i] {
      go.WaitForNotification();
      work(i);
    });
  }
  go.Notify();
  for (std::thread& thread : threads) thread.join();
}

void RunThreadsWatched(int count, const std::function<void(int)>& work,
                       const std::function<void()>& watch) {
  std::atomic<bool> done{false};
  std::thread watcher([&done, &watch] {
    bool last = false;
    do {
      last = done.load();
      watch();
    } while (!last);
  });
  RunThreads(count, work);
  done.store(true);
  watcher.join();
}

}  // namespace shardingdb
