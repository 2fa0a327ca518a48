// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Opening a set of which one shard cannot be opened: by each way of opening, an
// error that says what and where; nothing stays open, nothing is lost.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/comparators.h"
#include "testing/fault_injection_env.h"
#include "testing/locking_process.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "testing/unprivileged.h"
#include "testing/unsynced_env.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int kShards = 5;
constexpr int kBroken = 2;

// A way of opening a set.
struct Way {
  std::string name;
  std::function<absl::StatusOr<std::unique_ptr<leveldb::DB>>(
      const leveldb::Options& options, const std::vector<std::string>& paths)>
      open;
};

// What can be wrong with one of the folders.
struct Fault {
  std::string name;
  absl::StatusCode code;
  // Breaks the folder, or makes the options not fit it; what it returns is kept
  // while the set is opened.
  std::function<std::shared_ptr<void>(const std::string& path,
                                      leveldb::Options* options)>
      inject;
  // Afterwards the folder opens again; empty where nothing needs be done.
  std::function<void(const std::string& path)> repair = nullptr;
  // Whether the folder is there, with an entry, before.
  bool exists = true;
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

leveldb::Options MakeMissing() {
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = UnsyncedEnv();
  return options;
}

std::unique_ptr<leveldb::DB> OpenPlain(const std::string& path) {
  leveldb::DB* db = nullptr;
  EXPECT_OK(leveldb::DB::Open(MakeMissing(), path, &db));
  return std::unique_ptr<leveldb::DB>(db);
}

void Permit(const std::string& path, std::filesystem::perms permissions) {
  std::filesystem::permissions(path, permissions);
}

void OwnerMayDoAll(const std::string& path) {
  Permit(path, std::filesystem::perms::owner_all);
}

// Replaces the contents of the one file whose name starts with `prefix`.
void Overwrite(const std::string& folder, const std::string& prefix,
               const std::string& contents) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().rfind(prefix, 0) != 0) continue;
    std::ofstream(entry.path(), std::ios::binary) << contents;
    ++found;
  }
  EXPECT_EQ(found, 1) << prefix;
}

std::shared_ptr<void> FaultyFiles(const std::string& path, FileFault fault,
                                  leveldb::Options* options) {
  auto env = std::make_shared<FaultInjectionEnv>(UnsyncedEnv());
  fault.pattern = path + "/*";
  env->AddFault(std::move(fault));
  options->env = env.get();
  return env;
}

std::vector<Way> Ways() {
  return {
      {"Open",
       [](const leveldb::Options& options,
          const std::vector<std::string>& paths) {
         return ShardingDb::Open(options, paths);
       }},
      {"Build",
       [](const leveldb::Options& options,
          const std::vector<std::string>& paths) {
         return ShardingDbBuilder()
             .WithDbPaths(paths)
             .WithOptions(options)
             .WithShardingFunc(MurmurSharding())
             .Build();
       }},
  };
}

std::vector<Fault> Faults() {
  return {
      {"AFile", absl::StatusCode::kFailedPrecondition,
       [](const std::string& path, leveldb::Options*) {
         std::filesystem::rename(path, path + ".moved");
         std::ofstream(path) << "text";
         return nullptr;
       },
       [](const std::string& path) {
         std::filesystem::remove(path);
         std::filesystem::rename(path + ".moved", path);
       }},
      {"BelowAFile", absl::StatusCode::kFailedPrecondition,
       [](const std::string& path, leveldb::Options*) {
         std::ofstream(std::filesystem::path(path).parent_path()) << "text";
         return nullptr;
       },
       [](const std::string& path) {
         std::filesystem::remove(std::filesystem::path(path).parent_path());
       },
       /*exists=*/false},
      {"NoRightToEnter", absl::StatusCode::kPermissionDenied,
       [](const std::string& path, leveldb::Options*) {
         Permit(path, std::filesystem::perms::none);
         return std::make_shared<Unprivileged>();
       },
       OwnerMayDoAll},
      {"NoRightToWrite", absl::StatusCode::kPermissionDenied,
       [](const std::string& path, leveldb::Options*) {
         Permit(path, std::filesystem::perms::owner_read |
                          std::filesystem::perms::owner_exec);
         return std::make_shared<Unprivileged>();
       },
       OwnerMayDoAll},
      {"NoRightToMakeIt", absl::StatusCode::kPermissionDenied,
       [](const std::string& path, leveldb::Options*) {
         const auto parent = std::filesystem::path(path).parent_path();
         std::filesystem::create_directory(parent);
         Permit(parent, std::filesystem::perms::owner_read |
                            std::filesystem::perms::owner_exec);
         return std::make_shared<Unprivileged>();
       },
       [](const std::string& path) {
         OwnerMayDoAll(std::filesystem::path(path).parent_path());
       },
       /*exists=*/false},
      {"LockedByAnotherProcess", absl::StatusCode::kFailedPrecondition,
       [](const std::string& path, leveldb::Options*) {
         return std::make_shared<LockingProcess>(path);
       }},
      {"LockedByThisProcess", absl::StatusCode::kFailedPrecondition,
       [](const std::string& path, leveldb::Options*) {
         return std::shared_ptr<leveldb::DB>(OpenPlain(path));
       }},
      {"AnotherComparator", absl::StatusCode::kFailedPrecondition,
       [](const std::string& path, leveldb::Options*) {
         std::filesystem::rename(path, path + ".moved");
         leveldb::Options options = MakeMissing();
         options.comparator = ReverseBytewiseComparator();
         leveldb::DB* db = nullptr;
         EXPECT_OK(leveldb::DB::Open(options, path, &db));
         delete db;
         return nullptr;
       },
       [](const std::string& path) {
         std::filesystem::remove_all(path);
         std::filesystem::rename(path + ".moved", path);
       }},
      {"DamagedCurrent", absl::StatusCode::kDataLoss,
       [](const std::string& path, leveldb::Options*) {
         std::filesystem::copy(path, path + ".copy");
         Overwrite(path, "CURRENT", "garbage");
         return nullptr;
       },
       [](const std::string& path) {
         std::filesystem::remove_all(path);
         std::filesystem::rename(path + ".copy", path);
       }},
      {"DamagedManifest", absl::StatusCode::kDataLoss,
       [](const std::string& path, leveldb::Options*) {
         std::filesystem::copy(path, path + ".copy");
         Overwrite(path, "MANIFEST-", std::string(1000, 'x'));
         return nullptr;
       },
       [](const std::string& path) {
         std::filesystem::remove_all(path);
         std::filesystem::rename(path + ".copy", path);
       }},
      {"NotThere", absl::StatusCode::kNotFound,
       [](const std::string&, leveldb::Options* options) {
         options->create_if_missing = false;
         return nullptr;
       },
       nullptr,
       /*exists=*/false},
      {"AFullDisk", absl::StatusCode::kResourceExhausted,
       [](const std::string& path, leveldb::Options* options) {
         FileFault fault{{FileOperation::kAppend}};
         fault.status = leveldb::Status::IOError(path + "/MANIFEST-000009",
                                                 "No space left on device");
         return FaultyFiles(path, fault, options);
       }},
      {"AFailingDisk", absl::StatusCode::kUnavailable,
       [](const std::string& path, leveldb::Options* options) {
         FileFault fault{{FileOperation::kSync}};
         fault.status = leveldb::Status::IOError(path + "/MANIFEST-000009",
                                                 "Input/output error");
         return FaultyFiles(path, fault, options);
       }},
  };
}

// A key of this shard, whichever way the set is opened.
std::string KeyOf(uint32_t shard) {
  for (int i = 0;; ++i) {
    std::string key = absl::StrCat("key", i);
    if (JumpSharding()->ShardOf(key, kShards) == shard &&
        MurmurSharding()->ShardOf(key, kShards) == shard) {
      return key;
    }
  }
}

class BadFolderTest : public ::testing::TestWithParam<std::tuple<Way, Fault>> {
 protected:
  const Way& way() const { return std::get<0>(GetParam()); }
  const Fault& fault() const { return std::get<1>(GetParam()); }

  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    for (int i = 0; i < kShards; ++i) {
      paths.push_back(dir_.Join(absl::StrCat("parent", i, "/db")));
    }
    return paths;
  }

  // A set of which a folder is not there yet is refused once it is written.
  bool has_entries() const { return fault().exists; }

  // Whether the folder is free, and has the entry that it had.
  void ExpectIntact(int shard) {
    const std::string path = Paths()[shard];
    const std::unique_ptr<leveldb::DB> db = OpenPlain(path);
    ASSERT_NE(db, nullptr);
    if (!has_entries()) return;
    std::string value;
    EXPECT_OK(db->Get(leveldb::ReadOptions(), KeyOf(shard), &value)) << path;
    EXPECT_EQ(value, path);
  }

  const TempDir dir_;
};

TEST_P(BadFolderTest, IsNamedAndNothingStaysOpenOrIsLost) {
  const std::vector<std::string> paths = Paths();
  if (has_entries()) {
    ASSERT_OK(way().open(MakeMissing(), paths));
  }
  for (int i = 0; i < kShards; ++i) {
    if (i == kBroken && !fault().exists) continue;
    std::filesystem::create_directories(paths[i]);
    const std::unique_ptr<leveldb::DB> db = OpenPlain(paths[i]);
    if (has_entries()) {
      EXPECT_OK(db->Put(leveldb::WriteOptions(), KeyOf(i), paths[i]));
    }
  }
  leveldb::Options options = MakeMissing();
  for (int attempt = 0; attempt < 2; ++attempt) {
    leveldb::Options broken_options = options;
    {
      const std::shared_ptr<void> kept =
          fault().inject(paths[kBroken], &broken_options);
      const std::string& path = paths[kBroken];
      EXPECT_THAT(way().open(broken_options, paths),
                  StatusIs(fault().code,
                           AllOf(StartsWith(absl::StrCat("shard 2: ", path)),
                                 Not(HasSubstr(path + ": " + path)))));
    }
    if (fault().repair) fault().repair(paths[kBroken]);
    EXPECT_EQ(std::filesystem::exists(paths[kBroken]), fault().exists);
    for (int i = 0; i < kShards; ++i) {
      if (i != kBroken || fault().exists) ExpectIntact(i);
    }
  }
  EXPECT_OK(way().open(options, paths));
}

TEST_P(BadFolderTest, LeavesNoNewFolders) {
  const std::vector<std::string> paths = Paths();
  if (fault().exists) {
    std::filesystem::create_directories(paths[kBroken]);
    EXPECT_OK(
        OpenPlain(paths[kBroken])
            ->Put(leveldb::WriteOptions(), KeyOf(kBroken), paths[kBroken]));
  }
  leveldb::Options options = MakeMissing();
  leveldb::Options broken_options = options;
  {
    const std::shared_ptr<void> kept =
        fault().inject(paths[kBroken], &broken_options);
    // Or what comes below: whichever is seen first.
    EXPECT_THAT(
        way().open(broken_options, paths),
        ::testing::AnyOf(
            StatusIs(fault().code),
            StatusIs(has_entries() ? absl::StatusCode::kFailedPrecondition
                                   : fault().code)));
  }
  if (fault().repair) fault().repair(paths[kBroken]);
  for (int i = 0; i < kShards; ++i) {
    if (i == kBroken) {
      EXPECT_EQ(std::filesystem::exists(paths[i]), fault().exists);
    } else {
      EXPECT_FALSE(std::filesystem::exists(
          std::filesystem::path(paths[i]).parent_path()));
    }
  }
  // The others are missing beside one with entries.
  EXPECT_THAT(way().open(options, paths),
              has_entries() ? StatusIs(absl::StatusCode::kFailedPrecondition)
                            : StatusIs(absl::StatusCode::kOk));
}

TEST_P(BadFolderTest, IsNamedInTheShapeOfLevelDbToo) {
  const std::vector<std::string> paths = Paths();
  if (has_entries()) {
    ASSERT_OK(ShardingDb::Open(MakeMissing(), paths));
  }
  for (int i = 0; i < kShards; ++i) {
    if (i == kBroken && !fault().exists) continue;
    std::filesystem::create_directories(paths[i]);
    EXPECT_OK(
        OpenPlain(paths[i])->Put(leveldb::WriteOptions(), KeyOf(i), paths[i]));
  }
  leveldb::Options options = MakeMissing();
  {
    const std::shared_ptr<void> kept = fault().inject(paths[kBroken], &options);
    LevelDbCode code = LevelDbCode::kIOError;
    if (fault().code == absl::StatusCode::kNotFound) {
      code = LevelDbCode::kNotFound;
    } else if (fault().code == absl::StatusCode::kDataLoss) {
      code = LevelDbCode::kCorruption;
    }
    auto* db = reinterpret_cast<leveldb::DB*>(this);
    EXPECT_THAT(ShardingDb::Open(options, paths, &db),
                LevelDbStatusIs(code, HasSubstr(paths[kBroken])));
    EXPECT_EQ(db, nullptr);
  }
  if (fault().repair) fault().repair(paths[kBroken]);
}

INSTANTIATE_TEST_SUITE_P(EachWay, BadFolderTest,
                         ::testing::Combine(::testing::ValuesIn(Ways()),
                                            ::testing::ValuesIn(Faults())),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param).name,
                                               "_",
                                               std::get<1>(info.param).name);
                         });

}  // namespace
}  // namespace shardingdb
