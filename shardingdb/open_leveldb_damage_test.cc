// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// OpenLevelDb of a damaged database: DataLoss, with the file that is damaged,
// in the words of who opens it.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class OpenLevelDbDamageTest : public ::testing::Test {
 protected:
  OpenLevelDbDamageTest() {
    const auto db = OpenLevelDb(path_, ShardOptions());
    EXPECT_THAT(db, IsOk());
    EXPECT_OK((*db)->Put(leveldb::WriteOptions(), "a", "before"));
    EXPECT_OK((*db)->Put(leveldb::WriteOptions(), "a", "damaged"));
    EXPECT_OK((*db)->Close());
    options_.leveldb.paranoid_checks = true;
  }

  // The path of the file in the database whose name has `part`.
  std::string File(const std::string& part) const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (absl::StrContains(entry.path().filename().string(), part)) {
        found = entry.path().string();
      }
    }
    EXPECT_NE(found, "") << part;
    return found;
  }

  // Changes the byte `from_end` bytes before the end of a file.
  static void Damage(const std::string& file, int from_end) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-from_end, std::ios::end);
    stream.put('?');
    EXPECT_TRUE(stream.good());
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("db");
  ShardOptions options_;
};

TEST_F(OpenLevelDbDamageTest, ALogIsNamedAndTheWayOutIsOne) {
  const std::string log = File(".log");
  Damage(log, 1);
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_THAT(
        OpenLevelDb(path_, options_),
        StatusIs(absl::StatusCode::kDataLoss,
                 log + ": checksum mismatch (opened without paranoid_checks, "
                       "or after leveldb::RepairDB, the database lacks what "
                       "cannot be read)"));
  }
  options_.leveldb.paranoid_checks = false;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       OpenLevelDb(path_, options_));
  std::string value;
  EXPECT_OK(db->Get(leveldb::ReadOptions(), "a", &value));
  EXPECT_EQ(value, "before");
}

TEST_F(OpenLevelDbDamageTest, AFileIsNamedBelowThePathThatWasGiven) {
  const std::string log = std::filesystem::path(File(".log")).filename();
  Damage(File(".log"), 1);
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(dir_.path());
  const absl::Status relative = OpenLevelDb("db", options_).status();
  const absl::Status slash = OpenLevelDb("./db/", options_).status();
  std::filesystem::current_path(before);
  EXPECT_THAT(relative, StatusIs(absl::StatusCode::kDataLoss,
                                 StartsWith("db/" + log + ": checksum")));
  EXPECT_THAT(slash, StatusIs(absl::StatusCode::kDataLoss,
                              StartsWith("./db//" + log + ": checksum")));
}

TEST_F(OpenLevelDbDamageTest, AManifestIsNamed) {
  Damage(File("MANIFEST-"), 1);
  EXPECT_THAT(OpenLevelDb(path_, options_),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(StartsWith(File("MANIFEST-") + ": "),
                             EndsWith(" (leveldb::RepairDB may help)"))));
}

TEST_F(OpenLevelDbDamageTest, CurrentIsNamed) {
  std::ofstream(path_ + "/CURRENT") << "garbage";
  EXPECT_THAT(OpenLevelDb(path_, options_),
              StatusIs(absl::StatusCode::kDataLoss,
                       path_ + "/CURRENT: CURRENT file does not end with "
                               "newline (leveldb::RepairDB may help)"));
}

TEST_F(OpenLevelDbDamageTest, WhatADamagedFileHoldsIsShownEscaped) {
  std::ofstream(path_ + "/CURRENT") << "MANIFEST\x1b[2J\xff\n";
  EXPECT_THAT(OpenLevelDb(path_, options_),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr(path_ + "/MANIFEST\\x1b[2J\\xff: ")));
}

TEST_F(OpenLevelDbDamageTest, AFileThatIsMissingIsNamedOnce) {
  std::ofstream(path_ + "/CURRENT") << "MANIFEST-999999\n";
  EXPECT_THAT(OpenLevelDb(path_, options_),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(StartsWith(path_ + ": "),
                             HasSubstr(path_ + "/MANIFEST-999999: "))));
}

}  // namespace
}  // namespace shardingdb
