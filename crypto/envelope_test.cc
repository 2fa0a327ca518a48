// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/envelope.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/compression.h"
#include "crypto/hex_for_test.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

using ::testing::HasSubstr;

// 00 01 02 ...
std::string CountedBytes(size_t size, int first) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) {
    bytes.push_back(static_cast<char>(first + static_cast<int>(i)));
  }
  return bytes;
}

std::unique_ptr<XaesKey> GoldenKey() {
  absl::StatusOr<std::unique_ptr<XaesKey>> key =
      XaesKey::New(SecretBytes(CountedBytes(32, 0)));
  EXPECT_TRUE(key.ok()) << key.status();
  return *std::move(key);
}

absl::StatusOr<std::string> Open(const XaesKey& key, absl::string_view user_key,
                                 absl::string_view envelope) {
  std::string plaintext(envelope.size(), '?');
  absl::Status status = OpenEnvelope(key, user_key, envelope, &plaintext[0]);
  if (!status.ok()) return status;
  plaintext.resize(envelope.size() - kEnvelopeOverhead);
  return plaintext;
}

// What is on disks. Computed with another implementation of AES-GCM and CMAC;
// the data key is 00 01 .. 1f, the nonce 40 41 .. 57.
struct GoldenEnvelope {
  uint32_t key_id;
  std::string user_key;
  std::string plaintext;
  std::string envelope;
};
const std::vector<GoldenEnvelope>& GoldenEnvelopes() {
  static const auto* envelopes = new std::vector<GoldenEnvelope>{
      {0x04030201, "user-key", "value",
       "018001020304404142434445464748494a4b4c4d4e4f5051525354555657"
       "08a02aa685"
       "7593643f8f559dec53cd2bbb812662db"},
      {0x04030201, "", "",
       "018001020304404142434445464748494a4b4c4d4e4f5051525354555657"
       "9966fbc940ea68f47854787a36425108"},
      {0xfffffffe, FromHex("000000ff"), CountedBytes(40, 0),
       "0180feffffff404142434445464748494a4b4c4d4e4f5051525354555657"
       "7ec044d0e4f6637e31af2986b237e6e12008dec4229ec059ade8447c6d104e484a4bafe"
       "9"
       "208c6def"
       "01cab179dbbca60486f6183420d6a5ed"},
      {7, std::string(300, 'k'), std::string(17, 'v'),
       "018007000000404142434445464748494a4b4c4d4e4f5051525354555657"
       "08b730a59685130f4fd055fbc84c9e9846"
       "73f0df5e86b93cb557f15c4634bc5b62"},
  };
  return *envelopes;
}

TEST(EnvelopeTest, GoldenBytes) {
  const std::unique_ptr<XaesKey> key = GoldenKey();
  for (const GoldenEnvelope& golden : GoldenEnvelopes()) {
    std::string envelope(golden.plaintext.size() + kEnvelopeOverhead, '?');
    const absl::Status status = SealEnvelopeWithNonceForTest(
        CountedBytes(32, 0), {golden.key_id}, CountedBytes(24, 0x40),
        golden.user_key, golden.plaintext, &envelope[0]);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(ToHex(envelope), golden.envelope);
    const absl::StatusOr<EnvelopeHeader> header = ReadEnvelopeHeader(envelope);
    ASSERT_TRUE(header.ok()) << header.status();
    EXPECT_EQ(header->key_id, golden.key_id);
    EXPECT_EQ(header->compression, Compression::kNone);
    absl::StatusOr<std::string> opened =
        Open(*key, golden.user_key, FromHex(golden.envelope));
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(*opened, golden.plaintext);
  }
}

TEST(EnvelopeTest, SealsLikeTheGoldenBytes) {
  const std::unique_ptr<XaesKey> key = GoldenKey();
  for (const GoldenEnvelope& golden : GoldenEnvelopes()) {
    std::string envelope(golden.plaintext.size() + kEnvelopeOverhead, '?');
    ASSERT_TRUE(SealEnvelope(*key, {golden.key_id}, golden.user_key,
                             golden.plaintext, &envelope[0])
                    .ok());
    std::string again(envelope.size(), '?');
    ASSERT_TRUE(SealEnvelopeWithNonceForTest(
                    CountedBytes(32, 0), {golden.key_id},
                    envelope.substr(kEnvelopeHeaderSize, kXaesNonceSize),
                    golden.user_key, golden.plaintext, &again[0])
                    .ok());
    EXPECT_EQ(ToHex(envelope), ToHex(again));
  }
}

struct BadHeader {
  std::string bytes;
  std::string message;
};

TEST(EnvelopeTest, EveryKindOfBadHeaderIsNamed) {
  const std::string good = FromHex(GoldenEnvelopes()[0].envelope);
  const auto with = [&good](size_t at, int byte) {
    std::string changed = good;
    changed[at] = static_cast<char>(byte);
    return changed;
  };
  const BadHeader bad_headers[] = {
      {"", "too short: 0 bytes"},
      {good.substr(0, 1), "too short: 1 bytes"},
      {good.substr(0, kEnvelopeOverhead - 1), "too short: 45 bytes"},
      {with(0, 0), "unknown version 0"},
      {with(0, 2), "unknown version 2"},
      {with(0, 255), "unknown version 255"},
      {with(0, 2).substr(0, 3), "unknown version 2"},
      {"a plain value that nobody sealed, of some length",
       "unknown version 97"},
      {with(1, 0x00), "not sealed"},
      {with(1, 0x01), "not sealed"},
      {with(1, 0x7f), "not sealed"},
      {with(1, 0x88), "unknown flags 0x88"},
      {with(1, 0x90), "unknown flags 0x90"},
      {with(1, 0xa0), "unknown flags 0xa0"},
      {with(1, 0xc1), "unknown flags 0xc1"},
      {with(1, 0x83), "unknown compression 3"},
      {with(1, 0x87), "unknown compression 7"},
  };
  for (const BadHeader& bad : bad_headers) {
    const absl::Status status = ReadEnvelopeHeader(bad.bytes).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << bad.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message));
  }
}

TEST(EnvelopeTest, TheHeaderTellsTheCompression) {
  const std::unique_ptr<XaesKey> key = GoldenKey();
  for (const Compression compression :
       {Compression::kNone, Compression::kSnappy, Compression::kZstd}) {
    std::string envelope(1 + kEnvelopeOverhead, '?');
    ASSERT_TRUE(
        SealEnvelope(*key, {9, compression}, "k", "v", &envelope[0]).ok());
    const absl::StatusOr<EnvelopeHeader> header = ReadEnvelopeHeader(envelope);
    ASSERT_TRUE(header.ok()) << header.status();
    EXPECT_EQ(header->key_id, 9U);
    EXPECT_EQ(header->compression, compression);
    EXPECT_TRUE(Open(*key, "k", envelope).ok());
    // It is authenticated.
    envelope[1] ^= 3;
    EXPECT_EQ(Open(*key, "k", envelope).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

// Also where the parser has nothing against a change, authentication has.
TEST(EnvelopeTest, TheHeaderIsAuthenticated) {
  const std::unique_ptr<XaesKey> key = GoldenKey();
  const GoldenEnvelope& golden = GoldenEnvelopes()[0];
  const std::string good = FromHex(golden.envelope);
  for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string changed = good;
    changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const absl::Status status = Open(*key, golden.user_key, changed).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << "bit " << bit;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("authentication failed"));
  }
}

TEST(EnvelopeTest, TheUserKeyIsBoundWhateverItsLength) {
  const std::unique_ptr<XaesKey> key = GoldenKey();
  // Around the length up to which no memory is allocated.
  for (size_t size : {0, 1, 239, 240, 241, 1000, 100000}) {
    const std::string user_key(size, 'u');
    std::string envelope(1 + kEnvelopeOverhead, '?');
    ASSERT_TRUE(SealEnvelope(*key, {1}, user_key, "v", &envelope[0]).ok());
    absl::StatusOr<std::string> opened = Open(*key, user_key, envelope);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(*opened, "v");
    EXPECT_EQ(Open(*key, user_key + '\0', envelope).status().code(),
              absl::StatusCode::kDataLoss);
    if (size == 0) continue;
    EXPECT_EQ(Open(*key, user_key.substr(1), envelope).status().code(),
              absl::StatusCode::kDataLoss);
    std::string other = user_key;
    other.back() ^= 1;
    EXPECT_EQ(Open(*key, other, envelope).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
