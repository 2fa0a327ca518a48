// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/lent_to_thread.h"

#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace shardingdb {
namespace {

struct Buffer {
  void Clear() { text.clear(); }
  std::string text;
};

TEST(LentToThreadTest, IsTheSameObjectEachTimeAndEmpty) {
  const Buffer* first = nullptr;
  {
    LentToThread<Buffer> lent;
    lent->text = "in use";
    first = &*lent;
  }
  LentToThread<Buffer> again;
  EXPECT_EQ(&*again, first);
  EXPECT_EQ(again->text, "");
}

TEST(LentToThreadTest, UsesWithinEachOtherHaveObjectsOfTheirOwn) {
  LentToThread<Buffer> outer;
  outer->text = "outer";
  {
    LentToThread<Buffer> inner;
    EXPECT_NE(&*inner, &*outer);
    EXPECT_EQ(inner->text, "");
    inner->text = "inner";
  }
  EXPECT_EQ(outer->text, "outer");
}

TEST(LentToThreadTest, ThreadsHaveObjectsOfTheirOwn) {
  LentToThread<Buffer> own;
  own->text = "own";
  std::thread([&own] {
    LentToThread<Buffer> others;
    EXPECT_NE(&*others, &*own);
    EXPECT_EQ(others->text, "");
  }).join();
}

// Asks for one when the thread is ending.
struct AsksAtTheEnd {
  ~AsksAtTheEnd() {
    LentToThread<Buffer> late;
    late->text = "late";
    *seen = late->text;
  }
  std::string* seen = nullptr;
};

TEST(LentToThreadTest, CanBeAskedForWhenTheThreadEnds) {
  std::string seen;
  std::thread([&seen] {
    thread_local AsksAtTheEnd asks;  // destroyed after what is kept
    asks.seen = &seen;
    LentToThread<Buffer> early;
  }).join();
  EXPECT_EQ(seen, "late");
}

}  // namespace
}  // namespace shardingdb
