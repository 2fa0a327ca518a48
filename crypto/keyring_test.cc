// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The program as users start it.

#include <stdlib.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "crypto/file_for_test.h"
#include "crypto/file_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::FileLock;
using crypto_internal::ModeOf;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class KeyringTest : public ::testing::Test {
 protected:
  KeyringTest() { ::unsetenv("BUILD_WORKING_DIRECTORY"); }

  ProgramResult Run(std::vector<std::string> arguments) {
    return RunProgram("crypto/keyring", arguments);
  }
  // With the ring and the file of its KEK.
  ProgramResult RunHere(std::vector<std::string> arguments) {
    arguments.push_back("--ring=" + ring_);
    arguments.push_back("--kek-file=" + kek_);
    return Run(arguments);
  }
  void Create() { ASSERT_EQ(RunHere({"create"}).exit_code, 0); }

  TempDir dir_;
  const std::string ring_ = dir_.Join("R");
  const std::string kek_ = dir_.Join("K");
};

TEST_F(KeyringTest, AWholeLife) {
  ProgramResult result = RunHere({"create"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("made a random key in " + kek_),
                                HasSubstr("made " + ring_)));
  EXPECT_EQ(ModeOf(ring_), 0600u);
  EXPECT_EQ(ModeOf(kek_), 0600u);

  result = RunHere({"list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = absl::StrSplit(result.out, '\n');
  ASSERT_EQ(lines.size(), 3u) << result.out;
  const std::vector<std::string> fields =
      absl::StrSplit(lines[1], ' ', absl::SkipEmpty());
  ASSERT_EQ(fields.size(), 3u) << result.out;
  absl::Time created;
  EXPECT_TRUE(absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", fields[1], &created,
                              /*err=*/nullptr));
  EXPECT_EQ(fields[2], "primary");
  const std::string first = fields[0];

  result = RunHere({"rotate"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("is the primary now"));
  result = RunHere({"disable", first});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  result = RunHere({"list"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("disabled\n"), HasSubstr("primary\n"),
                                Not(HasSubstr("enabled\n"))));
  result = RunHere({"check"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.LastLine(),
              HasSubstr("ok: keys=2 disabled=1 dropped=0 primary="));
  result = RunHere({"enable", first});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(RunHere({"check"}).out, HasSubstr("disabled=0"));

  const std::string new_kek = dir_.Join("K2");
  result = RunHere({"rewrap", "--new-kek-file", new_kek});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("made a random key in " + new_kek));
  result = RunHere({"check"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("wrong key"));
  result = Run({"check", "--ring", ring_, "--kek_file", new_kek});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(KeyringTest, HelpIsNoError) {
  for (const char* flag : {"--help", "-help", "-h"}) {
    const ProgramResult result = Run({flag});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, AllOf(HasSubstr("bazel run //crypto:keyring"),
                                  HasSubstr("Exit codes: 0 done")));
  }
}

TEST_F(KeyringTest, WrongUseIs1) {
  const std::vector<std::vector<std::string>> kWrong = {
      {},
      {"list"},
      {"list", "--ring=" + ring_},
      {"list", "--ring=" + ring_, "--kek-file=" + kek_, "--passphrase"},
      {"list", "--ring=" + ring_, "--ring=" + ring_, "--kek-file=" + kek_},
      {"list", "--ring=" + ring_, "--kek-file=" + kek_, "--no-such-flag"},
      {"nonsense", "--ring=" + ring_, "--kek-file=" + kek_},
  };
  for (const std::vector<std::string>& arguments : kWrong) {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 1) << absl::StrJoin(arguments, " ");
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, Not(IsEmpty()));
  }
}

TEST_F(KeyringTest, EverySourceOfAKek) {
  const std::string hex(64, 'a');
  ::setenv("SDB_TEST_KEK", hex.c_str(), 1);
  ::setenv("SDB_TEST_PASSPHRASE", "correct horse", 1);
  ::setenv("SDB_TEST_OTHER", "wrong horse", 1);
  Create();
  const std::string ring = "--ring=" + ring_;
  EXPECT_EQ(RunHere({"rewrap", "--new-kek-env=SDB_TEST_KEK"}).exit_code, 0);
  EXPECT_EQ(Run({"check", ring, "--kek-env=SDB_TEST_KEK"}).exit_code, 0);
  EXPECT_EQ(Run({"rewrap", ring, "--kek-env=SDB_TEST_KEK",
                 "--new-passphrase-env=SDB_TEST_PASSPHRASE"})
                .exit_code,
            0);
  EXPECT_EQ(
      Run({"check", ring, "--passphrase-env=SDB_TEST_PASSPHRASE"}).exit_code,
      0);
  const ProgramResult wrong =
      Run({"check", ring, "--passphrase-env=SDB_TEST_OTHER"});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err,
              AllOf(HasSubstr("wrong key"), Not(HasSubstr("horse"))));
  EXPECT_EQ(Run({"check", ring, "--passphrase-env=SDB_NOT_SET"}).exit_code, 3);
}

TEST_F(KeyringTest, AWrongKeyIs3) {
  Create();
  PutFile(kek_, std::string(32, 'x'));
  for (const char* command : {"list", "check", "rotate"}) {
    const ProgramResult result = RunHere({command});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, AllOf(HasSubstr("wrong key"), HasSubstr(ring_)));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST_F(KeyringTest, PermissionsAre3WithTheCommandToRun) {
  Create();
  for (const std::string& path : {ring_, kek_}) {
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    const ProgramResult result = RunHere({"check"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("chmod 600 " + path));
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  }
  EXPECT_EQ(RunHere({"check"}).exit_code, 0);
}

TEST_F(KeyringTest, OtherRefusalsAre3) {
  EXPECT_EQ(RunHere({"check"}).exit_code, 3);
  Create();
  EXPECT_THAT(RunHere({"create"}).err, HasSubstr("is there already"));
  EXPECT_EQ(RunHere({"create"}).exit_code, 3);
  EXPECT_EQ(RunHere({"disable", "1"}).exit_code, 3);
  PutFile(kek_, "short");
  EXPECT_EQ(RunHere({"check"}).exit_code, 3);
  PutFile(ring_, "shardingdb-keyring 2\n");
  PutFile(kek_, std::string(32, 'x'));
  const ProgramResult newer = RunHere({"check"});
  EXPECT_EQ(newer.exit_code, 3);
  EXPECT_THAT(newer.err, HasSubstr("this program is older"));
}

TEST_F(KeyringTest, TwoAtOnceOneIsToldSo) {
  Create();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<FileLock> lock,
                       FileLock::Take(ring_));
  const std::string before = ContentsOf(ring_);
  for (const ProgramResult& result :
       {RunHere({"rotate"}), RunHere({"rewrap", "--new-kek-file=" + kek_})}) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("another process is changing " + ring_));
  }
  EXPECT_EQ(ContentsOf(ring_), before);
  EXPECT_EQ(RunHere({"check"}).exit_code, 0);
}

TEST_F(KeyringTest, DamageIs2AndIsLocated) {
  Create();
  std::string bytes = ContentsOf(ring_);
  bytes[bytes.find("key ") + 30] ^= 1;
  PutFile(ring_, bytes);
  for (const char* command : {"check", "list", "rotate"}) {
    const ProgramResult result = RunHere({command});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(ring_ + ": line "));
    EXPECT_THAT(result.out, IsEmpty());
  }
  EXPECT_EQ(ContentsOf(ring_), bytes);
}

TEST_F(KeyringTest, AskingWithoutATerminalIs3) {
  Create();
  const ProgramResult result =
      Run({"check", "--ring=" + ring_, "--passphrase"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no terminal"));
}

TEST_F(KeyringTest, NoCommandShowsAKey) {
  Create();
  const std::string kek = ContentsOf(kek_);
  const std::string all =
      RunHere({"list"}).out + RunHere({"check"}).out + RunHere({"rotate"}).out;
  // No digits as long as half of a key, and not the KEK.
  size_t digits = 0;
  for (const char c : all) {
    digits =
        absl::ascii_isxdigit(static_cast<unsigned char>(c)) ? digits + 1 : 0;
    ASSERT_LT(digits, 32u) << all;
  }
  EXPECT_THAT(all, Not(HasSubstr(kek)));
}

TEST_F(KeyringTest, AnUnknownFlagIsAUsageError) {
  const ProgramResult result = RunHere({"list", "--kek-fil=x"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("usage error: unknown flag --kek_fil"),
                    HasSubstr("Exit codes")));
}

TEST_F(KeyringTest, WhatCannotBeSaidIsAnErrorWithAWord) {
  for (const char* redirection : {">/dev/full", ">&-"}) {
    const ProgramResult result = RunProgram(
        "/bin/sh",
        {"-c", std::string("exec crypto/keyring --help ") + redirection});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                HasSubstr("keyring: cannot write to standard output: "));
  }
}

TEST_F(KeyringTest, AFileThatMayNotGrowIsAnError) {
  const ProgramResult result = RunProgram(
      "/bin/sh", {"-c", "(ulimit -f 0; exec crypto/keyring create --ring=" +
                            ring_ + " --kek-file=" + kek_ + ") 2>&1 | cat"});
  EXPECT_THAT(result.out, HasSubstr("File too large"));
}

}  // namespace
}  // namespace shardingdb
