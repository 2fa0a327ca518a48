// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_flags.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "crypto/kek.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/test_rings.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ValueFlagsTest : public ::testing::Test {
 protected:
  ValueFlagsTest() {
    flags_.key_ring = rings_.Path("ring");
    flags_.kek.file = rings_.KekPath();
  }
  absl::StatusOr<ValueCodecs> Open(bool digest = false) {
    const absl::Status status = CheckValueFlags(flags_, digest);
    EXPECT_OK(status);
    if (!status.ok()) return status;
    return OpenValueCodecs(
        flags_, digest, "/",
        [this](absl::string_view prompt) -> absl::StatusOr<SecretBytes> {
          prompts_.emplace_back(prompt);
          return SecretBytes("open sesame");
        });
  }
  std::string NameOf(const std::string& ring) {
    return "key-ring " + rings_.File(ring)->ring_id();
  }

  TestRings rings_;
  ValueFlags flags_;
  std::vector<std::string> prompts_;
};

TEST_F(ValueFlagsTest, WithoutFlagsValuesAreMovedAsTheyAre) {
  flags_ = ValueFlags();
  ASSERT_OK_AND_ASSIGN(const ValueCodecs codecs, Open());
  EXPECT_TRUE(codecs.in.plain());
  EXPECT_TRUE(codecs.out.plain());
}

TEST_F(ValueFlagsTest, ARingIsOfTheOutputsOrForADigestOfTheInputs) {
  ASSERT_OK_AND_ASSIGN(const ValueCodecs seal, Open());
  EXPECT_TRUE(seal.in.plain());
  EXPECT_EQ(seal.out.name, NameOf("ring"));
  ASSERT_OK_AND_ASSIGN(const ValueCodecs digest, Open(/*digest=*/true));
  EXPECT_EQ(digest.in.name, NameOf("ring"));
  EXPECT_TRUE(digest.out.plain());
  std::swap(flags_.in_key_ring, flags_.key_ring);
  ASSERT_OK_AND_ASSIGN(const ValueCodecs open, Open());
  EXPECT_EQ(open.in.name, NameOf("ring"));
  EXPECT_TRUE(open.out.plain());
}

TEST_F(ValueFlagsTest, TheKeyOfOneRingIsThatOfTheOther) {
  flags_.in_key_ring = rings_.Path("other");
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK_AND_ASSIGN(const ValueCodecs codecs, Open());
    EXPECT_EQ(codecs.in.name, NameOf("other"));
    EXPECT_EQ(codecs.out.name, NameOf("ring"));
    std::swap(flags_.kek, flags_.in_kek);
  }
}

TEST_F(ValueFlagsTest, EachRingMayHaveAKeyOfItsOwnAndNobodyIsAskedTwice) {
  ASSERT_OK_AND_ASSIGN(const auto passphrase,
                       NewPassphraseKek(SecretBytes("open sesame")));
  ASSERT_OK(rings_.File("ring")->Rewrap(*passphrase));
  flags_.kek = {};
  flags_.kek.passphrase = true;
  flags_.in_key_ring = rings_.Path("other");
  flags_.in_kek.file = rings_.KekPath();
  ASSERT_OK_AND_ASSIGN(const ValueCodecs two, Open());
  EXPECT_EQ(two.in.name, NameOf("other"));
  EXPECT_EQ(two.out.name, NameOf("ring"));
  EXPECT_EQ(prompts_.size(), 1);

  flags_.in_key_ring = flags_.key_ring;
  flags_.in_kek = {};
  ASSERT_OK_AND_ASSIGN(const ValueCodecs same, Open());
  EXPECT_EQ(same.in.name, same.out.name);
  EXPECT_EQ(same.in.key_ring, same.out.key_ring);
  EXPECT_EQ(prompts_.size(), 2);
  EXPECT_THAT(prompts_[1], HasSubstr(rings_.Path("ring")));
}

TEST_F(ValueFlagsTest, CompressedValuesNeedNoRing) {
  flags_ = ValueFlags();
  flags_.in_compressed = true;
  for (const bool digest : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const ValueCodecs codecs, Open(digest));
    EXPECT_EQ(codecs.in.name, "compressed");
    EXPECT_TRUE(codecs.out.plain());
  }
  flags_.compression = "none";
  ASSERT_OK_AND_ASSIGN(const ValueCodecs as_they_are, Open());
  EXPECT_TRUE(as_they_are.out.plain());
  const std::string value(1000, 'v');
  for (const auto& [name, other] :
       {std::pair("snappy", "zstd"), std::pair("zstd", "snappy")}) {
    flags_ = ValueFlags();
    flags_.compression = name;
    ASSERT_OK_AND_ASSIGN(const ValueCodecs codecs, Open());
    EXPECT_TRUE(codecs.in.plain());
    EXPECT_EQ(codecs.out.name, "compressed");
    std::string stored;
    ASSERT_OK(codecs.out.aead->Seal(value, "key", &stored));
    EXPECT_TRUE(codecs.out.IsCurrent("key", stored, value));
    flags_.compression = other;
    ASSERT_OK_AND_ASSIGN(const ValueCodecs others, Open());
    EXPECT_FALSE(others.out.IsCurrent("key", stored, value));
  }
}

TEST_F(ValueFlagsTest, OpaqueKeysAreOfBothSides) {
  flags_.opaque_keys = true;
  ASSERT_OK_AND_ASSIGN(const ValueCodecs digest, Open(/*digest=*/true));
  EXPECT_EQ(digest.in.name, NameOf("ring") + " opaque-keys");
  flags_.in_key_ring = rings_.Path("other");
  ASSERT_OK_AND_ASSIGN(const ValueCodecs codecs, Open());
  EXPECT_EQ(codecs.in.name, NameOf("other") + " opaque-keys");
  EXPECT_EQ(codecs.out.name, NameOf("ring") + " opaque-keys");
  EXPECT_TRUE(codecs.in.opaque_keys && codecs.out.opaque_keys);
  // The keys stay as the secret of the inputs' ring has made them.
  EXPECT_EQ(codecs.in.key_prf->secret(),
            rings_.File("other")->key_prf()->secret());
  EXPECT_EQ(codecs.out.key_prf->secret(), codecs.in.key_prf->secret());
}

TEST_F(ValueFlagsTest, WhatDoesNotGoTogetherIsExplained) {
  struct Wrong {
    ValueFlags flags;
    bool digest;
    std::string message;
  };
  std::vector<Wrong> wrong;
  const auto add = [&](const std::string& message, bool digest = false) {
    wrong.push_back({flags_, digest, message});
    flags_ = ValueFlags();
    flags_.key_ring = "R";
    flags_.kek.file = "K";
  };
  flags_.in_key_ring = "R";
  flags_.in_legacy_key_file = "L";
  add("in one form only");
  flags_.in_key_ring = "R";
  add("--digest: takes one of", true);
  flags_.kek.passphrase = true;
  add("only one of --kek-file");
  flags_.in_key_ring = "R";
  flags_.in_kek.file = "K";
  flags_.in_kek.passphrase_env = "P";
  add("only one of --in-kek-file");
  flags_.in_kek.file = "K";
  add("no --in-key-ring");
  flags_.key_ring = "";
  add("no --key-ring");
  flags_.kek.file = "";
  add("needs one of --kek-file");
  flags_.compression = "lzma";
  add("must be snappy, zstd or none");
  flags_.compression = "zstd";
  add("--value-compression: --digest writes nothing", true);
  flags_.in_compressed = true;
  flags_.in_key_ring = "R";
  add("in one form only");
  flags_.in_compressed = true;
  add("--digest: takes one of", true);
  flags_.opaque_keys = true;
  add("copy it through a program");
  flags_.opaque_keys = true;
  flags_.in_key_ring = "R";
  flags_.key_ring = "";
  add("copy it through a program");
  flags_.opaque_keys = true;
  flags_.in_compressed = true;
  add("copy it through a program");
  flags_ = ValueFlags();
  flags_.opaque_keys = true;
  add("to move one, no flag is needed");
  flags_ = ValueFlags();
  flags_.opaque_keys = true;
  add("--opaque-keys: is for a digest of opened values", true);
  for (const auto& [flags, digest, message] : wrong) {
    EXPECT_THAT(
        CheckValueFlags(flags, digest),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)));
  }
}

TEST_F(ValueFlagsTest, WhatDoesNotOpenARingIsARefusal) {
  ASSERT_OK(CreateRawKekFile(rings_.KekPath() + "2"));
  flags_.kek.file = rings_.KekPath() + "2";
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               AllOf(HasSubstr(flags_.key_ring),
                                     HasSubstr("wrong key"))));
  flags_.kek.file = rings_.KekPath() + "3";
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr(flags_.kek.file)));
  flags_.kek.file = rings_.KekPath();
  std::filesystem::permissions(flags_.key_ring,
                               std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("chmod 600")));
  flags_.key_ring += "-not-there";
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr(flags_.key_ring)));
  flags_ = ValueFlags();
  flags_.in_legacy_key_file = rings_.KekPath() + "3";
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr(flags_.in_legacy_key_file)));
}

TEST_F(ValueFlagsTest, ADamagedRingIsNoRefusal) {
  std::filesystem::resize_file(flags_.key_ring, 100);
  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kDataLoss,
                               HasSubstr(flags_.key_ring)));
}

}  // namespace
}  // namespace shardingdb
