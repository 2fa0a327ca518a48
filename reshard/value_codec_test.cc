// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_codec.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "crypto/legacy_aes_cbc.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reshard/generated_set.h"
#include "reshard/test_rings.h"
#include "shardingdb/leveldb_handle.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Entries kEntries = {{"a", ""}, {"b", "plain value"}, {"c", "another"}};

class ValueCodecTest : public ::testing::Test {
 protected:
  // What CheckFirstValues says of a database with `stored`.
  absl::Status Check(const Entries& stored, const ValueCodec& in,
                     const ValueCodec& out) {
    TempDir dir;
    auto db = OpenLevelDb(dir.Join("db"), ShardOptions());
    if (!db.ok()) return db.status();
    for (const auto& [key, value] : stored) {
      EXPECT_OK((*db)->Put(leveldb::WriteOptions(), key, value));
    }
    return CheckFirstValues(db->get(), in, out);
  }

  TestRings rings_;
  const ValueCodec plain_;
  const ValueCodec ring_ = rings_.Codec("ring");
  const ValueCodec other_ = rings_.Codec("other");
  const ValueCodec compressed_ = rings_.Codec("compressed");
  const ValueCodec opaque_ = rings_.Codec("opaque:ring");
  const ValueCodec legacy_ =
      LegacyValues(NewLegacyAesCbc(SecretBytes("1234567890123456")).value());
};

TEST_F(ValueCodecTest, NamesOfMarkersHoldNoSecret) {
  EXPECT_EQ(plain_.name, "plain");
  EXPECT_EQ(ring_.name, "key-ring " + rings_.File("ring")->ring_id());
  EXPECT_EQ(legacy_.name, "legacy-aes-cbc");
  EXPECT_EQ(compressed_.name, "compressed");
  EXPECT_EQ(rings_.Codec("zstd").name, "compressed");
  EXPECT_EQ(opaque_.name, ring_.name + " opaque-keys");
  EXPECT_NE(ring_.name, other_.name);
}

TEST_F(ValueCodecTest, TheFormThatIsSaidIsAccepted) {
  const Entries sealed = rings_.Stored("ring", kEntries);
  EXPECT_OK(Check(kEntries, plain_, plain_));
  EXPECT_OK(Check(kEntries, plain_, ring_));
  EXPECT_OK(Check(sealed, plain_, plain_));  // moved as they are
  EXPECT_OK(Check(sealed, ring_, plain_));
  EXPECT_OK(Check(sealed, ring_, ring_));
  EXPECT_OK(Check(sealed, ring_, other_));
  EXPECT_OK(Check({}, ring_, plain_));
}

TEST_F(ValueCodecTest, ValuesThatAllLookSealedArePlainIfThatIsSaid) {
  Entries sealed = rings_.Stored("other", kEntries);
  ValueCodec surely_plain;
  surely_plain.may_look_sealed = true;
  for (const ValueCodec& out : {ring_, compressed_}) {
    EXPECT_THAT(
        Check(sealed, plain_, out),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("look sealed"), HasSubstr("--in-key-ring"),
                       HasSubstr("--in-plain"))));
    EXPECT_OK(Check(sealed, surely_plain, out));
  }
  // Under the ring itself there is no doubt.
  EXPECT_THAT(Check(rings_.Stored("ring", kEntries), surely_plain, ring_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("3 are sealed")));
  sealed["b"] = "plain value";
  EXPECT_OK(Check(sealed, plain_, ring_));
  EXPECT_OK(Check({}, plain_, ring_));
}

// What a disabled key has sealed does not open, and is sealed all the same: if
// it were sealed again, the key would be found unused, and given up.
TEST_F(ValueCodecTest, NothingIsSealedTwiceOverADisabledKey) {
  const Entries sealed = rings_.Stored("ring", kEntries);
  const uint32_t id = rings_.File("ring")->ring()->primary_id();
  rings_.Rotate();
  ASSERT_OK(rings_.File("ring")->Disable(id));
  const ValueCodec ring = rings_.Codec("ring");
  EXPECT_THAT(Check(sealed, plain_, ring),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("3 are sealed")));
  EXPECT_THAT(Check(sealed, legacy_, ring),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("3 are sealed")));
  std::string value;
  for (const std::shared_ptr<const Aead>& reader :
       {ReaderOf(plain_, ring), DoubtingReaderOf(plain_, ring)}) {
    EXPECT_THAT(
        reader->Open(sealed.begin()->second, sealed.begin()->first, &value),
        StatusIs(absl::StatusCode::kDataLoss,
                 HasSubstr("sealed under this key ring already")));
  }
}

TEST_F(ValueCodecTest, CompressedValuesAndThoseOfOpaqueKeysAreAccepted) {
  const Entries compressed = rings_.Stored("compressed", kEntries);
  EXPECT_OK(Check(compressed, plain_, plain_));  // moved as they are
  for (const ValueCodec& out : {plain_, compressed_, ring_}) {
    EXPECT_OK(Check(compressed, compressed_, out));
  }
  EXPECT_OK(Check(kEntries, plain_, compressed_));
  EXPECT_OK(Check(rings_.Stored("ring", kEntries), ring_, compressed_));
  const Entries opaque = rings_.Stored("opaque:ring", kEntries);
  EXPECT_OK(Check(opaque, plain_, plain_));
  EXPECT_OK(Check(opaque, opaque_, opaque_));
}

TEST_F(ValueCodecTest, TheOtherFormIsRefusedWithTheFlagToGive) {
  struct Wrong {
    std::string stored;
    ValueCodec in;
    ValueCodec out;
    std::vector<std::string> messages;
  };
  const std::vector<Wrong> wrong = {
      {"compressed", plain_, ring_, {"3 are compressed", "--in-compressed"}},
      {"compressed", plain_, compressed_, {"3 are compressed"}},
      {"compressed", ring_, plain_, {"do not open", "say --in-compressed"}},
      {"compressed", opaque_, opaque_, {"do not open", "say --in-compressed"}},
      {"compressed", legacy_, ring_, {"do not open", "say --in-compressed"}},
      {"plain", compressed_, ring_, {"do not open", "need no --in-compressed"}},
      {"plain", compressed_, plain_, {"do not open"}},
      {"ring", compressed_, ring_, {"is sealed", "say --in-key-ring"}},
      {"ring", opaque_, opaque_, {"do not open", "leave --opaque-keys out"}},
      {"opaque:ring", ring_, ring_, {"do not open", "say --opaque-keys"}},
      {"opaque:ring", ring_, plain_, {"do not open", "say --opaque-keys"}},
      {"opaque:ring", plain_, ring_, {"with opaque keys", "twice"}},
      {"opaque:ring", compressed_, ring_, {"is sealed", "--in-key-ring"}},
  };
  for (const Wrong& one : wrong) {
    const absl::Status status =
        Check(rings_.Stored(one.stored, kEntries), one.in, one.out);
    for (const std::string& message : one.messages) {
      EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                                   HasSubstr(message)))
          << one.stored << " as " << one.in.name;
    }
  }
}

TEST_F(ValueCodecTest, SealingTwiceIsRefusedEvenIfOnlySomeAreSealed) {
  Entries stored = rings_.Stored("ring", kEntries);
  EXPECT_THAT(Check(stored, plain_, ring_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("of the first 3 values 3 are sealed"),
                             HasSubstr("--in-key-ring"))));
  stored["b"] = "plain value";
  stored["c"] = "another";
  EXPECT_THAT(Check(stored, plain_, ring_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("of the first 3 values 1 are sealed")));
  EXPECT_THAT(Check(rings_.Stored("ring", kEntries), legacy_, ring_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("3 are sealed")));
}

TEST_F(ValueCodecTest, ValuesThatDoNotOpenAreRefused) {
  for (const ValueCodec& out : {plain_, ring_, other_}) {
    EXPECT_THAT(Check(kEntries, ring_, out),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("do not open")));
  }
  EXPECT_THAT(Check(rings_.Stored("other", kEntries), ring_, plain_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("unknown key id")));
  EXPECT_THAT(Check({{"k", "no legacy value"}}, legacy_, plain_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("do not open"),
                             Not(HasSubstr("no legacy value")))));
}

TEST_F(ValueCodecTest, ADisabledKeyIsRefused) {
  const Entries sealed = rings_.Stored("ring", kEntries);
  const uint32_t id = rings_.File("ring")->ring()->primary_id();
  rings_.Rotate();
  ASSERT_OK(rings_.File("ring")->Disable(id));
  EXPECT_THAT(Check(sealed, ring_, plain_),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("is disabled")));
}

TEST_F(ValueCodecTest, AReaderOfPlainValuesTakesNoSealedOnes) {
  const std::shared_ptr<const Aead> reader = ReaderOf(plain_, ring_);
  ASSERT_NE(reader, nullptr);
  std::string value;
  EXPECT_OK(reader->Open("as it is", "key", &value));
  EXPECT_EQ(value, "as it is");
  EXPECT_OK(reader->Open("", "key", &value));
  EXPECT_EQ(value, "");
  const std::string sealed =
      rings_.Stored("ring", {{"key", "value"}}).at("key");
  EXPECT_THAT(reader->Open(sealed, "key", &value),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("sealed under this key ring already")));
  EXPECT_EQ(value, "");
  EXPECT_EQ(ReaderOf(plain_, plain_), nullptr);
  EXPECT_EQ(ReaderOf(ring_, plain_), ring_.aead);
}

TEST_F(ValueCodecTest, AReaderOfPlainValuesTakesNoCompressedOnes) {
  std::string value;
  const std::string compressed =
      rings_.Stored("zstd", {{"key", "value"}}).at("key");
  for (const ValueCodec& out : {ring_, compressed_}) {
    const std::shared_ptr<const Aead> reader = ReaderOf(plain_, out);
    ASSERT_NE(reader, nullptr);
    EXPECT_OK(reader->Open("as it is", "key", &value));
    EXPECT_EQ(value, "as it is");
    EXPECT_THAT(
        reader->Open(compressed, "key", &value),
        StatusIs(absl::StatusCode::kDataLoss, HasSubstr("it is compressed")));
    EXPECT_EQ(value, "");
    // Under another key it is just a value.
    EXPECT_OK(reader->Open(compressed, "another", &value));
  }
  EXPECT_EQ(ReaderOf(compressed_, ring_), compressed_.aead);
  EXPECT_EQ(ReaderOf(compressed_, plain_), compressed_.aead);
}

TEST_F(ValueCodecTest, ADoubtingReaderTakesNoValueInItsOldForm) {
  for (const char* const form : {"ring", "compressed"}) {
    const std::shared_ptr<const Aead> reader =
        DoubtingReaderOf(plain_, rings_.Codec(form));
    std::string value;
    EXPECT_OK(reader->Open("as it is", "key", &value));
    EXPECT_THAT(reader->Open(rings_.Stored(form, {{"key", "value"}}).at("key"),
                             "key", &value),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("it is ")));
  }
  EXPECT_EQ(DoubtingReaderOf(ring_, plain_), ring_.aead);
  EXPECT_EQ(DoubtingReaderOf(plain_, legacy_), nullptr);
}

TEST_F(ValueCodecTest, WhatIsCurrentNeedNotBeStoredAnew) {
  const std::string value(1000, 'v');
  const auto stored = [&](const char* form) {
    return rings_.Stored(form, {{"k", value}}).at("k");
  };
  const ValueCodec zstd = rings_.Codec("zstd");
  EXPECT_TRUE(plain_.IsCurrent("k", value, value));
  EXPECT_TRUE(compressed_.IsCurrent("k", stored("compressed"), value));
  EXPECT_TRUE(zstd.IsCurrent("k", stored("zstd"), value));
  EXPECT_FALSE(zstd.IsCurrent("k", stored("compressed"), value));
  // What does not compress is the same in both.
  EXPECT_TRUE(zstd.IsCurrent(
      "k", rings_.Stored("compressed", {{"k", "short"}}).at("k"), "short"));
  const std::string sealed = stored("opaque:ring");
  EXPECT_TRUE(opaque_.IsCurrent("k", sealed, value));
  rings_.Rotate();
  EXPECT_FALSE(opaque_.IsCurrent("k", sealed, value));
}

TEST_F(ValueCodecTest, LegacyValuesAreOnlyRead) {
  EXPECT_FALSE(legacy_.writable());
  for (const ValueCodec& codec : {plain_, compressed_, ring_, opaque_}) {
    EXPECT_TRUE(codec.writable()) << codec.name;
  }
}

TEST_F(ValueCodecTest, TheKeyOfAValueIsToldFromThePrimary) {
  const std::string sealed = rings_.Stored("ring", {{"k", "v"}}).at("k");
  EXPECT_TRUE(ring_.SealedByPrimary(sealed));
  EXPECT_FALSE(ring_.SealedByPrimary("v"));
  EXPECT_FALSE(other_.SealedByPrimary(sealed));
  EXPECT_FALSE(plain_.SealedByPrimary(sealed));
  rings_.Rotate();
  EXPECT_FALSE(ring_.SealedByPrimary(sealed));
}

}  // namespace
}  // namespace shardingdb
