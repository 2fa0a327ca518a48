// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The program as users start it to change how values are stored.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "crypto/raw_kek.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "reshard/test_rings.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_func.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class MainValuesTest : public ::testing::Test {
 protected:
  MainValuesTest() {
    ::unsetenv("BUILD_WORKING_DIRECTORY");
    WriteSet({a_, b_}, JumpSharding(), entries_);
    EXPECT_OK(CreateRawKekFile(dir_.Join("wrong")));
  }

  ProgramResult Run(std::vector<std::string> arguments) {
    arguments.push_back("-l=0");
    return RunProgram("reshard/reshard", arguments);
  }
  std::string Digest(std::vector<std::string> arguments) {
    arguments.push_back("--digest");
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  void ExpectDone(const ProgramResult& result, size_t moved) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(
        result.LastLine(),
        AllOf(StartsWith(absl::StrCat("reshard: entries=1000 moved=", moved,
                                      " bytes=")),
              HasSubstr(absl::StrCat(" digest=", DigestOf(entries_).ToHex(),
                                     " verified=yes seconds="))));
    EXPECT_THAT(result.err, IsEmpty());
  }

  TempDir dir_;
  TestRings rings_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const std::string set_ = a_ + "," + b_;
  const std::string kek_ = "--kek-file=" + rings_.KekPath();
  const std::string ring_ = "--key-ring=" + rings_.Path("ring");
  const std::string in_ring_ = "--in-key-ring=" + rings_.Path("ring");
  const Entries entries_ = GenerateEntries(6, 1000);
};

TEST_F(MainValuesTest, OnAnewUnderAnotherRingAndOff) {
  const std::string digest = Digest({"-i", set_});
  ExpectDone(Run({"-i", set_, ring_, kek_}), 1000);
  EXPECT_NE(Digest({"-i", set_}), digest);
  EXPECT_EQ(Digest({"-i", set_, ring_, kek_}), digest);
  EXPECT_EQ(Digest({"-i", set_, in_ring_, kek_}), digest);
  rings_.Rotate();
  ExpectDone(Run({"-i", set_, "-o", set_, in_ring_, ring_, kek_,
                  "--value-compression=zstd", "--throttle=1000"}),
             1000);
  ExpectDone(Run({"-i", set_, in_ring_, ring_, kek_}), 0);
  ExpectDone(Run({"-i", set_, in_ring_, "--key-ring", rings_.Path("other"),
                  "--in-kek-file", rings_.KekPath()}),
             1000);
  ExpectDone(Run({"-i", set_, "--in_key_ring=" + rings_.Path("other"), kek_}),
             1000);
  EXPECT_EQ(Digest({"-i", set_}), digest);
}

TEST_F(MainValuesTest, OnTheWayToNewFolders) {
  const std::string digest = Digest({"-i", set_});
  const std::string outputs =
      absl::StrCat(dir_.Join("x"), ",", dir_.Join("y"), ",", dir_.Join("z"));
  ExpectDone(Run({"-i", set_, "-o", outputs, ring_, kek_}), 1000);
  EXPECT_EQ(Digest({"-i", outputs, ring_, kek_}), digest);
  EXPECT_EQ(Digest({"-i", set_}), digest);
}

TEST_F(MainValuesTest, TheWrongKeyIs3AndSaysSo) {
  const std::string wrong = "--kek-file=" + dir_.Join("wrong");
  ExpectDone(Run({"-i", set_, ring_, kek_}), 1000);
  const std::vector<std::vector<std::string>> commands = {
      {"-i", set_, "--digest", ring_, wrong},
      {"-i", set_, in_ring_, wrong},
      {"-i", set_, "-o", dir_.Join("x"), in_ring_, wrong}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = Run(command);
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, AllOf(StartsWith("reshard: refused: "),
                                  HasSubstr("wrong key")));
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
    EXPECT_FALSE(std::filesystem::exists(dir_.Join("x")));
  }
}

TEST_F(MainValuesTest, AnotherRingIs3) {
  ExpectDone(Run({"-i", set_, ring_, kek_}), 1000);
  const std::string other = "--key-ring=" + rings_.Path("other");
  const ProgramResult result = Run({"-i", set_, "--digest", other, kek_});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr(a_), HasSubstr("unknown key id")));
}

TEST_F(MainValuesTest, AValueThatDoesNotOpenIs2WithFolderKeyAndReason) {
  ExpectDone(Run({"-i", set_, ring_, kek_}), 1000);
  {
    ASSERT_OK_AND_ASSIGN(const auto db, OpenLevelDb(a_, ShardOptions()));
    std::string key = "zz";
    while (JumpSharding()->ShardOf(key, 2) != 0) key += "z";
    ASSERT_OK(db->Put(leveldb::WriteOptions(), key, "a secret in clear"));
  }
  const std::vector<std::vector<std::string>> commands = {
      {"-i", set_, "--digest", ring_, kek_}, {"-i", set_, in_ring_, kek_}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = Run(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(
        result.err,
        AllOf(HasSubstr(a_), HasSubstr("0x7a7a"), HasSubstr("does not open"),
              HasSubstr("unknown version"), Not(HasSubstr("secret"))));
    EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
  }
}

TEST_F(MainValuesTest, SealingTwiceIs3) {
  const std::string x = dir_.Join("x");
  ExpectDone(Run({"-i", set_, "-o", x, ring_, kek_}), 1000);
  const ProgramResult result = Run({"-i", x, ring_, kek_});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr(x), HasSubstr("sealing them twice is refused")));
}

TEST_F(MainValuesTest, WrongUseIs1) {
  const std::vector<std::vector<std::string>> wrong = {
      {"-i", set_, ring_},
      {"-i", set_, kek_},
      {"-i", set_, ring_, kek_, kek_},
      {"-i", set_, ring_, kek_, "--kek_file=x"},
      {"-i", set_, ring_, kek_, "--passphrase-env=X"},
      {"-i", set_, ring_, kek_, "--value-compression=lzma"},
      {"-i", set_, "--throttle=-1"},
      {"-i", set_, "--throttle=0"},
      {"-i", set_, "--throttle=fast"},
      {"-i", set_, "--digest", "--throttle=1"},
      {"-i", set_, "-o", a_, ring_, kek_},
      {"-i", set_, "-o", set_ + "," + dir_.Join("c"), ring_, kek_},
      {"-i", set_, ring_, kek_, "--sharding=murmur"}};
  for (const std::vector<std::string>& arguments : wrong) {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, StartsWith("reshard: usage error: "));
  }
  EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
}

}  // namespace
}  // namespace shardingdb
