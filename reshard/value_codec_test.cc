// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_codec.h"

#include <memory>
#include <string>

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
  const ValueCodec legacy_ =
      LegacyValues(NewLegacyAesCbc(SecretBytes("1234567890123456")).value());
};

TEST_F(ValueCodecTest, NamesOfMarkersHoldNoSecret) {
  EXPECT_EQ(plain_.name, "plain");
  EXPECT_EQ(ring_.name, "key-ring " + rings_.File("ring")->ring_id());
  EXPECT_EQ(legacy_.name, "legacy-aes-cbc");
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
  // For those of another ring somebody may have a reason.
  EXPECT_OK(Check(rings_.Stored("other", kEntries), plain_, ring_));
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
                       HasSubstr("sealed under the key ring already")));
  EXPECT_EQ(value, "");
  EXPECT_EQ(ReaderOf(plain_, plain_), nullptr);
  EXPECT_EQ(ReaderOf(ring_, plain_), ring_.aead);
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
