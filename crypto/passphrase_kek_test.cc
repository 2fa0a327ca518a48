// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/passphrase_kek.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/kek.h"
#include "crypto/scrypt.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using KekPtr = std::unique_ptr<KekProvider>;

// Fast, and for tests only.
constexpr ScryptParameters kCheap = {16, 1, 1};

absl::StatusOr<KekPtr> Kek(const char* passphrase) {
  return NewPassphraseKek(SecretBytes(passphrase), kCheap);
}

class PassphraseKekTest : public ::testing::Test {
 protected:
  const SecretBytes secret_{"a secret"};
};

TEST_F(PassphraseKekTest, ThereAndBackWithTheParametersOfTheToken) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, Kek("pass phrase"));
  ASSERT_OK_AND_ASSIGN(const std::string token, kek->Wrap(secret_, "context"));
  EXPECT_THAT(token, StartsWith("scrypt 16 1 1 "));
  ASSERT_OK_AND_ASSIGN(const KekPtr other,
                       NewPassphraseKek(SecretBytes("pass phrase")));
  ASSERT_OK_AND_ASSIGN(const SecretBytes again,
                       other->Unwrap(token, "context"));
  EXPECT_TRUE(again == secret_);
}

TEST_F(PassphraseKekTest, TheDefaultIsInTheToken) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek,
                       NewPassphraseKek(SecretBytes("pass phrase")));
  ASSERT_OK_AND_ASSIGN(const std::string token, kek->Wrap(secret_, "context"));
  EXPECT_THAT(token, StartsWith("scrypt 65536 8 1 "));
}

TEST_F(PassphraseKekTest, EachTokenHasItsOwnSalt) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, Kek("pass phrase"));
  ASSERT_OK_AND_ASSIGN(const std::string one, kek->Wrap(secret_, ""));
  ASSERT_OK_AND_ASSIGN(const std::string two, kek->Wrap(secret_, ""));
  const size_t salt = std::string("scrypt 16 1 1 ").size();
  EXPECT_NE(one.substr(salt, 32), two.substr(salt, 32));
}

TEST_F(PassphraseKekTest, AnythingElseIsTheWrongKey) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, Kek("pass phrase"));
  ASSERT_OK_AND_ASSIGN(const KekPtr other, Kek("pass phrasE"));
  ASSERT_OK_AND_ASSIGN(const std::string token, kek->Wrap(secret_, "context"));
  const auto is_wrong_key =
      StatusIs(absl::StatusCode::kPermissionDenied,
               AllOf(HasSubstr("wrong key"), Not(HasSubstr("pass phrase"))));
  EXPECT_THAT(other->Unwrap(token, "context"), is_wrong_key);
  EXPECT_THAT(kek->Unwrap(token, "Context"), is_wrong_key);
  EXPECT_THAT(kek->Unwrap("raw 00", "context"), is_wrong_key);
  // Other parameters or another salt make another key.
  std::string changed = token;
  changed.replace(0, 13, "scrypt 32 1 1");
  EXPECT_THAT(kek->Unwrap(changed, "context"), is_wrong_key);
  changed = token;
  changed[14] = changed[14] == '0' ? '1' : '0';
  EXPECT_THAT(kek->Unwrap(changed, "context"), is_wrong_key);
}

TEST_F(PassphraseKekTest, ForgedParametersAreRefusedBeforeTheyCostAnything) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, Kek("pass phrase"));
  const std::string rest =
      absl::StrCat(" ", std::string(32, '0'), " ", std::string(2 * 72, '0'));
  for (const char* parameters :
       {"1048576 8 1", "65536 8 17", "2 1 18446744073709551615",
        "2 18446744073709551615 1", "9223372036854775808 1 1", "0 8 1", "3 8 1",
        "16 0 1", "16 8 0", "18446744073709551616 8 1", "-16 1 1", "016 1 1",
        " 16 1", "16 1"}) {
    EXPECT_THAT(kek->Unwrap(absl::StrCat("scrypt ", parameters, rest), ""),
                StatusIs(absl::StatusCode::kDataLoss))
        << parameters;
  }
}

TEST_F(PassphraseKekTest, WhatIsNoTokenIsDataLoss) {
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, Kek("pass phrase"));
  const std::string salt(32, '0');
  const std::string wrapped(2 * 40, '0');
  for (const std::string& token :
       {std::string("scrypt"), std::string("scrypt 16 1 1"),
        absl::StrCat("scrypt 16 1 1 ", salt),
        absl::StrCat("scrypt 16 1 1 ", salt, "00 ", wrapped),
        absl::StrCat("scrypt 16 1 1 ", salt, " ", wrapped.substr(2)),
        absl::StrCat("scrypt 16 1 1 ", salt, " ", wrapped, " ")}) {
    EXPECT_THAT(kek->Unwrap(token, ""), StatusIs(absl::StatusCode::kDataLoss))
        << token;
  }
}

TEST_F(PassphraseKekTest, WhatIsNoPassphraseIsRefused) {
  EXPECT_THAT(Kek(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NewPassphraseKek(SecretBytes("p"), {3, 1, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NewPassphraseKek(SecretBytes("p"), {1 << 20, 8, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(PassphraseKekTest, FromTheEnvironment) {
  ::unsetenv("SDB_TEST_PASSPHRASE");
  EXPECT_THAT(
      PassphraseKekFromEnvironment("SDB_TEST_PASSPHRASE"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("SDB_TEST_PASSPHRASE")));
  ::setenv("SDB_TEST_PASSPHRASE", "", 1);
  EXPECT_THAT(PassphraseKekFromEnvironment("SDB_TEST_PASSPHRASE"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("SDB_TEST_PASSPHRASE")));
  ::setenv("SDB_TEST_PASSPHRASE", "pass phrase", 1);
  ASSERT_OK_AND_ASSIGN(const KekPtr kek, PassphraseKekFromEnvironment(
                                             "SDB_TEST_PASSPHRASE", kCheap));
  ASSERT_OK_AND_ASSIGN(const std::string token, kek->Wrap(secret_, ""));
  ASSERT_OK_AND_ASSIGN(const KekPtr same, Kek("pass phrase"));
  EXPECT_OK(same->Unwrap(token, ""));
}

}  // namespace
}  // namespace shardingdb
