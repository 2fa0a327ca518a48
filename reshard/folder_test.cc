// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::HasSubstr;
using ::testing::Ne;

class FolderTest : public ::testing::Test {
 protected:
  Folder Look(const std::string& path) {
    absl::StatusOr<Folder> folder = LookAtFolder(env_, path);
    EXPECT_OK(folder);
    return folder.ok() ? *folder : Folder();
  }
  void MakeFolderWith(const std::string& name, const std::string& file) {
    std::filesystem::create_directory(dir_.Join(name));
    if (!file.empty()) std::ofstream(dir_.Join(name) + "/" + file) << "x";
  }

  leveldb::Env* const env_ = leveldb::Env::Default();
  TempDir dir_;
  const std::string real_ = std::filesystem::canonical(dir_.path()).string();
};

TEST_F(FolderTest, TellsWhatIsThere) {
  MakeFolderWith("empty", "");
  MakeFolderWith("database", "CURRENT");
  MakeFolderWith("other", "notes.txt");
  MakeFolderWith("interrupted", "RESHARD.tmp");
  MakeFolderWith("locked", "LOCK");
  EXPECT_EQ(Look(dir_.Join("missing")).kind, Folder::Kind::kMissing);
  EXPECT_EQ(Look(dir_.Join("empty")).kind, Folder::Kind::kEmpty);
  EXPECT_EQ(Look(dir_.Join("database")).kind, Folder::Kind::kDatabase);
  EXPECT_EQ(Look(dir_.Join("other")).kind, Folder::Kind::kOther);
  EXPECT_EQ(Look(dir_.Join("interrupted")).kind, Folder::Kind::kEmpty);
  EXPECT_EQ(Look(dir_.Join("locked")).kind, Folder::Kind::kEmpty);
  EXPECT_EQ(Look(dir_.Join("other/notes.txt")).kind, Folder::Kind::kFile);
  EXPECT_EQ(Look(dir_.Join("other/notes.txt/x")).kind, Folder::Kind::kFile);
}

TEST_F(FolderTest, EverySpellingIsOnePath) {
  MakeFolderWith("a", "CURRENT");
  std::filesystem::create_directory_symlink(dir_.Join("a"), dir_.Join("link"));
  const Folder plain = Look(dir_.Join("a"));
  EXPECT_EQ(plain.path, real_ + "/a");
  EXPECT_THAT(plain.inode, Ne(0));
  for (const char* spelling : {"a/", "a//", "./a", "b/../a", "link", "link/"}) {
    const Folder folder = Look(dir_.Join(spelling));
    EXPECT_EQ(folder.path, plain.path) << spelling;
    EXPECT_EQ(folder.inode, plain.inode) << spelling;
    EXPECT_EQ(folder.given, dir_.Join(spelling));
  }
}

TEST_F(FolderTest, EverySpellingOfAMissingFolderIsOnePath) {
  std::filesystem::create_directory_symlink(dir_.path(), dir_.Join("link"));
  for (const char* spelling : {"x/y", "x//y/", "x/./y", "link/x/y"}) {
    EXPECT_EQ(Look(dir_.Join(spelling)).path, real_ + "/x/y") << spelling;
  }
}

TEST_F(FolderTest, RelativePathsStartAtTheWorkingFolder) {
  const Folder folder = Look("no-such-folder-here");
  EXPECT_EQ(folder.path,
            std::filesystem::canonical(".").string() + "/no-such-folder-here");
}

TEST_F(FolderTest, ALinkThatLeadsNowhereIsNoFolder) {
  std::filesystem::create_symlink(dir_.Join("nowhere"), dir_.Join("link"));
  EXPECT_THAT(Look(dir_.Join("link")).kind,
              ::testing::AnyOf(Folder::Kind::kFile, Folder::Kind::kMissing));
}

TEST_F(FolderTest, ReadsTheMarker) {
  MakeFolderWith("a", "");
  Marker marker;
  marker.command = {{"/in"}, {"/out"}, "jump"};
  ASSERT_OK(WriteMarker(env_, dir_.Join("a"), marker));
  const Folder folder = Look(dir_.Join("a"));
  EXPECT_EQ(folder.kind, Folder::Kind::kEmpty);
  ASSERT_TRUE(folder.marker.has_value());
  EXPECT_EQ(folder.marker->command, marker.command);
}

TEST_F(FolderTest, ADamagedMarkerIsLeftToWhoeverKnowsTheOthers) {
  MakeFolderWith("a", "RESHARD");
  const Folder folder = Look(dir_.Join("a"));
  EXPECT_FALSE(folder.marker.has_value());
  EXPECT_THAT(folder.marker_damage,
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("a/RESHARD")));
}

TEST_F(FolderTest, ReadsTheRecordAndIgnoresADamagedOne) {
  MakeFolderWith("a", "");
  Marker record;
  record.command = {{"/in"}, {"/out"}, "jump"};
  record.finished = true;
  record.contents = MultisetDigest();
  ASSERT_OK(WriteRecord(env_, dir_.Join("a"), record));
  const Folder folder = Look(dir_.Join("a"));
  EXPECT_EQ(folder.kind, Folder::Kind::kEmpty);
  EXPECT_FALSE(folder.marker.has_value());
  ASSERT_TRUE(folder.record.has_value());
  EXPECT_EQ(folder.record->command, record.command);
  MakeFolderWith("b", "RESHARD.done");
  EXPECT_FALSE(Look(dir_.Join("b")).record.has_value());
}

}  // namespace
}  // namespace shardingdb
