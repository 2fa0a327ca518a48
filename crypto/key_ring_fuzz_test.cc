// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Random bytes and randomly damaged envelopes, the same ones in every run.

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

class KeyRingFuzzTest : public ::testing::Test {
 protected:
  KeyRingFuzzTest() {
    std::vector<DataKey> keys(3);
    for (uint32_t i = 0; i < keys.size(); ++i) {
      keys[i].id = i + 1;
      keys[i].key = SecretBytes(std::string(32, static_cast<char>('a' + i)));
    }
    absl::StatusOr<std::shared_ptr<KeyRing>> ring =
        KeyRing::FromKeys(std::move(keys), 2);
    EXPECT_TRUE(ring.ok()) << ring.status();
    ring_ = *std::move(ring);
  }

  size_t Below(size_t limit) { return random_() % limit; }

  std::string RandomText(size_t max_size) {
    std::string text(Below(max_size + 1), '\0');
    for (char& c : text) c = static_cast<char>(random_());
    return text;
  }

  // Nothing opens but what was sealed.
  void ExpectRefused(const std::string& sealed, const std::string& key) {
    std::string plaintext = "before";
    const absl::Status status = ring_->Open(sealed, key, &plaintext);
    ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss);
    ASSERT_TRUE(plaintext.empty());
  }

  std::mt19937 random_{20260727};
  std::shared_ptr<KeyRing> ring_;
};

TEST_F(KeyRingFuzzTest, RandomBytesNeverOpen) {
  for (int i = 0; i < 50000; ++i) ExpectRefused(RandomText(120), "key");
}

TEST_F(KeyRingFuzzTest, RandomBytesBehindARightHeaderNeverOpen) {
  for (int i = 0; i < 20000; ++i) {
    std::string sealed("\x01\x80\0\0\0\0", 6);
    sealed[2] = static_cast<char>(Below(5));
    ExpectRefused(sealed + RandomText(120), "key");
  }
}

TEST_F(KeyRingFuzzTest, DamagedEnvelopesNeverOpen) {
  for (int i = 0; i < 20000; ++i) {
    const std::string key = RandomText(40);
    const std::string plaintext = RandomText(100);
    std::string sealed;
    ASSERT_TRUE(ring_->Seal(plaintext, key, &sealed).ok());
    std::string damaged = sealed;
    for (size_t changes = 1 + Below(3); changes > 0; --changes) {
      const size_t at = Below(damaged.size() + 1);
      switch (Below(5)) {
        case 0:  // one byte
          if (at < damaged.size()) damaged[at] = static_cast<char>(random_());
          break;
        case 1:  // left out
          damaged.erase(at, 1 + Below(8));
          break;
        case 2:  // put in
          damaged.insert(at, RandomText(8));
          break;
        case 3:  // cut
          damaged.resize(at);
          break;
        case 4:  // repeated
          damaged += damaged.substr(at);
          break;
      }
    }
    std::string opened;
    if (damaged != sealed) ExpectRefused(damaged, key);
    ExpectRefused(sealed, key + "x");
    ASSERT_TRUE(ring_->Open(sealed, key, &opened).ok());
    ASSERT_EQ(opened, plaintext);
  }
}

}  // namespace
}  // namespace shardingdb
