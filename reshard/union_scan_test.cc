// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/union_scan.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class UnionScanTest : public ::testing::Test {
 protected:
  UnionScanTest() { options_.env = &env_; }

  void AddSource(const Entries& entries) {
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    const std::string folder = dir_.Join(absl::StrCat("db", sources_.size()));
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, folder, &db));
    databases_.emplace_back(db);
    for (const auto& [key, value] : entries) {
      ASSERT_OK(db->Put(leveldb::WriteOptions(), key, value));
    }
    db->CompactRange(nullptr, nullptr);
    sources_.push_back({db, folder});
  }

  // Visits everything; what is returned holds "value in 0 2" by key.
  absl::Status Scan(std::vector<std::pair<std::string, std::string>>* seen) {
    return ScanUnion(sources_, options_, [&](const UnionEntry& entry) {
      std::string text = absl::StrCat(entry.value.ToString(), " in");
      for (size_t holder : entry.holders) absl::StrAppend(&text, " ", holder);
      seen->emplace_back(entry.key.ToString(), text);
      return absl::OkStatus();
    });
  }

  FaultInjectionEnv env_{leveldb::Env::Default()};
  TempDir dir_;
  std::vector<std::unique_ptr<leveldb::DB>> databases_;
  std::vector<UnionSource> sources_;
  UnionScanOptions options_;
};

TEST_F(UnionScanTest, ShowsEachKeyOnceWithAllThatHaveIt) {
  AddSource({{"a", "1"}, {"b", "2"}, {"e", "5"}});
  AddSource({{"", "0"}, {"b", "2"}, {"c", ""}});
  AddSource({});
  AddSource({{"b", "2"}, {"d", "4"}, {"e", "5"}});
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_OK(Scan(&seen));
  EXPECT_THAT(seen, ElementsAre(Pair("", "0 in 1"), Pair("a", "1 in 0"),
                                Pair("b", "2 in 0 1 3"), Pair("c", " in 1"),
                                Pair("d", "4 in 3"), Pair("e", "5 in 0 3")));
}

TEST_F(UnionScanTest, OfNothingIsEmpty) {
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_OK(Scan(&seen));
  AddSource({});
  EXPECT_OK(Scan(&seen));
  EXPECT_THAT(seen, IsEmpty());
}

TEST_F(UnionScanTest, OrdersKeysByUnsignedBytes) {
  AddSource({{"\x7f", ""}, {"\xff", ""}});
  AddSource({{"\x80", ""}, {std::string("\0", 1), ""}});
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_OK(Scan(&seen));
  EXPECT_THAT(seen, ElementsAre(Pair(std::string("\0", 1), " in 1"),
                                Pair("\x7f", " in 0"), Pair("\x80", " in 1"),
                                Pair("\xff", " in 0")));
}

TEST_F(UnionScanTest, AgreesWithAMapWhateverTheBlocks) {
  const Entries all = GenerateEntries(5, 3000);
  std::vector<Entries> parts(5);
  size_t i = 0;
  for (const auto& [key, value] : all) {
    parts[i % 5][key] = value;
    if (i % 3 == 0) parts[(i + 2) % 5][key] = value;
    ++i;
  }
  for (const Entries& part : parts) AddSource(part);
  options_.hash = true;
  for (size_t memory : {size_t{1}, size_t{1} << 20, size_t{1} << 30}) {
    options_.memory_bytes = memory;
    Entries seen;
    MultisetDigest digest;
    ASSERT_OK(ScanUnion(sources_, options_, [&](const UnionEntry& entry) {
      seen[entry.key.ToString()] = entry.value.ToString();
      digest.Add(entry.hash);
      for (size_t holder : entry.holders) {
        EXPECT_EQ(parts[holder].count(entry.key.ToString()), 1);
      }
      return absl::OkStatus();
    }));
    EXPECT_EQ(seen, all);
    EXPECT_EQ(digest, DigestOf(all));
  }
}

TEST_F(UnionScanTest, TwoValuesOfAKeyAreAnError) {
  AddSource({{"a", "1"}, {"key", "one"}});
  AddSource({{"b", "2"}});
  AddSource({{"key", "other"}});
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_THAT(Scan(&seen),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("0x6b6579"), HasSubstr(dir_.Join("db0")),
                             HasSubstr(dir_.Join("db2")))));
  EXPECT_THAT(seen, ElementsAre(Pair("a", "1 in 0"), Pair("b", "2 in 1")));
}

TEST_F(UnionScanTest, AnEmptyValueIsAnotherValueToo) {
  AddSource({{"key", ""}});
  AddSource({{"key", "other"}});
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_THAT(Scan(&seen), StatusIs(absl::StatusCode::kAborted));
}

TEST_F(UnionScanTest, ASourceThatFailsIsNotTakenForOneAtItsEnd) {
  AddSource(GenerateEntries(1, 100));
  AddSource(GenerateEntries(2, 100));
  env_.AddFault({{FileOperation::kRead}, "*/db1/*.ldb"});
  std::vector<std::pair<std::string, std::string>> seen;
  EXPECT_THAT(Scan(&seen), StatusIs(absl::StatusCode::kUnavailable,
                                    AllOf(HasSubstr(dir_.Join("db1")),
                                          HasSubstr("injected"))));
}

TEST_F(UnionScanTest, EndsWithTheErrorOfItsVisitor) {
  AddSource({{"a", "1"}, {"b", "2"}});
  int visits = 0;
  EXPECT_THAT(ScanUnion(sources_, options_,
                        [&](const UnionEntry&) {
                          ++visits;
                          return absl::ResourceExhaustedError("enough");
                        }),
              StatusIs(absl::StatusCode::kResourceExhausted, "enough"));
  EXPECT_EQ(visits, 1);
}

TEST_F(UnionScanTest, IsStopped) {
  AddSource(GenerateEntries(1, 20000));
  std::atomic<bool> stop{false};
  options_.stop = &stop;
  options_.memory_bytes = 1;
  int visits = 0;
  EXPECT_THAT(ScanUnion(sources_, options_,
                        [&](const UnionEntry&) {
                          if (++visits == 10) stop = true;
                          return absl::OkStatus();
                        }),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace shardingdb
