// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The program as users start it, on a file of published vectors.

#include <stdlib.h>

#include <string>

#include "crypto/file_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/run_program.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kSample[] = "crypto/testdata/gcm_vectors.json";

class GcmVectorsTest : public ::testing::Test {
 protected:
  GcmVectorsTest() { ::unsetenv("BUILD_WORKING_DIRECTORY"); }

  ProgramResult Run(const std::string& file) {
    return RunProgram("crypto/gcm_vectors", {file});
  }

  // Run() of the sample with one thing changed.
  ProgramResult RunWith(const std::string& from, const std::string& to) {
    std::string text = ContentsOf(kSample);
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    PutFile(changed_, text.replace(at, from.size(), to));
    return Run(changed_);
  }

  TempDir dir_;
  const std::string changed_ = dir_.Join("changed.json");
};

TEST_F(GcmVectorsTest, PublishedVectorsPass) {
  const ProgramResult result = Run(kSample);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("6 through AES-256-GCM"),
                                HasSubstr("43 through Crypto++'s GCM"),
                                HasSubstr("2 through Crypto++'s AES and GHASH"),
                                Not(HasSubstr("FAILED"))));
  EXPECT_EQ(result.LastLine(), "51 passed, 0 failed");
}

TEST_F(GcmVectorsTest, PathsAreRelativeToTheUsersFolder) {
  PutFile(dir_.Join("vectors.json"), ContentsOf(kSample));
  ::setenv("BUILD_WORKING_DIRECTORY", dir_.path().c_str(), 1);
  EXPECT_EQ(Run("vectors.json").exit_code, 0);
  EXPECT_EQ(Run(kSample).exit_code, 2);
  EXPECT_EQ(Run(dir_.Join("vectors.json")).exit_code, 0);
}

TEST_F(GcmVectorsTest, AWrongVectorIsReportedAndIs1) {
  // The tag of test case 16.
  const ProgramResult result = RunWith("76fc6ece0f4e1768cddf8853bb2d551b",
                                       "76fc6ece0f4e1768cddf8853bb2d551a");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("FAILED: tcId 16 (test case 16): seals to "
                                    "other bytes\n"));
  EXPECT_EQ(result.LastLine(), "50 passed, 1 failed");
}

TEST_F(GcmVectorsTest, AnInvalidVectorThatOpensIsReportedAndIs1) {
  const ProgramResult result =
      RunWith("\"result\": \"valid\"", "\"result\": \"invalid\"");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("opens, and must be refused"));
  EXPECT_EQ(result.LastLine(), "50 passed, 1 failed");
}

TEST_F(GcmVectorsTest, NoVectorsAre1) {
  PutFile(changed_, R"({"algorithm": "AES-GCM", "testGroups": []})");
  const ProgramResult result = Run(changed_);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.LastLine(), "0 passed, 0 failed");
}

TEST_F(GcmVectorsTest, WhatIsNoSuchFileIs2) {
  PutFile(changed_, "[Keylen = 128]\n");
  for (const ProgramResult& result :
       {Run(changed_), Run(dir_.path()), Run(dir_.Join("missing")),
        RunWith("\"AES-GCM\"", "\"AES-GCM-SIV\""),
        RunWith("\"tcId\": 16", "\"tcId\": \"16\"")}) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(dir_.path()));
  }
}

TEST_F(GcmVectorsTest, WrongUseIs2AndHelpIsNoError) {
  EXPECT_EQ(RunProgram("crypto/gcm_vectors", {}).exit_code, 2);
  EXPECT_EQ(Run("--frobnicate").exit_code, 2);
  EXPECT_EQ(RunProgram("crypto/gcm_vectors", {kSample, kSample}).exit_code, 2);
  const ProgramResult help = Run("--help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("usage: bazel run //crypto:gcm_vectors"));
}

}  // namespace
}  // namespace shardingdb
