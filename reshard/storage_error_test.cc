// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/storage_error.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "testing/fault_injection_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StorageErrorTest : public ::testing::Test {
 protected:
  StorageErrorTest() {
    WriteSet({folder_}, JumpSharding(), GenerateEntries(1, 3000));
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      if (file.path().extension() == ".ldb") {
        tables_.push_back(file.path().string());
      }
    }
  }

  absl::Status Damage() {
    return StorageError(leveldb::Env::Default(), folder_,
                        leveldb::Status::Corruption("block checksum mismatch"));
  }

  TempDir dir_;
  const std::string folder_ = dir_.Join("db");
  std::vector<std::string> tables_;
};

TEST_F(StorageErrorTest, OkStaysOk) {
  EXPECT_OK(
      StorageError(leveldb::Env::Default(), folder_, leveldb::Status::OK()));
}

TEST_F(StorageErrorTest, NamesTheFolder) {
  EXPECT_THAT(StorageError(leveldb::Env::Default(), folder_,
                           leveldb::Status::IOError("no luck")),
              StatusIs(absl::StatusCode::kUnavailable, folder_ + ": no luck"));
  // What LevelDB makes of a failed system call.
  const std::string file = folder_ + "/000005.ldb";
  EXPECT_THAT(StorageError(leveldb::Env::Default(), folder_,
                           leveldb::Status::IOError(file, "no luck")),
              StatusIs(absl::StatusCode::kUnavailable, file + ": no luck"));
}

TEST_F(StorageErrorTest, NamesTheTableWithAFlippedBit) {
  ASSERT_FALSE(tables_.empty());
  for (const std::string& table : tables_) {
    std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(200);
    const char byte = static_cast<char>(file.get());
    file.seekp(200);
    file.put(static_cast<char>(byte ^ 4));
    file.close();
    EXPECT_THAT(Damage(), StatusIs(absl::StatusCode::kDataLoss,
                                   AllOf(HasSubstr("block checksum mismatch"),
                                         HasSubstr("damaged file: " + table))));
    std::ofstream(table, std::ios::in | std::ios::binary).seekp(200).put(byte);
  }
}

TEST_F(StorageErrorTest, NamesTheTableThatWasCutShort) {
  ASSERT_FALSE(tables_.empty());
  std::filesystem::resize_file(tables_[0], 1000);
  EXPECT_THAT(Damage(), StatusIs(absl::StatusCode::kDataLoss,
                                 HasSubstr("damaged file: " + tables_[0])));
}

TEST_F(StorageErrorTest, BlamesNoTableForWhatNamesItsFile) {
  ASSERT_FALSE(tables_.empty());
  std::filesystem::resize_file(tables_[0], 1000);
  EXPECT_THAT(StorageError(leveldb::Env::Default(), folder_,
                           leveldb::Status::Corruption(folder_ + "/000005.log",
                                                       "missing log")),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("/000005.log: missing log"),
                             Not(HasSubstr("damaged file")))));
}

TEST_F(StorageErrorTest, BlamesNoTableThatCannotBeReadNow) {
  FaultInjectionEnv env{leveldb::Env::Default()};
  const int fault = env.AddFault({{FileOperation::kRead}, "*.ldb"});
  EXPECT_THAT(
      StorageError(&env, folder_, leveldb::Status::Corruption("bad")),
      StatusIs(absl::StatusCode::kDataLoss,
               AllOf(HasSubstr("bad"), Not(HasSubstr("damaged file")))));
  EXPECT_GE(env.Failures(fault), 1u);
}

TEST_F(StorageErrorTest, BlamesNoTableWithoutDamage) {
  EXPECT_THAT(Damage(), StatusIs(absl::StatusCode::kDataLoss,
                                 AllOf(HasSubstr(folder_),
                                       Not(HasSubstr("damaged file")))));
}

}  // namespace
}  // namespace shardingdb
