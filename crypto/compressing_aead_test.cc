// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/compressing_aead.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/compression.h"
#include "crypto/hex_for_test.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

using crypto_internal::FromHex;

std::shared_ptr<const KeyRing> Ring() {
  absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeyBytes(SecretBytes(std::string(32, 'k')));
  EXPECT_TRUE(ring.ok()) << ring.status();
  return *ring;
}

std::string Sealed(const Aead& aead, const std::string& value) {
  std::string sealed = "in front";
  const absl::Status status = aead.Seal(value, "key", &sealed);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(sealed.substr(0, 8), "in front");
  return sealed.substr(8);
}

class CompressingAeadTest : public ::testing::TestWithParam<Compression> {};

INSTANTIATE_TEST_SUITE_P(All, CompressingAeadTest,
                         ::testing::Values(Compression::kNone,
                                           Compression::kSnappy,
                                           Compression::kZstd));

TEST_P(CompressingAeadTest, OpensWhatItSealedInWhateverWay) {
  const std::shared_ptr<const KeyRing> ring = Ring();
  const CompressingAead aead(ring, GetParam());
  const CompressingAead snappy(ring, Compression::kSnappy);
  for (const size_t size : {0, 1, 127, 128, 1000, 100000}) {
    const std::string value(size, 'z');
    const std::string sealed = Sealed(aead, value);
    for (const Aead* reader :
         {static_cast<const Aead*>(&aead), static_cast<const Aead*>(&snappy),
          static_cast<const Aead*>(ring.get())}) {
      std::string opened = "what was here before";
      const absl::Status status = reader->Open(sealed, "key", &opened);
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(opened, value);
    }
  }
}

TEST_P(CompressingAeadTest, SealsLessWhereThatSavesSpace) {
  const CompressingAead aead(Ring(), GetParam());
  const bool compresses = GetParam() != Compression::kNone;
  EXPECT_EQ(Sealed(aead, std::string(1000, 'z')).size() < 200, compresses);
  EXPECT_EQ(Sealed(aead, std::string(127, 'z')).size(),
            127 + KeyRing::kOverhead);
  EXPECT_EQ(Sealed(aead, std::string(32, 'a') + "no run of any length").size(),
            52 + KeyRing::kOverhead);
}

TEST_P(CompressingAeadTest, EveryBitAndEveryLengthCount) {
  const CompressingAead aead(Ring(), GetParam());
  const std::string sealed = Sealed(aead, std::string(200, 'z'));
  std::string opened;
  for (size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    std::string changed = sealed;
    changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_EQ(aead.Open(changed, "key", &opened).code(),
              absl::StatusCode::kDataLoss)
        << bit;
    EXPECT_EQ(opened, "");
  }
  for (size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_EQ(aead.Open(sealed.substr(0, size), "key", &opened).code(),
              absl::StatusCode::kDataLoss);
    EXPECT_EQ(opened, "");
  }
  EXPECT_EQ(aead.Open(sealed, "another key", &opened).code(),
            absl::StatusCode::kDataLoss);
}

// What is on disks: computed with another implementation, from the golden bytes
// of compression_test.
TEST(CompressingAeadTest, GoldenBytes) {
  std::string secret;
  for (int i = 0; i < 32; ++i) secret.push_back(static_cast<char>(i));
  std::vector<DataKey> keys(1);
  keys[0].id = 0x04030201;
  keys[0].key = SecretBytes(secret);
  const absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeys(std::move(keys), 0x04030201);
  ASSERT_TRUE(ring.ok()) << ring.status();
  for (const char* golden :
       {"018101020304404142434445464748494a4b4c4d4e4f5051525354555657"
        "fec046b21ef2658338a6"
        "4504ac2a6bc884646cbec33126ee2615",
        "018201020304404142434445464748494a4b4c4d4e4f5051525354555657"
        "5674692ec073667d39c7"
        "99400992b1270b959e8088b5a7780192"}) {
    std::string opened;
    const absl::Status status =
        (*ring)->Open(FromHex(golden), "user-key", &opened);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(opened, std::string(128, 'a'));
  }
}

// Only holders of the key can seal such bytes.
TEST(CompressingAeadTest, SealedBytesThatDoNotDecompress) {
  const std::shared_ptr<const KeyRing> ring = Ring();
  std::string opened;
  std::string sealed = Sealed(*ring, "not what Snappy makes");
  ASSERT_TRUE(ring->Open(sealed, "key", &opened).ok());
  sealed[1] = static_cast<char>(0x81);
  EXPECT_EQ(ring->Open(sealed, "key", &opened).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace shardingdb
