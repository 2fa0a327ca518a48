// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

TEST(KeyRingFileThreadsTest, RotateWhileOthersSealOpenListAndReload) {
  constexpr int kThreads = 2;
  constexpr int kRotations = 20;
  const TempDir dir;
  const std::string path = dir.Join("KEYRING");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KekProvider> kek,
                       NewRawKek(SecretBytes(std::string(32, 'k'))));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Create(path, *kek));
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i < kThreads; ++i) {
    users.emplace_back([&] {
      while (!stop.load()) {
        std::string sealed;
        std::string text;
        EXPECT_OK(file->ring()->Seal("value", "", &sealed));
        EXPECT_OK(file->ring()->Open(sealed, "", &text));
        EXPECT_EQ(text, "value");
        EXPECT_FALSE(file->List().empty());
        EXPECT_OK(file->Reload());
      }
    });
  }
  std::vector<std::thread> changers;
  for (int i = 0; i < kThreads; ++i) {
    changers.emplace_back([&] {
      for (int j = 0; j < kRotations; ++j) {
        const absl::StatusOr<uint32_t> id = file->RotateDataKey();
        EXPECT_OK(id);
      }
    });
  }
  for (std::thread& changer : changers) changer.join();
  stop.store(true);
  for (std::thread& user : users) user.join();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyRingFile> opened,
                       KeyRingFile::Open(path, *kek));
  EXPECT_EQ(opened->List().size(), size_t{1 + kThreads * kRotations});
  EXPECT_EQ(opened->ring()->primary_id(), file->ring()->primary_id());
}

}  // namespace
}  // namespace shardingdb
