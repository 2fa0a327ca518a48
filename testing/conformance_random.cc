// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// DbHandle conformance: the same random operations on the database and on the
// model, which must answer the same.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "testing/comparators.h"
#include "testing/conformance_suite.h"
#include "testing/model_db.h"
#include "testing/random_bytes.h"
#include "testing/scan.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::leveldb::Iterator;
using ::leveldb::Slice;
using ::leveldb::Status;
using ::leveldb::WriteOptions;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  uint64_t number = 0;
  return text != nullptr && absl::SimpleAtoi(text, &number) ? number
                                                            : otherwise;
}

// Few, so that operations meet: short and long ones, prefixes of each other,
// the ends of every order.
std::vector<std::string> KeyUniverse() {
  std::vector<std::string> keys = {"",
                                   std::string(1, '\0'),
                                   std::string(2, '\0'),
                                   "\xff",
                                   "\xff\xff",
                                   "\xff\xff\xff",
                                   std::string(300, 'k'),
                                   std::string(301, 'k')};
  for (int i = 0; i < 20; ++i) keys.push_back(absl::StrCat(i));
  for (const char* key : {"a", "aa", "ab", "b", "ba", "bb"}) {
    keys.emplace_back(key);
  }
  return keys;
}

// A pair of database and model, and what is open on both.
class TwinDbs {
 public:
  TwinDbs(uint64_t seed, const leveldb::Comparator* comparator)
      : random_(seed), keys_(KeyUniverse()), model_(comparator) {}

  // Performs one random operation on `db`, which may be another handle of the
  // same database than before, and on the model.
  void Step(DbHandle* db) {
    db_ = db;
    static constexpr struct {
      int weight;
      void (TwinDbs::*operation)();
    } kOperations[] = {
        {20, &TwinDbs::Put},
        {10, &TwinDbs::Delete},
        {15, &TwinDbs::Write},
        {10, &TwinDbs::Get},
        {5, &TwinDbs::Has},
        {5, &TwinDbs::MultiGet},
        {3, &TwinDbs::OpenSnapshot},
        {3, &TwinDbs::ReleaseSnapshot},
        {6, &TwinDbs::OpenIterator},
        {4, &TwinDbs::DeleteIterator},
        {30, &TwinDbs::MoveIterator},
        {1, &TwinDbs::Compact},
        {2, &TwinDbs::ToggleReadOnly},
        {1, &TwinDbs::TryToClose},
        {1, &TwinDbs::Compare},
    };
    int total = 0;
    for (const auto& operation : kOperations) total += operation.weight;
    int chosen = Below(total);
    for (const auto& operation : kOperations) {
      chosen -= operation.weight;
      if (chosen < 0) {
        (this->*operation.operation)();
        return;
      }
    }
  }

  // Compares everything, and lets go of iterators and snapshots.
  void Finish(DbHandle* db) {
    db_ = db;
    Compare();
    iterators_.clear();
    while (!snapshots_.empty()) ReleaseSnapshot();
    SetReadOnly(false);
  }

 private:
  struct TwinIterators {
    std::unique_ptr<Iterator> of_db;
    std::unique_ptr<Iterator> of_model;
  };
  using TwinSnapshots =
      std::pair<const leveldb::Snapshot*, const leveldb::Snapshot*>;

  int Below(int limit) { return static_cast<int>(random_() % limit); }
  const std::string& Key() { return keys_[Below(keys_.size())]; }
  std::string Value() {
    static constexpr int kSizes[] = {0, 1, 10, 100, 1000, 30000};
    return RandomBytes(random_(), Below(1 + kSizes[Below(6)]));
  }
  WriteOptions Options() {
    WriteOptions options;
    options.sync = Below(20) == 0;
    return options;
  }
  // A snapshot that is open, or none.
  TwinSnapshots Snapshot() {
    if (snapshots_.empty() || Below(2) == 0) return {nullptr, nullptr};
    return snapshots_[Below(snapshots_.size())];
  }

  static void ExpectSame(const Status& of_db, const Status& of_model) {
    EXPECT_EQ(CodeOf(of_db), CodeOf(of_model)) << of_db.ToString();
  }

  static void ExpectSamePlace(const TwinIterators& twins) {
    EXPECT_OK(twins.of_db->status());
    ASSERT_EQ(twins.of_db->Valid(), twins.of_model->Valid());
    if (!twins.of_db->Valid()) return;
    EXPECT_EQ(twins.of_db->key().ToString(), twins.of_model->key().ToString());
    EXPECT_TRUE(twins.of_db->value() == twins.of_model->value());
  }

  void Put() {
    const std::string& key = Key();
    const std::string value = Value();
    ExpectSame(db_->Put(Options(), key, value),
               model_.Put(WriteOptions(), key, value));
  }

  void Delete() {
    const std::string& key = Key();
    ExpectSame(db_->Delete(Options(), key), model_.Delete(WriteOptions(), key));
  }

  void Write() {
    leveldb::WriteBatch batch;
    for (int i = Below(12); i > 0; --i) {
      if (Below(3) == 0) {
        batch.Delete(Key());
      } else {
        batch.Put(Key(), Value());
      }
    }
    ExpectSame(db_->Write(Options(), &batch),
               model_.Write(WriteOptions(), &batch));
  }

  void Get() {
    const auto [of_db, of_model] = Snapshot();
    const std::string& key = Key();
    std::string value = "before";
    std::string expected = "before";
    ExpectSame(db_->Get(At(of_db), key, &value),
               model_.Get(At(of_model), key, &expected));
    EXPECT_TRUE(value == expected) << absl::CHexEscape(key);
  }

  void Has() {
    const auto [of_db, of_model] = Snapshot();
    const std::string& key = Key();
    bool found = false;
    bool expected = false;
    ExpectSame(db_->Has(At(of_db), key, &found),
               model_.Has(At(of_model), key, &expected));
    EXPECT_EQ(found, expected) << absl::CHexEscape(key);
  }

  void MultiGet() {
    const auto [of_db, of_model] = Snapshot();
    std::vector<Slice> keys;
    for (int i = Below(15); i > 0; --i) keys.emplace_back(Key());
    std::vector<std::string> values;
    std::vector<std::string> expected;
    const std::vector<Status> statuses =
        db_->MultiGet(At(of_db), keys, &values);
    const std::vector<Status> expected_statuses =
        model_.MultiGet(At(of_model), keys, &expected);
    ASSERT_EQ(statuses.size(), keys.size());
    EXPECT_TRUE(values == expected);
    for (size_t i = 0; i < keys.size(); ++i) {
      ExpectSame(statuses[i], expected_statuses[i]);
    }
  }

  void OpenSnapshot() {
    if (snapshots_.size() >= 5) return;
    snapshots_.emplace_back(db_->GetSnapshot(), model_.GetSnapshot());
  }

  void ReleaseSnapshot() {
    if (snapshots_.empty()) return;
    const auto chosen = snapshots_.begin() + Below(snapshots_.size());
    db_->ReleaseSnapshot(chosen->first);
    model_.ReleaseSnapshot(chosen->second);
    snapshots_.erase(chosen);
  }

  void OpenIterator() {
    if (iterators_.size() >= 5) return;
    const auto [of_db, of_model] = Snapshot();
    TwinIterators twins;
    if (Below(2) == 0) {
      twins.of_db.reset(db_->NewIterator(At(of_db)));
      twins.of_model.reset(model_.NewIterator(At(of_model)));
    } else {
      const leveldb::Range range(Key(), Key());
      twins.of_db = db_->NewRangeIterator(At(of_db), range);
      twins.of_model = model_.NewRangeIterator(At(of_model), range);
    }
    ExpectSamePlace(twins);
    iterators_.push_back(std::move(twins));
  }

  void DeleteIterator() {
    if (iterators_.empty()) return;
    iterators_.erase(iterators_.begin() + Below(iterators_.size()));
  }

  void MoveIterator() {
    if (iterators_.empty()) return;
    TwinIterators& twins = iterators_[Below(iterators_.size())];
    for (int i = 1 + Below(8); i > 0; --i) {
      const std::string& target = Key();
      const int way = twins.of_model->Valid() ? Below(10) : Below(3);
      for (Iterator* iterator : {twins.of_db.get(), twins.of_model.get()}) {
        if (way == 0) iterator->SeekToFirst();
        if (way == 1) iterator->SeekToLast();
        if (way == 2) iterator->Seek(target);
        if (way >= 3 && way < 7) iterator->Next();
        if (way >= 7) iterator->Prev();
      }
      ExpectSamePlace(twins);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  void Compact() {
    const Slice begin = Key();
    const Slice end = Key();
    db_->CompactRange(Below(2) == 0 ? nullptr : &begin,
                      Below(2) == 0 ? nullptr : &end);
  }

  void ToggleReadOnly() { SetReadOnly(Below(4) == 0); }

  void SetReadOnly(bool read_only) {
    EXPECT_OK(db_->SetReadOnly(read_only));
    EXPECT_OK(model_.SetReadOnly(read_only));
  }

  void TryToClose() {
    if (iterators_.empty() && snapshots_.empty()) return;
    ExpectSame(db_->Close(), model_.Close());
  }

  void Compare() {
    for (TwinSnapshots at : snapshots_) CompareAt(at);
    CompareAt({nullptr, nullptr});
    const DbStats of_db = db_->GetStats();
    const DbStats of_model = model_.GetStats();
    EXPECT_EQ(of_db.open_iterators, of_model.open_iterators);
    EXPECT_EQ(of_db.open_snapshots, of_model.open_snapshots);
    EXPECT_EQ(of_db.read_only, of_model.read_only);
  }

  void CompareAt(TwinSnapshots at) {
    const std::unique_ptr<Iterator> of_db(db_->NewIterator(At(at.first)));
    const std::unique_ptr<Iterator> of_model(model_.NewIterator(At(at.second)));
    EXPECT_TRUE(ScanBothWays(of_db.get()) == ScanForward(of_model.get()));
  }

  std::mt19937_64 random_;
  const std::vector<std::string> keys_;
  DbHandle* db_ = nullptr;
  ModelDb model_;
  std::vector<TwinSnapshots> snapshots_;
  std::vector<TwinIterators> iterators_;
};

TEST_P(DbHandleConformance, RandomOperationsAnswerAsTheModelDoes) {
  const leveldb::Comparator* const kComparators[] = {
      leveldb::BytewiseComparator(), ReverseBytewiseComparator(),
      NumericComparator()};
  const uint64_t first_seed = FromEnvironment("SHARDINGDB_SEED", 1);
  const uint64_t operations = FromEnvironment("SHARDINGDB_OPERATIONS", 2000);
  for (uint64_t seed = first_seed; seed < first_seed + 3; ++seed) {
    std::cout << "SHARDINGDB_SEED=" << seed << std::endl;
    StartAgain(kComparators[seed % 3]);
    TwinDbs twins(seed, db()->comparator());
    for (uint64_t i = 1; i <= operations && !HasFailure(); ++i) {
      SCOPED_TRACE(absl::StrCat("SHARDINGDB_SEED=", seed, ", operation ", i));
      twins.Step(db());
      if (i % 250 == 0) {
        twins.Finish(db());
        Reopen();
      }
    }
    twins.Finish(db());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace shardingdb
