// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A file that was once written opens for good.

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "crypto/file_for_test.h"
#include "crypto/golden_key_ring_for_test.h"
#include "crypto/kek.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/passphrase_kek.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using crypto_internal::ContentsOf;
using crypto_internal::CountingBytes;
using crypto_internal::kGoldenPassphrase;
using crypto_internal::kGoldenPassphraseRing;
using crypto_internal::kGoldenRawRing;
using crypto_internal::PutFile;

// The keys of the golden files.
void ExpectGoldenKeys(const KeyRingFile& file) {
  const std::vector<DataKey> keys = file.ring()->ExportKeys();
  const std::vector<StoredKeyInfo> infos = file.List();
  ASSERT_EQ(keys.size(), 3u);
  ASSERT_EQ(infos.size(), 3u);
  const struct {
    uint32_t id;
    int first;
    int64_t created;
    KeyState state;
  } kExpected[] = {{1, 1, 1700000000, KeyState::kDisabled},
                   {67305985, 0, 1750000000, KeyState::kEnabled},
                   {4294967295, 0x80, 1800000000, KeyState::kEnabled}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(keys[i].id, kExpected[i].id);
    EXPECT_EQ(keys[i].key.reveal(), CountingBytes(kExpected[i].first, 32));
    EXPECT_EQ(keys[i].state, kExpected[i].state);
    EXPECT_EQ(infos[i].id, kExpected[i].id);
    EXPECT_EQ(infos[i].state, kExpected[i].state);
    EXPECT_EQ(infos[i].created, absl::FromUnixSeconds(kExpected[i].created));
    EXPECT_EQ(infos[i].primary, i == 2);
  }
  EXPECT_EQ(file.ring()->primary_id(), 4294967295u);
}

class KeyRingFileGoldenTest : public ::testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_.Join("KEYRING");
};

TEST_F(KeyRingFileGoldenTest, RawKek) {
  PutFile(path_, kGoldenRawRing);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewRawKek(SecretBytes(CountingBytes(0xe0, 32))));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Open(path_, *kek));
  ExpectGoldenKeys(*file);
  EXPECT_EQ(ContentsOf(path_), kGoldenRawRing);
}

TEST_F(KeyRingFileGoldenTest, Passphrase) {
  PutFile(path_, kGoldenPassphraseRing);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewPassphraseKek(SecretBytes(kGoldenPassphrase)));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Open(path_, *kek));
  ExpectGoldenKeys(*file);
}

TEST_F(KeyRingFileGoldenTest, AChangeOfAGoldenFileKeepsWhatItDoesNotChange) {
  PutFile(path_, kGoldenRawRing);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewRawKek(SecretBytes(CountingBytes(0xe0, 32))));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Open(path_, *kek));
  ASSERT_OK(file->Enable(1));
  std::string expected(kGoldenRawRing);
  expected.replace(expected.find("disabled"), 8, "enabled");
  const std::string now = ContentsOf(path_);
  const size_t seal = expected.find("seal ");
  EXPECT_EQ(now.substr(0, seal), expected.substr(0, seal));
  EXPECT_NE(now, expected);
}

}  // namespace
}  // namespace shardingdb
