// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/writer_session.h"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

using Session = absl::StatusOr<std::unique_ptr<WriterSession>>;

TEST(WriterSessionTest, EverySessionHasAPrefixOfItsOwn) {
  std::set<XaesPrefix> prefixes;
  for (int i = 0; i < 1000; ++i) {
    Session session = WriterSession::Start();
    ASSERT_TRUE(session.ok()) << session.status();
    EXPECT_TRUE(prefixes.insert((*session)->prefix()).second);
  }
}

TEST(WriterSessionTest, CountersComeOnceAndEndAtTheLimit) {
  Session session = WriterSession::Start(1000);
  ASSERT_TRUE(session.ok()) << session.status();
  std::set<uint64_t> counters;
  for (WriterSession::Block block = (*session)->Reserve();
       block.next != block.end; block = (*session)->Reserve()) {
    for (; block.next != block.end; ++block.next) {
      EXPECT_TRUE(counters.insert(block.next).second);
    }
  }
  EXPECT_EQ(counters.size(), 1000);
  EXPECT_EQ(*counters.rbegin(), 999);
  for (int i = 0; i < 1000; ++i) {
    const WriterSession::Block block = (*session)->Reserve();
    ASSERT_EQ(block.next, block.end);
  }
}

TEST(WriterSessionTest, ThreadsNeverGetTheSameCounter) {
  Session session = WriterSession::Start();
  ASSERT_TRUE(session.ok()) << session.status();
  constexpr int kThreads = 8;
  std::vector<std::vector<uint64_t>> taken(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<uint64_t>& counters : taken) {
    threads.emplace_back([&session, &counters] {
      for (int i = 0; i < 500; ++i) {
        WriterSession::Block block = (*session)->Reserve();
        for (; block.next != block.end; ++block.next) {
          counters.push_back(block.next);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<uint64_t> all;
  size_t count = 0;
  for (const std::vector<uint64_t>& counters : taken) {
    all.insert(counters.begin(), counters.end());
    count += counters.size();
  }
  EXPECT_EQ(all.size(), count);
}

TEST(WriterSessionTest, IsNotUsableInAChild) {
  Session session = WriterSession::Start();
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE((*session)->usable());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if ((*session)->usable()) _exit(1);
    Session own = WriterSession::Start();
    if (!own.ok() || !(*own)->usable()) _exit(2);
    _exit((*own)->prefix() != (*session)->prefix() ? 0 : 3);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE((*session)->usable());
}

}  // namespace
}  // namespace shardingdb::crypto_internal
