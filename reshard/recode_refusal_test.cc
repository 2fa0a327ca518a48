// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Changes of values that are refused.

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/legacy_aes_cbc.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/offline_reshard.h"
#include "reshard/recode_fixture.h"
#include "reshard/value_codec.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/sharding_func.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Each of these leaves all folders as they were.
class RecodeRefusalTest : public RecodeFixture {
 protected:
  template <typename Matcher>
  void ExpectRefused(const ReshardOptions& options, absl::StatusCode code,
                     const Matcher& message) {
    const Entries a = ReadFolder(a_);
    const Entries b = ReadFolder(b_);
    EXPECT_THAT(Reshard(options), StatusIs(code, message));
    ExpectNotMarked();
    EXPECT_TRUE(ReadFolder(a_) == a);
    EXPECT_TRUE(ReadFolder(b_) == b);
  }
};

// What it leads to would stay, in clear.
TEST_F(RecodeRefusalTest, ATableThatIsALink) {
  OpenLevelDb(b_, ShardOptions()).value()->CompactRange(nullptr, nullptr);
  for (const auto& file : std::filesystem::directory_iterator(b_)) {
    if (file.path().extension() != ".ldb") continue;
    const std::string target = a_ + "-elsewhere";
    std::filesystem::rename(file.path(), target);
    std::filesystem::create_symlink(target, file.path());
    ExpectRefused(Command("plain", "ring"),
                  absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(file.path().string()), HasSubstr(target)));
    return;
  }
  ADD_FAILURE() << "no table";
}

TEST_F(RecodeRefusalTest, WhatIsNoFileInPlaceOfAMarker) {
  for (const char* const name : {"RESHARD.done", "RESHARD.tmp"}) {
    std::filesystem::create_directory(b_ + "/" + name);
    ExpectRefused(Command("plain", "ring"),
                  absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(b_ + "/" + name), HasSubstr("regular file")));
    std::filesystem::remove(b_ + "/" + name);
  }
}

TEST_F(RecodeRefusalTest, SealingTwice) {
  ASSERT_OK(Run("plain", "ring"));
  for (const std::string& folder : folders_) {
    std::filesystem::remove(folder + "/RESHARD.done");
  }
  ExpectRefused(Command("plain", "ring"), absl::StatusCode::kFailedPrecondition,
                AllOf(HasSubstr(a_), HasSubstr("are sealed under this key")));
}

TEST_F(RecodeRefusalTest, ASingleValueThatIsSealedAlready) {
  const std::string key = KeyOf(1, "zz");
  Put(b_, key, rings_.Stored("ring", {{key, "value"}})[key]);
  ExpectRefused(Command("plain", "ring"), absl::StatusCode::kDataLoss,
                AllOf(HasSubstr(b_), HasSubstr("0x7a7a"),
                      HasSubstr("sealed under this key ring already")));
}

TEST_F(RecodeRefusalTest, PlainValuesThatAreSaidToBeSealed) {
  for (const char* const out : {"plain", "ring", "other"}) {
    ExpectRefused(Command("ring", out), absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(a_), HasSubstr("do not open")));
  }
}

TEST_F(RecodeRefusalTest, CompressedValuesThatAreSaidToBePlain) {
  ASSERT_OK(Run("plain", "compressed"));
  for (const char* const out : {"ring", "compressed", "zstd"}) {
    for (const std::string& folder : folders_) {
      std::filesystem::remove(folder + "/RESHARD.done");
    }
    ExpectRefused(Command("plain", out), absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(a_), HasSubstr("64 values 64 are compressed"),
                        HasSubstr("--in-compressed")));
  }
}

TEST_F(RecodeRefusalTest, ASingleValueThatIsCompressedAlready) {
  const std::string key = KeyOf(1, "zz");
  Put(b_, key, rings_.Stored("compressed", {{key, "value"}})[key]);
  for (const char* const out : {"ring", "compressed"}) {
    ExpectRefused(Command("plain", out), absl::StatusCode::kDataLoss,
                  AllOf(HasSubstr(b_), HasSubstr("0x7a7a"),
                        HasSubstr("it is compressed")));
  }
}

TEST_F(RecodeRefusalTest, PlainValuesThatAreSaidToBeCompressed) {
  for (const char* const out : {"plain", "ring", "zstd"}) {
    ExpectRefused(Command("compressed", out),
                  absl::StatusCode::kFailedPrecondition,
                  AllOf(HasSubstr(a_), HasSubstr("do not open"),
                        HasSubstr("need no --in-compressed")));
  }
}

TEST_F(RecodeRefusalTest, OpaqueKeysThatAreToBeClear) {
  for (const char* const out : {"plain", "ring", "compressed"}) {
    ExpectRefused(Command("opaque:ring", out),
                  absl::StatusCode::kInvalidArgument,
                  HasSubstr("copy the set through a program"));
  }
  ExpectRefused(Command("ring", "opaque:ring"),
                absl::StatusCode::kInvalidArgument,
                HasSubstr("copy the set through a program"));
  // Each with the secret of its own ring.
  ExpectRefused(Command("opaque:ring", "opaque:other"),
                absl::StatusCode::kInvalidArgument,
                HasSubstr("the KeyPrf of the values must be the same"));
}

TEST_F(RecodeRefusalTest, ADamagedValue) {
  ASSERT_OK(Run("plain", "ring"));
  const std::string key = KeyOf(1, "zz");
  Put(b_, key, "a secret that nobody has sealed");
  ExpectRefused(Command("ring", "plain"), absl::StatusCode::kDataLoss,
                AllOf(HasSubstr(b_ + ": the value of key 0x7a7a"),
                      HasSubstr("unknown version"), Not(HasSubstr("secret"))));
}

TEST_F(RecodeRefusalTest, ADisabledKey) {
  ASSERT_OK(Run("plain", "ring"));
  const uint32_t id = rings_.File("ring")->ring()->primary_id();
  rings_.Rotate();
  ASSERT_OK(rings_.File("ring")->Disable(id));
  ExpectRefused(Command("ring", "ring"), absl::StatusCode::kFailedPrecondition,
                AllOf(HasSubstr(a_), HasSubstr("is disabled")));
}

TEST_F(RecodeRefusalTest, AnotherLayoutAtTheSameTime) {
  ReshardOptions options = Command("plain", "ring");
  for (const std::vector<std::string>& outputs :
       {std::vector<std::string>{a_}, {a_, b_, dir_.Join("c")}}) {
    options.outputs = outputs;
    ExpectRefused(options, absl::StatusCode::kInvalidArgument,
                  HasSubstr("do it in two commands"));
  }
  options.outputs = {b_, a_};
  ExpectRefused(options, absl::StatusCode::kInvalidArgument,
                HasSubstr("cannot change at once"));
  options = Command("plain", "ring");
  options.function = MurmurSharding();
  ExpectRefused(options, absl::StatusCode::kInvalidArgument,
                HasSubstr("--sharding=murmur"));
}

TEST_F(RecodeRefusalTest, AFormThatCannotBeWritten) {
  ReshardOptions options = Command("plain", "plain");
  options.out_values =
      LegacyValues(NewLegacyAesCbc(SecretBytes("1234567890123456")).value());
  ExpectRefused(options, absl::StatusCode::kInvalidArgument,
                HasSubstr("in no other form"));
}

TEST_F(RecodeRefusalTest, AKeyThatBeginsAsReservedOnesDo) {
  const std::string key = KeyOf(0, absl::StrCat(kReservedKeyPrefix, "mine"));
  Put(a_, key, "value");
  ExpectRefused(Command("plain", "ring"), absl::StatusCode::kFailedPrecondition,
                AllOf(HasSubstr(a_), HasSubstr("begins as reserved keys do")));
  ReshardOptions migration;
  migration.inputs = folders_;
  migration.outputs = {dir_.Join("c")};
  EXPECT_THAT(Reshard(migration),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(a_), HasSubstr("reserved key"))));
}

}  // namespace
}  // namespace shardingdb
