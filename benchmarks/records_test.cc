// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/records.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

TEST(Records, KeysAreThoseOfTheCommunity) {
  EXPECT_EQ(RecordKey(KeyKind::kNumber, 123).slice().ToString(),
            "0000000000000123");
  EXPECT_EQ(RecordKey(KeyKind::kNumber, 123).OfNoRecord().ToString(),
            "0000000000000123-");
  // FNV-1a of eight zero bytes is a8c7f832281a39c5.
  EXPECT_EQ(RecordKey(KeyKind::kHashed, 0).slice().ToString(),
            "user12161962213042174405");
}

TEST(Records, ThreadsLoadEachRecordOnce) {
  for (const KeyKind kind : {KeyKind::kNumber, KeyKind::kHashed}) {
    WorkloadOptions options;
    options.groups = 7;
    options.threads = 3;
    options.loops = 11;
    options.batch = 4;
    options.values = ValueKind::kRandom;
    const Records records(kind, options);
    ModelDb db;
    for (int t = 0; t < options.threads; ++t) ASSERT_OK(records.Load(&db, t));
    ValueMaker values(options.values, options.value_bytes);
    std::string value;
    for (uint64_t i = 0; i < records.count(); ++i) {
      ASSERT_OK(db.Get(leveldb::ReadOptions(), records.Key(i).slice(), &value));
      EXPECT_OK(records.Check(i, value, &values));
      EXPECT_TRUE(records.Check(i + 1, value, &values).IsCorruption());
    }
    const std::unique_ptr<leveldb::Iterator> i(
        db.NewIterator(leveldb::ReadOptions()));
    uint64_t count = 0;
    for (i->SeekToFirst(); i->Valid(); i->Next()) ++count;
    EXPECT_EQ(count, records.count());
  }
}

TEST(Records, ThreadsShareOperationsOut) {
  WorkloadOptions options;
  options.threads = 3;
  const Records records(KeyKind::kNumber, options);
  EXPECT_EQ(records.Begin(10, 0), 0u);
  EXPECT_EQ(records.Begin(10, 1), 3u);
  EXPECT_EQ(records.Begin(10, 2), 6u);
  EXPECT_EQ(records.Begin(10, 3), 10u);
}

}  // namespace
}  // namespace shardingdb
