// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Damaged and forged key ring files: never another ring, never a crash. Random
// damage is for key_ring_file_fuzz.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/file_for_test.h"
#include "crypto/golden_key_ring_for_test.h"
#include "crypto/kek.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/right_checksum.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::CountingBytes;
using crypto_internal::kGoldenRawRing;
using crypto_internal::PutFile;
using ::testing::AllOf;
using ::testing::HasSubstr;

using KekPtr = std::unique_ptr<KekProvider>;

class KeyRingFileDamageTest : public ::testing::Test {
 protected:
  KeyRingFileDamageTest() {
    absl::StatusOr<KekPtr> kek =
        NewRawKek(SecretBytes(CountingBytes(0xe0, 32)));
    EXPECT_OK(kek);
    kek_ = *std::move(kek);
  }

  absl::Status Open(const std::string& bytes) {
    PutFile(path_, bytes);
    return KeyRingFile::Open(path_, *kek_).status();
  }

  // Says what is wrong and where, in a way that fits damage.
  void ExpectRefused(const std::string& bytes, const std::string& how) {
    const absl::Status status = Open(bytes);
    const absl::StatusCode code = status.code();
    ASSERT_TRUE(code == absl::StatusCode::kDataLoss ||
                code == absl::StatusCode::kUnimplemented ||
                code == absl::StatusCode::kPermissionDenied ||
                code == absl::StatusCode::kFailedPrecondition)
        << how << ": " << status;
    ASSERT_THAT(std::string(status.message()), HasSubstr(path_)) << how;
  }

  TempDir dir_;
  const std::string path_ = dir_.Join("KEYRING");
  const std::string golden_ = kGoldenRawRing;
  KekPtr kek_;
};

TEST_F(KeyRingFileDamageTest, EveryBitOfEveryByte) {
  ASSERT_OK(Open(golden_));
  for (size_t i = 0; i < golden_.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = golden_;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      const absl::Status status = Open(damaged);
      // A digit of the version may become that of a newer one.
      const bool version = i == golden_.find("1\n");
      ASSERT_TRUE(absl::IsDataLoss(status) ||
                  (version && absl::IsUnimplemented(status)))
          << i << " " << bit << ": " << status;
      ASSERT_THAT(std::string(status.message()), HasSubstr(path_ + ": line "));
    }
  }
}

TEST_F(KeyRingFileDamageTest, EveryByteAlsoWithARightChecksum) {
  const size_t covered = golden_.rfind("checksum ");
  for (size_t i = 0; i < covered; ++i) {
    // Most digits differ from another digit in the lowest bit.
    for (const size_t bit : {size_t{0}, 1 + i % 7}) {
      std::string forged = golden_;
      forged[i] = static_cast<char>(forged[i] ^ (1 << bit));
      ExpectRefused(WithRightChecksum(forged), absl::StrCat(i, " ", bit));
    }
  }
}

TEST_F(KeyRingFileDamageTest, EveryTruncation) {
  for (size_t size = 0; size < golden_.size(); ++size) {
    const absl::Status status = Open(golden_.substr(0, size));
    ASSERT_THAT(status, StatusIs(absl::StatusCode::kDataLoss,
                                 HasSubstr(path_ + ": line ")))
        << size;
  }
}

TEST_F(KeyRingFileDamageTest, LinesOfTwoRings) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Create(dir_.Join("other"), *kek_));
  const std::string other = crypto_internal::ContentsOf(dir_.Join("other"));
  const auto line_of = [](const std::string& text, const char* name) {
    const size_t begin = text.find(std::string("\n") + name + " ") + 1;
    return std::make_pair(begin, text.find('\n', begin) + 1 - begin);
  };
  for (const char* name : {"ring", "kek", "check", "key", "seal"}) {
    const auto [begin, size] = line_of(golden_, name);
    const auto [other_begin, other_size] = line_of(other, name);
    std::string mixed = golden_;
    mixed.replace(begin, size, other.substr(other_begin, other_size));
    ExpectRefused(mixed, name);
    ExpectRefused(WithRightChecksum(mixed), name);
  }
}

TEST_F(KeyRingFileDamageTest, WhatAnAttackerWouldChange) {
  const auto is_broken = StatusIs(
      absl::StatusCode::kDataLoss,
      AllOf(HasSubstr(path_ + ": line "), HasSubstr("the seal is broken")));
  const auto forged = [this](const std::string& from, const std::string& to) {
    std::string text = golden_;
    text.replace(text.find(from), from.size(), to);
    return WithRightChecksum(text);
  };
  // To enable a disabled key; to make people seal with an older one.
  EXPECT_THAT(Open(forged("disabled", "enabled")), is_broken);
  std::string text = forged("primary", "disabled");
  text.replace(text.find("enabled"), 7, "primary");
  EXPECT_THAT(Open(WithRightChecksum(text)), is_broken);
  EXPECT_THAT(Open(forged("1700000000", "1700000001")), is_broken);
  // To take a key away, or to put it under another id.
  text = golden_;
  text.erase(text.find("key 1 "),
             text.find("key 67305985") - text.find("key 1 "));
  EXPECT_THAT(Open(WithRightChecksum(text)), is_broken);
  EXPECT_THAT(Open(forged("key 1 ", "key 2 ")), is_broken);
}

}  // namespace
}  // namespace shardingdb
