// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The key ring used by many threads, and on both sides of a fork.

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/aead.h"
#include "crypto/key_ring.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"

namespace shardingdb {
namespace {

DataKey NewDataKey(uint32_t id, char byte) {
  DataKey key;
  key.id = id;
  key.key = SecretBytes(std::string(32, byte));
  return key;
}

// Keys 1, 2, 3; 2 is the primary.
std::shared_ptr<KeyRing> NewRing() {
  std::vector<DataKey> keys;
  for (uint32_t id = 1; id <= 3; ++id) {
    keys.push_back(NewDataKey(id, static_cast<char>('a' + id)));
  }
  absl::StatusOr<std::shared_ptr<KeyRing>> ring =
      KeyRing::FromKeys(std::move(keys), 2);
  EXPECT_TRUE(ring.ok()) << ring.status();
  return *std::move(ring);
}

std::string Seal(const Aead& aead, absl::string_view plaintext) {
  std::string sealed;
  const absl::Status status = aead.Seal(plaintext, "key", &sealed);
  EXPECT_TRUE(status.ok()) << status;
  return sealed;
}

absl::StatusOr<std::string> Open(const Aead& aead, absl::string_view sealed) {
  std::string plaintext;
  absl::Status status = aead.Open(sealed, "key", &plaintext);
  if (!status.ok()) return status;
  return plaintext;
}

TEST(KeyRingThreadsTest, ThreadsSealAndOpenWhileKeysChange) {
  const std::shared_ptr<KeyRing> ring = NewRing();
  constexpr int kThreads = 8;
  constexpr int kSeals = 3000;
  std::vector<std::vector<std::string>> nonces(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<std::string>& mine : nonces) {
    threads.emplace_back([&ring, &mine] {
      for (int i = 0; i < kSeals; ++i) {
        const std::string value = std::to_string(i);
        const std::string sealed = Seal(*ring, value);
        mine.push_back(sealed.substr(6, 24));
        absl::StatusOr<std::string> opened = Open(*ring, sealed);
        ASSERT_TRUE(opened.ok()) << opened.status();
        ASSERT_EQ(*opened, value);
      }
    });
  }
  for (uint32_t id = 100; id < 300; ++id) {
    ASSERT_TRUE(ring->AddKey(NewDataKey(id, static_cast<char>(id))).ok());
    ASSERT_TRUE(ring->SetPrimary(id).ok());
    ASSERT_TRUE(ring->Disable(3).ok());
    ASSERT_TRUE(ring->Enable(3).ok());
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const std::vector<std::string>& mine : nonces) {
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), kThreads * kSeals);
}

TEST(KeyRingThreadsTest, AChildOpensWhatItsParentSealedAndSealsByItself) {
  const std::shared_ptr<KeyRing> ring = NewRing();
  const std::string sealed = Seal(*ring, "value");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::string text;
    if (!ring->Open(sealed, "key", &text).ok() || text != "value") _exit(1);
    text.clear();
    if (!ring->Seal("child", "key", &text).ok()) _exit(2);
    const bool written = write(ends[1], text.data(), text.size()) ==
                         static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 3);
  }
  close(ends[1]);
  std::string from_child(5 + KeyRing::kOverhead, '\0');
  EXPECT_EQ(read(ends[0], &from_child[0], from_child.size()),
            static_cast<ssize_t>(from_child.size()));
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(*Open(*ring, from_child), "child");
  // The first halves of the nonces.
  EXPECT_NE(from_child.substr(6, 12), sealed.substr(6, 12));
  EXPECT_EQ(Seal(*ring, "value").substr(6, 12), sealed.substr(6, 12));
}

}  // namespace
}  // namespace shardingdb
