// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/gcm_vector_check.h"

#include <string>

#include "crypto/aes_gcm_vectors_for_test.h"
#include "crypto/any_size_gcm.h"
#include "crypto/hex_for_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Test case 16 of the specification.
GcmVector Right() {
  const AesGcmVector& known = kGcmSpecificationVectors[3];
  GcmVector vector;
  vector.key_bits = 256;
  vector.nonce_bits = 96;
  vector.tag_bits = 128;
  vector.key = FromHex(known.key);
  vector.nonce = FromHex(known.nonce);
  vector.associated_data = FromHex(known.associated_data);
  vector.plaintext = FromHex(known.plaintext);
  vector.ciphertext = FromHex(known.ciphertext);
  vector.tag = FromHex(known.tag);
  return vector;
}

// A right one of these sizes in bytes.
GcmVector RightOf(size_t key_size, size_t nonce_size, size_t tag_size) {
  GcmVector vector;
  vector.key_bits = 8 * key_size;
  vector.nonce_bits = 8 * nonce_size;
  vector.tag_bits = 8 * tag_size;
  vector.key = std::string(key_size, 'k');
  vector.nonce = std::string(nonce_size, 'n');
  vector.associated_data = "data";
  vector.plaintext = "plaintext";
  const std::string sealed =
      *AnySizeGcm::New(vector.key, vector.nonce, tag_size)
           ->Seal("data", vector.plaintext);
  vector.ciphertext = sealed.substr(0, vector.plaintext.size());
  vector.tag = sealed.substr(vector.plaintext.size());
  return vector;
}

TEST(GcmVectorCheckTest, ARightVectorPasses) {
  GcmVector vector = Right();
  EXPECT_THAT(CheckGcmVector(vector).error, IsEmpty());
  EXPECT_EQ(CheckGcmVector(vector).path, GcmPath::kAes256Gcm);
  vector.verdict = GcmVerdict::kAcceptable;
  EXPECT_THAT(CheckGcmVector(vector).error, IsEmpty());
}

TEST(GcmVectorCheckTest, OtherSizesGoThroughTheLibrary) {
  for (const GcmVector& vector :
       {RightOf(16, 12, 16), RightOf(24, 12, 16), RightOf(32, 1, 16),
        RightOf(32, 16, 16), RightOf(32, 12, 4)}) {
    const GcmVectorResult result = CheckGcmVector(vector);
    EXPECT_THAT(result.error, IsEmpty());
    EXPECT_EQ(result.path, GcmPath::kLibrary);
  }
  EXPECT_EQ(CheckGcmVector(RightOf(32, 12, 16)).path, GcmPath::kAes256Gcm);
}

TEST(GcmVectorCheckTest, AWrongVectorFails) {
  for (const GcmVector& right : {Right(), RightOf(16, 8, 12)}) {
    GcmVector wrong = right;
    wrong.tag[0] ^= 1;
    EXPECT_EQ(CheckGcmVector(wrong).error, "seals to other bytes");
    wrong = right;
    wrong.ciphertext[3] ^= 1;
    EXPECT_EQ(CheckGcmVector(wrong).error, "seals to other bytes");
    wrong = right;
    wrong.plaintext[0] ^= 1;
    EXPECT_EQ(CheckGcmVector(wrong).error, "seals to other bytes");
    wrong = right;
    wrong.nonce[0] ^= 1;
    EXPECT_EQ(CheckGcmVector(wrong).error, "seals to other bytes");
    wrong.verdict = GcmVerdict::kAcceptable;
    EXPECT_EQ(CheckGcmVector(wrong).error, "seals to other bytes");
  }
}

TEST(GcmVectorCheckTest, AnInvalidVectorMustBeRefused) {
  for (const GcmVector& right : {Right(), RightOf(16, 8, 12)}) {
    GcmVector vector = right;
    vector.verdict = GcmVerdict::kInvalid;
    EXPECT_EQ(CheckGcmVector(vector).error, "opens, and must be refused");
    vector.tag[0] ^= 1;
    EXPECT_THAT(CheckGcmVector(vector).error, IsEmpty());
  }
}

TEST(GcmVectorCheckTest, AnEmptyNonceIsRefused) {
  GcmVector vector = Right();
  vector.nonce_bits = 0;
  vector.nonce.clear();
  EXPECT_THAT(CheckGcmVector(vector).error, HasSubstr("does not seal"));
  vector.verdict = GcmVerdict::kAcceptable;
  EXPECT_THAT(CheckGcmVector(vector).error, IsEmpty());
  vector.verdict = GcmVerdict::kInvalid;
  EXPECT_THAT(CheckGcmVector(vector).error, IsEmpty());
  EXPECT_EQ(CheckGcmVector(vector).path, GcmPath::kLibrary);
}

TEST(GcmVectorCheckTest, OtherSizesThanTheGroupsFail) {
  GcmVector vector = Right();
  vector.key.pop_back();
  EXPECT_THAT(CheckGcmVector(vector).error, HasSubstr("key of 248 bits"));
  vector = Right();
  vector.nonce_bits = 88;
  EXPECT_THAT(CheckGcmVector(vector).error, HasSubstr("in a group of 88"));
  vector = Right();
  vector.tag += "x";
  EXPECT_THAT(CheckGcmVector(vector).error, HasSubstr("tag of 136 bits"));
}

}  // namespace
}  // namespace shardingdb::crypto_internal
