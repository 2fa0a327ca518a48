// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/kek_flags.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/file_for_test.h"
#include "crypto/kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

absl::StatusOr<SecretBytes> NobodyIsThere(absl::string_view) {
  return absl::FailedPreconditionError("no terminal");
}

// What a token begins with tells what the KEK is.
std::string TokenOf(const absl::StatusOr<std::unique_ptr<KekProvider>>& kek) {
  EXPECT_OK(kek.status());
  return kek.ok() ? (*kek)->Wrap(SecretBytes("secret"), "context").value() : "";
}

TEST(KekFlagsTest, CountsWhatIsGiven) {
  KekFlags flags;
  EXPECT_EQ(CountOf(flags), 0);
  flags.file = "f";
  EXPECT_EQ(CountOf(flags), 1);
  flags.env = "e";
  flags.passphrase_env = "p";
  flags.passphrase = true;
  EXPECT_EQ(CountOf(flags), 4);
}

TEST(KekFlagsTest, RelativePathsAreBelowTheWorkingFolder) {
  EXPECT_EQ(PathIn("/w", "a"), "/w/a");
  EXPECT_EQ(PathIn("/w", "/a"), "/a");
  EXPECT_EQ(PathIn("", "a"), "a");
}

TEST(KekFlagsTest, AFile) {
  TempDir dir;
  PutFile(dir.Join("kek"), std::string(32, 'k'));
  KekFlags flags;
  flags.file = "kek";
  EXPECT_THAT(TokenOf(KekOf(flags, dir.path(), NobodyIsThere, "?")),
              StartsWith("raw "));
  flags.file = "none";
  EXPECT_THAT(KekOf(flags, dir.path(), NobodyIsThere, "?"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
}

TEST(KekFlagsTest, EnvironmentVariables) {
  ASSERT_EQ(::setenv("TEST_KEK", std::string(64, '7').c_str(), 1), 0);
  KekFlags flags;
  flags.env = "TEST_KEK";
  EXPECT_THAT(TokenOf(KekOf(flags, "", NobodyIsThere, "?")),
              StartsWith("raw "));
  flags = KekFlags();
  flags.passphrase_env = "TEST_KEK";
  EXPECT_THAT(TokenOf(KekOf(flags, "", NobodyIsThere, "?")),
              StartsWith("scrypt "));
}

TEST(KekFlagsTest, APassphraseIsAskedFor) {
  KekFlags flags;
  flags.passphrase = true;
  std::string answer = "open sesame";
  const auto ask =
      [&](absl::string_view prompt) -> absl::StatusOr<SecretBytes> {
    EXPECT_EQ(prompt, "Which? ");
    return SecretBytes(answer);
  };
  EXPECT_THAT(TokenOf(KekOf(flags, "", ask, "Which? ")), StartsWith("scrypt "));
  answer = "";
  EXPECT_THAT(
      KekOf(flags, "", ask, "Which? "),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("empty")));
  EXPECT_THAT(KekOf(flags, "", NobodyIsThere, "?"),
              StatusIs(absl::StatusCode::kFailedPrecondition, "no terminal"));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
