// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/gcm_vector_file.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFile[] = R"({
  "algorithm": "AES-GCM",
  "schema": "aead_test_schema_v1.json",
  "numberOfTests": 3,
  "notes": {"Ktv": "known"},
  "testGroups": [
    {"type": "AeadTest", "keySize": 16, "ivSize": 8, "tagSize": 24, "tests": [
      {"tcId": 7, "comment": "first", "flags": ["Ktv"], "key": "0001",
       "iv": "02", "aad": "", "msg": "0aFF", "ct": "03", "tag": "040506",
       "result": "valid"},
      {"tcId": 8, "key": "", "iv": "", "aad": "07", "msg": "", "ct": "",
       "tag": "", "result": "invalid"}]},
    {"keySize": 0, "ivSize": 0, "tagSize": 0, "tests": []},
    {"keySize": 128, "ivSize": 96, "tagSize": 128, "tests": [
      {"tcId": 9, "key": "", "iv": "", "aad": "", "msg": "", "ct": "",
       "tag": "", "result": "acceptable"}]}]})";

// ParseGcmVectors() of the file with one thing changed.
absl::Status With(absl::string_view from, absl::string_view to) {
  const std::string changed = absl::StrReplaceAll(kFile, {{from, to}});
  EXPECT_NE(changed, kFile) << from;
  return ParseGcmVectors(changed).status();
}

TEST(GcmVectorFileTest, IsReadWithTheSizesOfItsGroups) {
  ASSERT_OK_AND_ASSIGN(const std::vector<GcmVector> vectors,
                       ParseGcmVectors(kFile));
  ASSERT_EQ(vectors.size(), 3u);
  const GcmVector& first = vectors[0];
  EXPECT_EQ(first.id, 7);
  EXPECT_EQ(first.comment, "first");
  EXPECT_EQ(first.key_bits, 16u);
  EXPECT_EQ(first.nonce_bits, 8u);
  EXPECT_EQ(first.tag_bits, 24u);
  EXPECT_EQ(first.key, std::string("\0\1", 2));
  EXPECT_EQ(first.nonce, "\2");
  EXPECT_EQ(first.associated_data, "");
  EXPECT_EQ(first.plaintext, "\n\xff");
  EXPECT_EQ(first.ciphertext, "\3");
  EXPECT_EQ(first.tag, "\4\5\6");
  EXPECT_EQ(first.verdict, GcmVerdict::kValid);
  EXPECT_EQ(vectors[1].id, 8);
  EXPECT_EQ(vectors[1].comment, "");
  EXPECT_EQ(vectors[1].associated_data, "\7");
  EXPECT_EQ(vectors[1].tag_bits, 24u);
  EXPECT_EQ(vectors[1].verdict, GcmVerdict::kInvalid);
  EXPECT_EQ(vectors[2].key_bits, 128u);
  EXPECT_EQ(vectors[2].verdict, GcmVerdict::kAcceptable);
}

TEST(GcmVectorFileTest, MayHaveNoTests) {
  EXPECT_THAT(*ParseGcmVectors(R"({"algorithm": "AES-GCM", "testGroups": []})"),
              IsEmpty());
}

TEST(GcmVectorFileTest, WhatIsNoJsonIsLocated) {
  EXPECT_THAT(ParseGcmVectors(""), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("not JSON")));
  EXPECT_THAT(ParseGcmVectors("{\n  \"algorithm\": AES\n}"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("not JSON"), HasSubstr("line 2"))));
  EXPECT_THAT(ParseGcmVectors(std::string(kFile) + "x"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(GcmVectorFileTest, JsonOfSomethingElseIsRefused) {
  for (const char* text :
       {"1", "null", "[]", "{}", R"({"algorithm": "AES-GCM"})",
        R"({"testGroups": []})",
        R"({"algorithm": "AES-GCM", "testGroups": {}})",
        R"({"algorithm": "AES-GCM", "testGroups": [1]})"}) {
    EXPECT_THAT(ParseGcmVectors(text),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << text;
  }
  EXPECT_THAT(With("AES-GCM", "AES-GCM-SIV"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("algorithm: must be AES-GCM")));
}

TEST(GcmVectorFileTest, TheCountMustBeRight) {
  EXPECT_THAT(With("\"numberOfTests\": 3", "\"numberOfTests\": 4"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("numberOfTests: there are 3")));
}

TEST(GcmVectorFileTest, EveryMemberIsCheckedAndLocated) {
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kChanges[] = {
      {"\"keySize\": 16", "\"keySize\": -16", "testGroups[0].keySize"},
      {"\"ivSize\": 96", "\"ivSize\": \"96\"", "testGroups[2].ivSize"},
      {"\"tagSize\": 128", "\"tagsize\": 128", "testGroups[2].tagSize"},
      {"\"tests\": []", "\"tests\": 1", "testGroups[1].tests"},
      {"\"tcId\": 9", "\"tcId\": 0.5", "testGroups[2].tests[0].tcId"},
      {"\"comment\": \"first\"", "\"comment\": 1", "tests[0].comment"},
      {"\"key\": \"0001\"", "\"key\": \"001\"", "tests[0].key"},
      {"\"iv\": \"02\"", "\"iv\": \"0g\"", "tests[0].iv"},
      {"\"aad\": \"07\"", "\"aad\": null", "testGroups[0].tests[1].aad"},
      {"\"msg\": \"0aFF\"", "\"msg\": 10", "tests[0].msg"},
      {"\"ct\": \"03\"", "\"Ct\": \"03\"", "tests[0].ct"},
      {"\"tag\": \"040506\"", "\"tag\": []", "tests[0].tag"},
      {"\"acceptable\"", "\"fine\"", "testGroups[2].tests[0].result"},
  };
  for (const auto& change : kChanges) {
    EXPECT_THAT(
        With(change.from, change.to),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(change.message)))
        << change.to;
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
