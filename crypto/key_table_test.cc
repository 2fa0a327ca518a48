// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_table.h"

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

std::unique_ptr<KeyTable::Entry> NewEntry(uint32_t id) {
  return std::make_unique<KeyTable::Entry>(id, true, nullptr);
}

TEST(KeyTableTest, IsEmptyAtFirst) {
  const KeyTable table;
  EXPECT_EQ(table.Find(0), nullptr);
  EXPECT_EQ(table.Find(1), nullptr);
  EXPECT_TRUE(table.entries().empty());
}

TEST(KeyTableTest, FindsEveryIdAndNoOther) {
  KeyTable table;
  std::vector<uint32_t> ids;
  // Counted upwards, from the far end, and a stride that shares low bits.
  for (uint32_t i = 1; i <= 1000; ++i) {
    ids.push_back(i);
    ids.push_back(0xffffffffu - i);
    ids.push_back(0x10000u + (i << 12));
  }
  for (size_t n = 0; n < ids.size(); ++n) {
    ASSERT_EQ(table.Find(ids[n]), nullptr) << ids[n];
    table.Insert(NewEntry(ids[n]));
    ASSERT_NE(table.Find(ids[n]), nullptr) << ids[n];
  }
  ASSERT_EQ(table.entries().size(), ids.size());
  for (size_t n = 0; n < ids.size(); ++n) {
    EXPECT_EQ(table.Find(ids[n])->id, ids[n]);
    EXPECT_EQ(table.entries()[n]->id, ids[n]);
  }
  EXPECT_EQ(table.Find(5000), nullptr);
  EXPECT_EQ(table.Find(0), nullptr);
}

TEST(KeyTableTest, EntriesStayWhereTheyAre) {
  KeyTable table;
  table.Insert(NewEntry(7));
  KeyTable::Entry* const entry = table.Find(7);
  for (uint32_t id = 100; id < 1100; ++id) table.Insert(NewEntry(id));
  EXPECT_EQ(table.Find(7), entry);
}

TEST(KeyTableTest, ReadersFindWhatIsThereWhileItGrows) {
  KeyTable table;
  std::atomic<uint32_t> inserted{0};
  std::vector<std::thread> readers;
  for (unsigned seed = 0; seed < 4; ++seed) {
    readers.emplace_back([&table, &inserted, seed] {
      std::mt19937 random(seed);
      uint32_t seen = 0;
      while (seen < 4000) {
        seen = inserted.load(std::memory_order_acquire);
        if (seen == 0) continue;
        const uint32_t id = 1 + random() % seen;
        KeyTable::Entry* entry = table.Find(id);
        ASSERT_NE(entry, nullptr);
        ASSERT_EQ(entry->id, id);
      }
    });
  }
  for (uint32_t id = 1; id <= 4000; ++id) {
    table.Insert(NewEntry(id));
    inserted.store(id, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace shardingdb::crypto_internal
