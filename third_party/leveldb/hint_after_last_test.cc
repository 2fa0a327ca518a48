// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Options::hint_after_last changes how long an insertion takes, and nothing
// else (patch 0016).

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/write_batch.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof(key), "%06d", number);
  return key;
}

// Batches of runs that ascend, descend, stay at one key or jump about, with
// puts and deletes, in `db` and in a model.
class Runs {
 public:
  explicit Runs(uint32_t seed) : random_(seed) {}

  void WriteOne(leveldb::DB* db) {
    leveldb::WriteBatch batch;
    int key = Below(2000);
    const int step = static_cast<int>(Below(5)) - 2;
    const bool jumps = Below(4) == 0;
    for (int length = 1 + Below(40); length > 0; --length) {
      if (Below(5) == 0) {
        batch.Delete(Key(key));
        model_.erase(Key(key));
      } else {
        const std::string value = std::to_string(++values_);
        batch.Put(Key(key), value);
        model_[Key(key)] = value;
      }
      key = jumps ? Below(2000) : std::max(0, key + step);
    }
    EXPECT_OK(db->Write(leveldb::WriteOptions(), &batch));
  }

  const std::map<std::string, std::string>& model() const { return model_; }

 private:
  int Below(int limit) { return static_cast<int>(random_() % limit); }

  std::mt19937 random_;
  int values_ = 0;
  std::map<std::string, std::string> model_;
};

std::map<std::string, std::string> ContentsOf(leveldb::DB* db) {
  std::map<std::string, std::string> contents;
  std::string last;
  const std::unique_ptr<leveldb::Iterator> iterator(
      db->NewIterator(leveldb::ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    EXPECT_LT(last, iterator->key().ToString());
    last = iterator->key().ToString();
    contents[last] = iterator->value().ToString();
  }
  EXPECT_OK(iterator->status());
  return contents;
}

TEST(HintAfterLastTest, ADatabaseHoldsWhatItWouldHoldWithout) {
  const std::unique_ptr<leveldb::Env> env(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Database db(env.get(), "/db" + std::to_string(seed));
    db.options()->hint_after_last = true;
    db.options()->write_buffer_size = 4 << 20;
    ASSERT_OK(db.Open());
    Runs runs(seed);
    for (int i = 0; i < 300; ++i) runs.WriteOne(db.operator->());
    ASSERT_EQ(ContentsOf(db.operator->()), runs.model()) << "seed " << seed;
    for (const auto& [key, value] : runs.model()) ASSERT_EQ(db.Get(key), value);
    ASSERT_OK(db.Open());  // which inserts the log's batches again
    ASSERT_EQ(ContentsOf(db.operator->()), runs.model()) << "seed " << seed;
  }
}

// Readers take no lock while a writer inserts.
TEST(HintAfterLastTest, ReadersSeeEveryKeyInOrderMeanwhile) {
  constexpr int kStep = 50;
  constexpr int kKeys = 20000;
  const std::unique_ptr<leveldb::Env> env(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  Database db(env.get());
  db.options()->hint_after_last = true;
  db.options()->write_buffer_size = 16 << 20;
  ASSERT_OK(db.Open());
  std::atomic<int> written{0};
  std::thread reader([&] {
    do {
      const int before = written.load();
      EXPECT_GE(ContentsOf(db.operator->()).size(), before);
    } while (written.load() < kKeys);
  });
  // Runs of every kStep-th key: each begins in the middle of what is there.
  for (int start = 0; start < kStep; ++start) {
    leveldb::WriteBatch batch;
    for (int key = start; key < kKeys; key += kStep) batch.Put(Key(key), "v");
    EXPECT_OK(db->Write(leveldb::WriteOptions(), &batch));
    written += kKeys / kStep;
  }
  reader.join();
  EXPECT_EQ(ContentsOf(db.operator->()).size(), kKeys);
}

}  // namespace
}  // namespace shardingdb
