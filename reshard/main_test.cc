// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/generated_set.h"
#include "shardingdb/leveldb_handle.h"
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

// The program as users start it.
class MainTest : public ::testing::Test {
 protected:
  MainTest() {
    ::unsetenv("BUILD_WORKING_DIRECTORY");
    WriteSet({a_}, JumpSharding(), entries_);
  }

  ProgramResult Run(const std::vector<std::string>& arguments) {
    return RunProgram("reshard/reshard", arguments);
  }

  TempDir dir_;
  const std::string a_ = dir_.Join("a");
  const std::string b_ = dir_.Join("b");
  const Entries entries_ = GenerateEntries(2, 2000);
};

TEST_F(MainTest, OneOrTwoDashesSpacesOrEqualSigns) {
  const std::vector<std::vector<std::string>> spellings = {
      {"-i", a_, "-o", b_, "-l", "0"},
      {"--i", a_, "--o", b_, "--l", "0"},
      {"-i=" + a_, "-o=" + b_, "-l=0", "-sharding=jump"},
  };
  for (const std::vector<std::string>& arguments : spellings) {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.LastLine(),
                AllOf(StartsWith("reshard: entries=2000 moved=2000 bytes="),
                      HasSubstr(" verified=yes seconds=")));
    EXPECT_THAT(result.err, IsEmpty());
    std::filesystem::remove_all(b_);
  }
}

TEST_F(MainTest, HelpIsNoError) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    const ProgramResult result = Run({flag});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("bazel run //reshard -- -i DIRS -o DIRS"),
                      HasSubstr("Exit codes: 0 done")));
  }
}

TEST_F(MainTest, WrongUseIs1) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"-i", a_, "-o", b_, "more"},
      {"-i", a_, "-o", b_, "--no-such-flag"},
      {"-i", a_, "-o", b_, "-l", "many"},
      {"-i", a_, "-o", b_, "-l"},
      {"-i", a_, "--digest=perhaps"},
      {"-i", a_, "-o", b_, "--sharding=nonsense"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 1) << absl::StrJoin(arguments, " ");
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(StartsWith("reshard: usage error: "),
                                  HasSubstr("Exit codes: 0 done")));
  }
  EXPECT_FALSE(std::filesystem::exists(b_));
}

TEST_F(MainTest, AnUnknownFlagIsNamedAsItWasGiven) {
  EXPECT_THAT(Run({"-i", a_, "--shard=1"}).err,
              StartsWith("reshard: usage error: unknown flag --shard\n"));
  EXPECT_THAT(Run({"-i", a_, "-shard=1"}).err,
              StartsWith("reshard: usage error: unknown flag -shard\n"));
}

TEST_F(MainTest, AFlagThatIsGivenTwiceIs1) {
  WriteSet({b_}, JumpSharding(), {});
  const ProgramResult result = Run({"-i", a_, "-i", b_, "-o", dir_.Join("c")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("-i is given twice"));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("c")));
}

TEST_F(MainTest, MoreFoldersThanFilesMayBeOpenAreRefusedBeforeAnythingIsMade) {
  struct ::rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  struct ::rlimit few = before;
  few.rlim_cur = 1024;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<std::string> outputs;
  for (int i = 0; i < 300; ++i) {
    outputs.push_back(dir_.Join("new/o") + std::to_string(i));
  }
  const std::string new_folders = absl::StrJoin(outputs, ",");
  for (const std::string& list : {new_folders, a_ + "," + new_folders}) {
    const ProgramResult result = Run({"-i", a_, "-o", list});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("ulimit -n"));
    EXPECT_FALSE(std::filesystem::exists(dir_.Join("new")));
    EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST_F(MainTest, NoThreadsAre2) {
  struct ::rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_STACK, &before), 0);
  struct ::rlimit huge = before;
  // What each thread of the program gets for a stack, and there is no room for.
  huge.rlim_cur = ::rlim_t{1} << 47;
  ASSERT_EQ(::setrlimit(RLIMIT_STACK, &huge), 0);
  const std::vector<std::vector<std::string>> commands = {
      {"-i", a_, "-o", b_},
      {"-i", a_, "-o", a_ + "," + b_},
      {"--digest", "-i", a_}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = Run(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("thread"), HasSubstr("ulimit -u")));
    EXPECT_FALSE(std::filesystem::exists(b_));
    EXPECT_FALSE(std::filesystem::exists(a_ + "/RESHARD"));
  }
  ASSERT_EQ(::setrlimit(RLIMIT_STACK, &before), 0);
}

TEST_F(MainTest, AMissingLogIs2AndIsNamed) {
  const std::string c = dir_.Join("c");
  WriteSet({c}, JumpSharding(), {{"key", "value"}});
  std::string log;
  for (const auto& file : std::filesystem::directory_iterator(c)) {
    if (file.path().extension() == ".log") log = file.path().string();
  }
  ASSERT_TRUE(std::filesystem::remove(log));
  for (const std::string& outputs : {b_, c + "," + b_}) {
    const ProgramResult result = Run({"-i", c, "-o", outputs});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(log + ": missing"));
    EXPECT_FALSE(std::filesystem::exists(b_));
  }
  EXPECT_EQ(Run({"--digest", "-i", c}).exit_code, 2);
}

TEST_F(MainTest, ADamagedBlockIs2AndNamesItsFile) {
  std::string table;
  for (const auto& file : std::filesystem::directory_iterator(a_)) {
    if (file.path().extension() == ".ldb") table = file.path().string();
  }
  std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(1000);
  file << "damage";
  file.close();
  for (const std::string& outputs : {b_, a_ + "," + b_}) {
    const ProgramResult result = Run({"-i", a_, "-o", outputs});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(table));
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, Not(HasSubstr("verify")));
    std::filesystem::remove_all(b_);
  }
}

TEST_F(MainTest, ALockedDatabaseIs3) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<DbHandle> db,
                       OpenLevelDb(a_, ShardOptions()));
  for (const std::string& outputs : {b_, a_ + "," + b_}) {
    const ProgramResult result = Run({"-i", a_, "-o", outputs});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, AllOf(HasSubstr(a_), HasSubstr("lock")));
  }
  EXPECT_EQ(Run({"--digest", "-i", a_}).exit_code, 3);
}

TEST_F(MainTest, AWrongLayoutIs3) {
  WriteSet({b_}, JumpSharding(), entries_);
  const ProgramResult result = Run({"-i", a_, "-o", b_});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(b_ + ": holds other data"));
}

class LengthComparator : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
  }
  const char* Name() const override { return "test.LengthComparator"; }
  void FindShortestSeparator(std::string*,
                             const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

TEST_F(MainTest, AnUnlikeComparatorIs3) {
  const LengthComparator comparator;
  leveldb::Options options;
  options.create_if_missing = true;
  options.comparator = &comparator;
  leveldb::DB* db = nullptr;
  ASSERT_OK(leveldb::DB::Open(options, b_, &db));
  delete db;
  const ProgramResult result = Run({"-i", a_ + "," + b_, "-o", dir_.Join("c")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("test.LengthComparator"),
                                HasSubstr("leveldb.BytewiseComparator")));
}

TEST_F(MainTest, TwoValuesOfAKeyAre4) {
  WriteSet({b_}, JumpSharding(), {{"", "another value"}});
  const ProgramResult result = Run({"-i", a_ + "," + b_});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr(a_), HasSubstr(b_)));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(MainTest, RelativePathsStartWhereBazelRunWasCalled) {
  ::setenv("BUILD_WORKING_DIRECTORY", dir_.path().c_str(), 1);
  EXPECT_EQ(Run({"-i", "a", "-o", "x/y,z"}).exit_code, 0);
  ::unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_TRUE(ReadSet({dir_.Join("x/y"), dir_.Join("z")}, JumpSharding()) ==
              entries_);
}

// Starts the program, waits until it has marked `folder`, and sends the signal.
int SignalWhenMarked(const std::vector<std::string>& arguments,
                     const std::string& folder, int signal) {
  std::vector<char*> argv = {const_cast<char*>("reshard/reshard")};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  pid_t pid = 0;
  EXPECT_EQ(
      ::posix_spawn(&pid, argv[0], nullptr, nullptr, argv.data(), environ), 0);
  int state = 0;
  while (!std::filesystem::exists(folder + "/RESHARD")) {
    if (::waitpid(pid, &state, WNOHANG) == pid) return -1;
  }
  EXPECT_EQ(::kill(pid, signal), 0);
  EXPECT_EQ(::waitpid(pid, &state, 0), pid);
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

TEST_F(MainTest, ASignalStopsItCleanlyAndTheSameCommandGoesOn) {
  Entries many = GenerateEntries(21, 20000);
  WriteSet({b_}, JumpSharding(), many);
  const std::string c = dir_.Join("c");
  for (int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const std::vector<std::string> command = {"-i",         b_,   "-o",
                                              b_ + "," + c, "-l", "0"};
    const int exit_code = SignalWhenMarked(command, b_, signal);
    // 0 if it was through before the signal came.
    EXPECT_THAT(exit_code, ::testing::AnyOf(0, signal == SIGKILL ? 137 : 130));
    if (exit_code != 0) {
      EXPECT_EQ(Run(command).exit_code, 0);
    }
    EXPECT_TRUE(ReadSet({b_, c}, JumpSharding()) == many);
    EXPECT_EQ(Run({"-i", b_ + "," + c, "-o", b_, "-l", "0"}).exit_code, 0);
    std::filesystem::remove_all(c);
  }
}

}  // namespace
}  // namespace shardingdb
