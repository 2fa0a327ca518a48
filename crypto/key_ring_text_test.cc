// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring_text.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "crypto/golden_key_ring_for_test.h"
#include "crypto/hex.h"
#include "crypto/key_ring.h"
#include "crypto/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string& Golden() {
  static const auto* golden = new std::string(kGoldenRawRing);
  return *golden;
}

// `text` with the checksum that belongs to it.
std::string WithChecksum(const std::string& text) {
  const std::string covered = text.substr(0, text.rfind("checksum "));
  const Sha256::Digest digest = Sha256::Of(covered);
  return absl::StrCat(covered, "checksum ",
                      EncodeHex(std::string(digest.begin(), digest.end())),
                      "\n");
}

// The golden text with `from` replaced, and a right checksum.
std::string Changed(const std::string& from, const std::string& to) {
  const std::string changed = absl::StrReplaceAll(Golden(), {{from, to}});
  EXPECT_NE(changed, Golden()) << from;
  return WithChecksum(changed);
}

TEST(KeyRingTextTest, GoldenTextThereAndBack) {
  for (const char* golden : {kGoldenRawRing, kGoldenPassphraseRing}) {
    ASSERT_OK_AND_ASSIGN(const KeyRingText text, ParseKeyRingText(golden));
    EXPECT_EQ(EncodeKeyRingText(text), golden);
    EXPECT_EQ(EncodeUnsealed(text),
              std::string(golden).substr(0, std::string(golden).find("seal ")));
  }
}

TEST(KeyRingTextTest, GoldenFields) {
  ASSERT_OK_AND_ASSIGN(const KeyRingText text, ParseKeyRingText(Golden()));
  EXPECT_EQ(text.ring_id, CountingBytes(0xa0, 16));
  EXPECT_THAT(text.kek, StartsWith("raw 1011"));
  EXPECT_EQ(text.check.size(), kRingCheckSize);
  ASSERT_EQ(text.keys.size(), 3u);
  EXPECT_EQ(text.keys[0].id, 1u);
  EXPECT_EQ(text.keys[0].created, 1700000000);
  EXPECT_EQ(text.keys[0].state, KeyState::kDisabled);
  EXPECT_FALSE(text.keys[0].primary);
  EXPECT_EQ(text.keys[1].id, 67305985u);
  EXPECT_EQ(text.keys[1].state, KeyState::kEnabled);
  EXPECT_FALSE(text.keys[1].primary);
  EXPECT_EQ(text.keys[2].id, 4294967295u);
  EXPECT_EQ(text.keys[2].state, KeyState::kEnabled);
  EXPECT_TRUE(text.keys[2].primary);
  EXPECT_EQ(text.keys[2].wrapped.size(), kWrappedKeySize);
  EXPECT_EQ(text.seal.size(), kRingSealSize);
  EXPECT_EQ(LineOfKey(0), 5u);
  EXPECT_EQ(LineOfSeal(text), 8u);
}

TEST(KeyRingTextTest, EveryTruncationIsDataLoss) {
  for (size_t size = 0; size < Golden().size(); ++size) {
    EXPECT_THAT(ParseKeyRingText(Golden().substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss, StartsWith("line ")))
        << size;
  }
  EXPECT_THAT(ParseKeyRingText(""), StatusIs(absl::StatusCode::kDataLoss,
                                             "line 1: the file is empty"));
}

TEST(KeyRingTextTest, EveryMissingLineIsDataLossAlsoWithARightChecksum) {
  size_t begin = 0;
  while (begin < Golden().size()) {
    const size_t end = Golden().find('\n', begin) + 1;
    std::string shorter = Golden();
    shorter.erase(begin, end - begin);
    EXPECT_THAT(ParseKeyRingText(shorter),
                StatusIs(absl::StatusCode::kDataLoss));
    const std::string line = Golden().substr(begin, end - begin);
    // One key less is for the seal to notice.
    const bool left_to_seal =
        absl::StartsWith(line, "key ") && !absl::StrContains(line, "primary");
    if (!left_to_seal && !absl::StartsWith(line, "checksum ")) {
      EXPECT_THAT(ParseKeyRingText(WithChecksum(shorter)),
                  StatusIs(absl::StatusCode::kDataLoss))
          << line;
    }
    begin = end;
  }
}

TEST(KeyRingTextTest, ANewerVersionSaysThatTheProgramIsOlder) {
  for (const char* version : {"2", "10", "4294967295"}) {
    EXPECT_THAT(ParseKeyRingText(absl::StrCat("shardingdb-keyring ", version,
                                              "\nwhatever it holds")),
                StatusIs(absl::StatusCode::kUnimplemented,
                         HasSubstr("this program is older than the file")));
  }
}

TEST(KeyRingTextTest, WhatIsNoKeyRingSaysSo) {
  for (const char* text :
       {"shardingdb-keyring", "shardingdb-keyring ", "shardingdb-keyring x\n",
        "shardingdb-keyring 01\n", "shardingdb-keyring 1 \n",
        "shardingdb-keyring  1\n", "shardingdb-reshard 1\n", "\n", "key\n",
        "shardingdb-keyring 1\r\n"}) {
    EXPECT_THAT(ParseKeyRingText(text),
                StatusIs(absl::StatusCode::kDataLoss, StartsWith("line 1: ")))
        << text;
  }
}

TEST(KeyRingTextTest, AWrongChecksumNamesItsLine) {
  std::string text = Golden();
  char& last = text[text.size() - 2];
  last = last == '0' ? '1' : '0';
  EXPECT_THAT(ParseKeyRingText(text), StatusIs(absl::StatusCode::kDataLoss,
                                               StartsWith("line 9: checksum")));
  // Damage that leaves a line what it must be.
  text = absl::StrReplaceAll(Golden(), {{"1700000000", "1700000001"}});
  EXPECT_THAT(ParseKeyRingText(text), StatusIs(absl::StatusCode::kDataLoss,
                                               StartsWith("line 9: checksum")));
}

TEST(KeyRingTextTest, BadLinesAreNamed) {
  const struct {
    const char* from;
    std::string to;
    const char* says;
  } kCases[] = {
      {"ring a0", "ring A0", "line 2: "},
      {"ring a0", "ring ", "line 2: "},
      {"ring a0", "ring a0a0", "line 2: "},
      {"ring a0", "rinG a0", "line 2: "},
      {"ring a0", "ring\ta0", "line 2: "},
      {"kek raw ", "kek", "line 3: "},
      {"kek raw", "kek raw \x7f", "line 3: kek"},
      {"kek raw", "kek raw \xff", "line 3: kek"},
      {"kek raw", "kek raw\t", "line 3: kek"},
      {"kek raw", "kek " + std::string(16384, 'x'), "line 3: kek"},
      {"check 2c", "check ", "line 4: "},
      {"check 2c", "check  2c", "line 4: "},
      {"key 1 ", "key 0 ", "line 5: bad key id"},
      {"key 1 ", "key 01 ", "line 5: bad key id"},
      {"key 1 ", "key -1 ", "line 5: bad key id"},
      {"key 1 ", "key 4294967296 ", "line 5: bad key id"},
      {"key 1 ", "key  ", "line 5: bad key id"},
      {"key 1 ", "kex 1 ", "line 5: "},
      {"key 1 ", "key 1  ", "line 5: "},
      {"1700000000", "01700000000", "line 5: bad time"},
      {"1700000000", "-1", "line 5: bad time"},
      {"1700000000", "253402300800", "line 5: bad time"},
      {"disabled", "Disabled", "line 5: bad state"},
      {"disabled", "", "line 5: bad state"},
      {"disabled 10", "disabled 1", "line 5: a wrapped key"},
      {"disabled 10", "disabled ", "line 5: a wrapped key"},
      {"disabled", "primary", "line 7: a second primary"},
      {"primary", "enabled", "line 8: no primary"},
      {"primary", "disabled", "line 8: no primary"},
      {"key 67305985 ", "key 1 ", "line 6: key id 1 for a second time"},
      {"seal 70", "seal ", "line 8: "},
      {"seal 70", "seal 70 ", "line 8: "},
      {"\nseal", "\n\nseal", "line 8: "},
      {"checksum", "checksum 00\nchecksum", "line 8: "},
  };
  for (const auto& test : kCases) {
    EXPECT_THAT(ParseKeyRingText(Changed(test.from, test.to)),
                StatusIs(absl::StatusCode::kDataLoss, StartsWith(test.says)))
        << test.from << " -> " << test.to;
  }
}

TEST(KeyRingTextTest, NothingMayFollow) {
  EXPECT_THAT(ParseKeyRingText(Golden() + "\n"),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseKeyRingText(Golden() + "x"),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseKeyRingText(Golden() + Golden()),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseKeyRingText(Golden() + std::string(1, '\0')),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(ParseKeyRingText(absl::StrReplaceAll(Golden(), {{"\n", "\r\n"}})),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(KeyRingTextTest, NoMessageShowsWhatAFileHolds) {
  // Somebody may have given the file of a key.
  const absl::Status status =
      ParseKeyRingText("my secret passphrase\n").status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                               ::testing::Not(HasSubstr("secret"))));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
