// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A ring of ten thousand keys: a KEK is asked once, and a change touches one
// line.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/file_for_test.h"
#include "crypto/kek.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;

using FilePtr = std::unique_ptr<KeyRingFile>;

// Counts what it is asked.
class CountingKek final : public KekProvider {
 public:
  explicit CountingKek(std::unique_ptr<KekProvider> kek)
      : kek_(std::move(kek)) {}
  absl::StatusOr<std::string> Wrap(const SecretBytes& secret,
                                   absl::string_view context) const override {
    ++calls;
    return kek_->Wrap(secret, context);
  }
  absl::StatusOr<SecretBytes> Unwrap(absl::string_view token,
                                     absl::string_view context) const override {
    ++calls;
    return kek_->Unwrap(token, context);
  }

  mutable int calls = 0;

 private:
  const std::unique_ptr<KekProvider> kek_;
};

TEST(KeyRingFileSizeTest, TenThousandKeys) {
  constexpr uint32_t kKeys = 10000;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<KekProvider> raw,
                       NewRawKek(SecretBytes(std::string(32, 'k'))));
  const CountingKek kek(std::move(raw));
  std::vector<DataKey> keys(kKeys);
  for (uint32_t i = 0; i < kKeys; ++i) {
    keys[i].id = i + 1;
    std::string bytes(32, 'x');
    for (int j = 0; j < 4; ++j) bytes[j] = static_cast<char>(i >> (8 * j));
    keys[i].key = SecretBytes(bytes);
  }
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<KeyRing> ring,
                       KeyRing::FromKeys(std::move(keys), kKeys));
  const TempDir dir;
  const std::string path = dir.Join("KEYRING");
  ASSERT_OK_AND_ASSIGN(const FilePtr file,
                       KeyRingFile::Create(path, kek, *ring));
  EXPECT_EQ(kek.calls, 3);  // to wrap, to see that it unwraps, to open
  EXPECT_EQ(file->List().size(), kKeys);

  const std::string before = ContentsOf(path);
  ASSERT_OK_AND_ASSIGN(const uint32_t id, file->RotateDataKey());
  ASSERT_OK(file->Disable(1));
  EXPECT_EQ(kek.calls, 3);
  // The wrapping of other keys is as it was.
  const size_t line = before.find("key 5000 ");
  const size_t end = before.find("key 9000 ");
  EXPECT_EQ(
      ContentsOf(path).find(before.substr(line, end - line)),
      line + std::string("disabled").size() - std::string("enabled").size());

  ASSERT_OK(file->Rewrap(kek));
  EXPECT_EQ(kek.calls, 5);
  ASSERT_OK_AND_ASSIGN(const FilePtr opened, KeyRingFile::Open(path, kek));
  EXPECT_EQ(kek.calls, 6);
  EXPECT_EQ(opened->List().size(), kKeys + 1);
  EXPECT_EQ(opened->ring()->primary_id(), id);
  const std::vector<DataKey> exported = opened->ring()->ExportKeys();
  const std::vector<DataKey> expected = ring->ExportKeys();
  for (uint32_t i = 0; i < kKeys; ++i) {
    ASSERT_EQ(exported[i].id, expected[i].id);
    ASSERT_TRUE(exported[i].key == expected[i].key);
  }
}

}  // namespace
}  // namespace shardingdb
