// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/power_loss_env.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr PowerLoss kLost = {PowerLoss::Unsynced::kLost, 0};
constexpr PowerLoss kKept = {PowerLoss::Unsynced::kKept, 0};

class PowerLossEnvTest : public ::testing::Test {
 protected:
  std::unique_ptr<leveldb::WritableFile> Create(const std::string& name,
                                                bool append = false) {
    leveldb::WritableFile* file = nullptr;
    EXPECT_OK(append ? env_.NewAppendableFile(dir_.Join(name), &file)
                     : env_.NewWritableFile(dir_.Join(name), &file));
    return std::unique_ptr<leveldb::WritableFile>(file);
  }

  void WriteSynced(const std::string& name, const std::string& contents) {
    const auto file = Create(name);
    EXPECT_OK(file->Append(contents));
    EXPECT_OK(file->Sync());
    EXPECT_OK(file->Close());
  }

  // "(none)" where there is no file.
  std::string Contents(const std::string& name) {
    std::string contents;
    if (!leveldb::Env::Default()->FileExists(dir_.Join(name))) return "(none)";
    EXPECT_OK(leveldb::ReadFileToString(leveldb::Env::Default(),
                                        dir_.Join(name), &contents));
    return contents;
  }

  void LosePower(const PowerLoss& loss) {
    env_.CutPower();
    EXPECT_OK(env_.RestorePower(loss));
  }

  TempDir dir_;
  PowerLossEnv env_{leveldb::Env::Default(), dir_.Join("trash")};
};

TEST_F(PowerLossEnvTest, UnsyncedBytesAreLost) {
  auto file = Create("a");
  EXPECT_OK(file->Append("synced"));
  EXPECT_OK(file->Sync());
  EXPECT_OK(file->Append(", flushed"));
  EXPECT_OK(file->Flush());
  EXPECT_OK(file->Append(", written"));
  env_.CutPower();
  file.reset();
  EXPECT_OK(env_.RestorePower(kLost));
  EXPECT_EQ(Contents("a"), "synced");
}

TEST_F(PowerLossEnvTest, AKilledProcessKeepsFlushedBytes) {
  auto file = Create("a");
  EXPECT_OK(file->Append("flushed"));
  EXPECT_OK(file->Flush());
  EXPECT_OK(file->Append(", written"));
  env_.CutPower();
  file.reset();
  EXPECT_OK(env_.RestorePower(kKept));
  EXPECT_EQ(Contents("a"), "flushed");
}

TEST_F(PowerLossEnvTest, RandomLossKeepsABeginningOfWhatWasFlushed) {
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    WriteSynced("a", "12");
    {
      const auto file = Create("a", /*append=*/true);
      EXPECT_OK(file->Append("34"));
      EXPECT_OK(file->Close());
    }
    LosePower({PowerLoss::Unsynced::kRandom, seed});
    seen.insert(Contents("a"));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"12", "123", "1234"}));
}

TEST_F(PowerLossEnvTest, NothingWorksWithoutPower) {
  WriteSynced("a", "1");
  const auto file = Create("b");
  env_.CutPower();
  const auto off =
      LevelDbStatusIs(LevelDbCode::kIOError, HasSubstr("power is off"));
  const std::string path = dir_.Join("a");
  leveldb::WritableFile* writable;
  leveldb::SequentialFile* sequential;
  leveldb::RandomAccessFile* random;
  leveldb::FileLock* lock;
  std::vector<std::string> names;
  EXPECT_THAT(file->Append("x"), off);
  EXPECT_THAT(file->Flush(), off);
  EXPECT_THAT(file->Sync(), off);
  EXPECT_THAT(file->Close(), off);
  EXPECT_THAT(env_.NewWritableFile(path, &writable), off);
  EXPECT_THAT(env_.NewAppendableFile(path, &writable), off);
  EXPECT_THAT(env_.NewSequentialFile(path, &sequential), off);
  EXPECT_THAT(env_.NewRandomAccessFile(path, &random), off);
  EXPECT_THAT(env_.GetChildren(dir_.path(), &names), off);
  EXPECT_THAT(env_.RemoveFile(path), off);
  EXPECT_THAT(env_.RenameFile(path, dir_.Join("c")), off);
  EXPECT_THAT(env_.CreateDir(dir_.Join("d")), off);
  EXPECT_THAT(env_.RemoveDir(dir_.path()), off);
  EXPECT_THAT(env_.LockFile(path, &lock), off);
  EXPECT_OK(env_.RestorePower(kLost));
  EXPECT_THAT(env_.RestorePower(kLost),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Contents("a"), "1");
}

TEST_F(PowerLossEnvTest, NamesThatWereNotSyncedAreTakenBack) {
  WriteSynced("kept", "kept");
  WriteSynced("renamed", "renamed");
  WriteSynced("removed", "removed");
  WriteSynced("rewritten", "old");
  WriteSynced("replaced", "old");
  WriteSynced("replacing", "new");
  EXPECT_OK(env_.RenameFile(dir_.Join("renamed"), dir_.Join("new name")));
  EXPECT_OK(env_.RemoveFile(dir_.Join("removed")));
  EXPECT_OK(Create("rewritten")->Append("new"));
  EXPECT_OK(Create("created")->Append("new"));
  EXPECT_OK(env_.RenameFile(dir_.Join("replacing"), dir_.Join("replaced")));
  EXPECT_OK(env_.RenameFile(dir_.Join("new name"), dir_.Join("third name")));
  LosePower(kLost);
  EXPECT_EQ(Contents("kept"), "kept");
  EXPECT_EQ(Contents("renamed"), "renamed");
  EXPECT_EQ(Contents("new name"), "(none)");
  EXPECT_EQ(Contents("third name"), "(none)");
  EXPECT_EQ(Contents("removed"), "removed");
  EXPECT_EQ(Contents("rewritten"), "old");
  EXPECT_EQ(Contents("created"), "(none)");
  EXPECT_EQ(Contents("replaced"), "old");
  EXPECT_EQ(Contents("replacing"), "new");
}

TEST_F(PowerLossEnvTest, SyncingAFileMakesTheNamesOfItsFolderDurable) {
  WriteSynced("a", "1");
  EXPECT_OK(env_.RenameFile(dir_.Join("a"), dir_.Join("b")));
  WriteSynced("other", "2");
  EXPECT_OK(env_.RenameFile(dir_.Join("b"), dir_.Join("c")));
  LosePower(kLost);
  EXPECT_EQ(Contents("a"), "(none)");
  EXPECT_EQ(Contents("b"), "1");
  EXPECT_EQ(Contents("c"), "(none)");
  EXPECT_EQ(Contents("other"), "2");
}

TEST_F(PowerLossEnvTest, StrictNamesNeedTheManifestOrTheFolderSynced) {
  PowerLossEnv strict(leveldb::Env::Default(), dir_.Join("trash2"),
                      /*strict_names=*/true);
  const auto write = [&](const std::string& name) {
    leveldb::WritableFile* raw = nullptr;
    ASSERT_OK(strict.NewWritableFile(dir_.Join(name), &raw));
    const std::unique_ptr<leveldb::WritableFile> file(raw);
    EXPECT_OK(file->Append(name));
    EXPECT_OK(file->Sync());
  };
  write("first");
  write("MANIFEST-000001");
  write("second");
  strict.SyncFolder(dir_.path());
  write("third");
  strict.CutPower();
  EXPECT_OK(strict.RestorePower(kLost));
  EXPECT_EQ(Contents("first"), "first");
  EXPECT_EQ(Contents("second"), "second");
  EXPECT_EQ(Contents("third"), "(none)");
}

TEST_F(PowerLossEnvTest, LostNamesAreTheLastOnesOfAFolder) {
  std::set<size_t> numbers;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string folder = dir_.Join(absl::StrCat("folder", seed));
    ASSERT_OK(env_.CreateDir(folder));
    for (int i = 0; i < 4; ++i) {
      leveldb::WritableFile* file = nullptr;
      ASSERT_OK(env_.NewWritableFile(absl::StrCat(folder, "/", i), &file));
      delete file;
    }
    LosePower({PowerLoss::Unsynced::kRandom, seed});
    std::vector<std::string> names;
    ASSERT_OK(env_.GetChildren(folder, &names));
    size_t stayed = names.size() - 2;  // without . and ..
    numbers.insert(stayed);
    for (size_t i = 0; i < stayed; ++i) {
      EXPECT_THAT(names, Contains(absl::StrCat(i)));
    }
  }
  EXPECT_EQ(numbers, (std::set<size_t>{0, 1, 2, 3, 4}));
}

// Writes, loses power, and counts what LevelDB finds again.
class DatabaseAndPowerLoss : public PowerLossEnvTest {
 protected:
  void Open() {
    leveldb::Options options;
    options.env = &env_;
    options.create_if_missing = true;
    options.paranoid_checks = false;
    options.write_buffer_size = 64 << 10;
    leveldb::DB* db = nullptr;
    ASSERT_OK(leveldb::DB::Open(options, dir_.Join("db"), &db));
    db_.reset(db);
  }

  void Put(int first, int last, bool sync) {
    leveldb::WriteOptions options;
    options.sync = sync;
    for (int i = first; i < last; ++i) {
      EXPECT_OK(db_->Put(options, absl::StrCat(i), std::string(1000, 'v')));
    }
  }

  int Found(int last) {
    int found = 0;
    std::string value;
    for (int i = 0; i < last; ++i) {
      if (db_->Get({}, absl::StrCat(i), &value).ok()) ++found;
    }
    return found;
  }

  std::unique_ptr<leveldb::DB> db_;
};

TEST_F(DatabaseAndPowerLoss, SyncedWritesSurviveAndOthersNeedNot) {
  Open();
  Put(0, 20, /*sync=*/true);
  Put(20, 40, /*sync=*/false);
  env_.CutPower();
  db_.reset();
  EXPECT_OK(env_.RestorePower(kLost));
  Open();
  EXPECT_EQ(Found(40), 20);
}

TEST_F(DatabaseAndPowerLoss, AKilledProcessLosesNothing) {
  Open();
  Put(0, 40, /*sync=*/false);
  env_.CutPower();
  db_.reset();
  EXPECT_OK(env_.RestorePower(kKept));
  Open();
  EXPECT_EQ(Found(40), 40);
}

TEST_F(DatabaseAndPowerLoss, SyncedWritesSurviveWhileTablesAreMade) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Open();
    // Several write buffers, so that logs, tables and manifests come and go.
    const int first = 300 * static_cast<int>(seed);
    Put(first, first + 150, /*sync=*/false);
    Put(first + 150, first + 299, /*sync=*/false);
    Put(first + 299, first + 300, /*sync=*/true);
    env_.CutPower();
    db_.reset();
    EXPECT_OK(env_.RestorePower({PowerLoss::Unsynced::kRandom, seed}));
  }
  Open();
  std::string value;
  for (int i = 299; i < 3000; i += 300) {
    EXPECT_OK(db_->Get({}, absl::StrCat(i), &value)) << i;
  }
}

}  // namespace
}  // namespace shardingdb
