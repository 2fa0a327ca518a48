// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_CONFORMANCE_SUITE_H_
#define SHARDINGDB_TESTING_CONFORMANCE_SUITE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "shardingdb/db_handle.h"
#include "testing/scan.h"
#include "testing/temp_dir.h"

namespace shardingdb {

// How the suite gets at one kind of DbHandle, or at one stack of them.
struct ConformanceParam {
  // Letters and digits: part of the tests' names.
  std::string name;

  // Opens the database in `folder`, which exists, and makes it where it is not
  // there yet.
  std::function<absl::StatusOr<std::unique_ptr<DbHandle>>(
      const std::string& folder, const leveldb::Comparator* comparator)>
      open;

  // Whether opening the same folder again finds what was written.
  bool persistent = true;

  // What DbStats::shards is.
  uint64_t shards = 1;
};

inline void PrintTo(const ConformanceParam& param, std::ostream* out) {
  *out << param.name;
}

// The contract of DbHandle as tests: each sentence of shardingdb/db_handle.h,
// and of leveldb/db.h, tried on whatever a ConformanceParam opens. A new
// implementation or decorator joins in with
//
//   INSTANTIATE_TEST_SUITE_P(Mine, DbHandleConformance,
//                            ::testing::Values(ConformanceParam{...}),
//                            ConformanceName);
//
// and a dependency on //testing:conformance_suite. The random operations are
// the same in each run; SHARDINGDB_SEED and SHARDINGDB_OPERATIONS in the
// environment choose others, and more.
class DbHandleConformance : public ::testing::TestWithParam<ConformanceParam> {
 protected:
  void SetUp() override { StartAgain(leveldb::BytewiseComparator()); }

  // Goes on with an empty database that has this order.
  void StartAgain(const leveldb::Comparator* comparator);

  // Closes the database and opens it again. Does nothing where it would be
  // empty afterwards.
  void Reopen();

  // The folder of the database and its order, opened once more.
  absl::StatusOr<std::unique_ptr<DbHandle>> Open();

  DbHandle* db() { return db_.get(); }
  std::unique_ptr<DbHandle> TakeDb() { return std::move(db_); }

  // Shorthands, which fail the test where the status is not OK.
  void Put(const leveldb::Slice& key, const leveldb::Slice& value);
  void Delete(const leveldb::Slice& key);

  // The value of `key`, "(none)" where there is none, or an error's text.
  std::string Get(const leveldb::Slice& key,
                  const leveldb::Snapshot* snapshot = nullptr);

  // All entries, in both directions.
  KeyValues Contents(const leveldb::Snapshot* snapshot = nullptr);

  std::unique_ptr<leveldb::Iterator> NewIterator(
      const leveldb::Snapshot* snapshot = nullptr);
  std::unique_ptr<leveldb::Iterator> NewRangeIterator(
      const leveldb::Slice& start, const leveldb::Slice& limit,
      const leveldb::Snapshot* snapshot = nullptr);

 private:
  TempDir temp_;
  int databases_ = 0;
  std::string folder_;
  const leveldb::Comparator* comparator_ = nullptr;
  std::unique_ptr<DbHandle> db_;
};

// Names instantiated tests by ConformanceParam::name.
std::string ConformanceName(
    const ::testing::TestParamInfo<ConformanceParam>& info);

// Read options that name a snapshot.
leveldb::ReadOptions At(const leveldb::Snapshot* snapshot);

// "k00007" for 7: in the order of the numbers.
std::string NumberedKey(int number);

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_CONFORMANCE_SUITE_H_
