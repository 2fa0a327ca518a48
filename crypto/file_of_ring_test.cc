// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/file_of_ring.h"

#include <filesystem>
#include <string>

#include "crypto/file_for_test.h"
#include "gtest/gtest.h"
#include "testing/temp_dir.h"

namespace shardingdb::crypto_internal {
namespace {

namespace fs = std::filesystem;

class FileOfRingTest : public ::testing::Test {
 protected:
  FileOfRingTest() {
    fs::create_directory(dir_.Join("sub"));
    fs::create_directory_symlink(dir_.path(), dir_.Join("self"));
  }

  bool Is(const std::string& name) {
    return IsFileOfRing(dir_.Join(name), ring_);
  }

  const TempDir dir_;
  const std::string ring_ = dir_.Join("R");
};

TEST_F(FileOfRingTest, AnySpellingBeforeAnyOfThemIsThere) {
  for (const std::string name : {"R", "R.tmp"}) {
    EXPECT_TRUE(Is(name));
    EXPECT_TRUE(Is(".//" + name));
    EXPECT_TRUE(Is("sub/../" + name));
    EXPECT_TRUE(Is("self/" + name));
  }
  for (const char* name : {"R.", "R.tmp2", "r", "tmp", "sub/R", "sub/R.tmp"}) {
    EXPECT_FALSE(Is(name)) << name;
  }
  EXPECT_TRUE(IsFileOfRing("nothing.tmp", "./nothing"));
  EXPECT_TRUE(IsFileOfRing(fs::absolute("nothing.tmp").string(), "nothing"));
}

TEST_F(FileOfRingTest, AnyLinkToWhatIsThere) {
  for (const std::string name : {"R", "R.tmp"}) {
    PutFile(dir_.Join(name), "x");
    fs::create_symlink(dir_.Join(name), dir_.Join(name + "-symbolic"));
    fs::create_hard_link(dir_.Join(name), dir_.Join(name + "-hard"));
    EXPECT_TRUE(Is(name + "-symbolic"));
    EXPECT_TRUE(Is(name + "-hard"));
  }
  PutFile(dir_.Join("other"), "x");
  EXPECT_FALSE(Is("other"));
}

// The temporary file is beside the file, not beside the link.
TEST_F(FileOfRingTest, ARingBehindALink) {
  PutFile(dir_.Join("sub/real"), "x");
  fs::create_symlink(dir_.Join("sub/real"), ring_);
  EXPECT_TRUE(Is("sub/real"));
  EXPECT_TRUE(Is("sub/real.tmp"));
  EXPECT_FALSE(Is("R.tmp"));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
