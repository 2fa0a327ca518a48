// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What an attempt to open that fails leaves of what another process has done
// meanwhile: everything.

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shard_opener.h"
#include "shardingdb/sharding_func.h"
#include "shardingdb/shared_resources.h"
#include "testing/fault_injection_env.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

// Whether another process could open the database, and put an entry into it
// unless `key` is empty.
bool AnotherProcessWrites(const std::string& folder, const std::string& key) {
  std::vector<std::string> arguments = {folder};
  if (!key.empty()) arguments.push_back(key);
  return RunProgram("testing/another_writer", arguments).exit_code == 0;
}

// By whether the other process puts an entry, or only makes the database.
class OpenRaceTest : public ::testing::TestWithParam<bool> {
 protected:
  // Makes an attempt for each of its operations on files of `x_`, just before
  // which another process opens that folder.
  void RunAgainstAnotherProcess(
      bool has_folder, const std::string& failing_files,
      const std::function<absl::Status(leveldb::Env*)>& attempt) {
    int successes = 0;
    for (int n = 0;; ++n) {
      std::filesystem::remove_all(dir_.Join("above"));
      std::filesystem::create_directory(dir_.Join("above"));
      if (has_folder) std::filesystem::create_directory(x_);
      std::atomic<int> operations{0};
      bool wrote = false;
      FaultInjectionEnv env(leveldb::Env::Default());
      env.AddFault({{FileOperation::kCreate}, failing_files});
      env.SetObserver([&](FileOperation, const std::string& path) {
        if (!absl::StartsWith(path, x_) || operations++ != n) return;
        wrote = AnotherProcessWrites(x_, key_);
      });
      EXPECT_THAT(attempt(&env),
                  AnyOf(StatusIs(absl::StatusCode::kUnavailable),
                        StatusIs(absl::StatusCode::kFailedPrecondition)));
      SCOPED_TRACE(
          absl::StrCat("before operation ", n, " of ", operations.load()));
      if (wrote) {
        ExpectWhatWasWritten();
        ++successes;
      } else {
        EXPECT_FALSE(std::filesystem::exists(x_ + "/CURRENT"));
      }
      if (n < operations) continue;
      if (has_folder) {  // and nobody else has come
        EXPECT_THAT(Names(x_), ElementsAre("LOCK"));
      } else {
        EXPECT_THAT(Names(dir_.Join("above")), IsEmpty());
      }
      break;
    }
    EXPECT_GE(successes, 2);  // before it is locked, and after
  }

  void ExpectWhatWasWritten() {
    leveldb::DB* opened = nullptr;
    ASSERT_OK(leveldb::DB::Open(leveldb::Options(), x_, &opened));
    const std::unique_ptr<leveldb::DB> db(opened);
    if (key_.empty()) return;
    std::string value;
    EXPECT_OK(db->Get(leveldb::ReadOptions(), key_, &value));
    EXPECT_EQ(value, "theirs");
  }

  const TempDir dir_;
  const std::string x_ = dir_.Join("above/x");
  const std::string key_ = GetParam() ? "key" : "";
};

// One database, whose log cannot be made.
TEST_P(OpenRaceTest, OneDatabase) {
  for (const bool has_folder : {false, true}) {
    RunAgainstAnotherProcess(has_folder, "*/x/*.log", [&](leveldb::Env* env) {
      ShardOptions options;
      options.leveldb.env = env;
      return OpenLevelDb(x_, options).status();
    });
  }
}

// A set, of which another database cannot be made.
TEST_P(OpenRaceTest, Set) {
  for (const bool has_folder : {false, true}) {
    RunAgainstAnotherProcess(has_folder, "*/z/*", [&](leveldb::Env* env) {
      ResourceOptions resources;
      resources.shard_count = 2;
      resources.env = env;
      SetLayoutWanted wanted;
      wanted.function = JumpSharding();
      wanted.comparator = leveldb::BytewiseComparator()->Name();
      return OpenShards({x_, dir_.Join("above/z")}, ShardOptions(), resources,
                        wanted)
          .status();
    });
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutEntry, OpenRaceTest, ::testing::Bool());

}  // namespace
}  // namespace shardingdb
