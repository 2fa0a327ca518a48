// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/rekey.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "crypto/aead.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "leveldb/write_batch.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/model_db.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int kShards = 3;

std::string Key(int i) { return absl::StrCat("key-", i); }

class RekeyTest : public ::testing::Test {
 protected:
  RekeyTest() {
    auto kek = NewRawKek(SecretBytes(std::string(32, 'k')));
    EXPECT_OK(kek.status());
    auto file = KeyRingFile::Create(dir_.Join("KEYRING"), **kek);
    EXPECT_OK(file.status());
    file_ = *std::move(file);
    for (int i = 0; i < kShards; ++i)
      paths_.push_back(dir_.Join(absl::StrCat("shard", i)));
    Open();
  }

  void Open() {
    db_.reset();
    auto db = ShardingDbBuilder()
                  .WithDbPaths(paths_)
                  .WithEncryption(file_->ring())
                  .Build();
    ASSERT_OK(db.status());
    db_ = *std::move(db);
  }

  void Put(int from, int to, const std::string& value) {
    for (int i = from; i < to; ++i)
      ASSERT_OK(db_->Put(leveldb::WriteOptions(), Key(i), value));
  }

  std::string Get(const std::string& key) {
    std::string value;
    const leveldb::Status status =
        db_->Get(leveldb::ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  uint32_t Rotate() {
    const auto id = file_->RotateDataKey();
    EXPECT_OK(id.status());
    return id.value_or(0);
  }

  absl::Status Drop(uint32_t id) {
    return file_->Drop(id, [&] { return db_->CheckKeyUnused(id); });
  }

  const TempDir dir_;
  std::vector<std::string> paths_;
  std::unique_ptr<KeyRingFile> file_;
  std::unique_ptr<ShardingDb> db_;
};

TEST_F(RekeyTest, AnOldKeyGoesOnceNothingNeedsIt) {
  const uint32_t first = file_->ring()->primary_id();
  Put(0, 1000, "old");
  const uint32_t second = Rotate();
  Put(900, 1100, "new");

  // 900 values need it still.
  const absl::Status needed = Drop(first);
  EXPECT_EQ(needed.code(), absl::StatusCode::kFailedPrecondition) << needed;
  EXPECT_THAT(std::string(needed.message()),
              AllOf(HasSubstr("KEYRING: key id "), HasSubstr("is not dropped"),
                    HasSubstr("shard "), HasSubstr("is sealed with it")));
  EXPECT_EQ(Get(Key(0)), "old");

  uint64_t reports = 0;
  RekeyOptions options;
  options.on_progress = [&](const RekeyProgress& progress) {
    ++reports;
    EXPECT_LE(progress.resealed, progress.entries);
    EXPECT_EQ(progress.shard_count, kShards);
  };
  const auto done = db_->Rekey(options);
  ASSERT_OK(done.status());
  EXPECT_EQ(done->entries, 1100u);
  EXPECT_EQ(done->resealed, 900u);
  EXPECT_GT(done->bytes, 900u * 46);
  EXPECT_GE(reports, 4u);  // some batches of 256, and the end
  const auto again = db_->Rekey();
  ASSERT_OK(again.status());
  EXPECT_EQ(again->entries, 1100u);
  EXPECT_EQ(again->resealed, 0u);

  EXPECT_OK(Drop(first));
  EXPECT_EQ(Drop(second).code(), absl::StatusCode::kFailedPrecondition);
  for (int i = 0; i < 1100; ++i) {
    ASSERT_EQ(Get(Key(i)), i < 900 ? "old" : "new") << i;
  }
  Open();
  for (int i = 0; i < 1100; ++i) {
    ASSERT_EQ(Get(Key(i)), i < 900 ? "old" : "new") << i;
  }
}

TEST_F(RekeyTest, KeepsCompressionAndEmptyValues) {
  const std::string text(10000, 'c');
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "long", text));
  ASSERT_OK(db_->Put(leveldb::WriteOptions(), "empty", ""));
  Rotate();
  const auto done = db_->Rekey();
  ASSERT_OK(done.status());
  EXPECT_EQ(done->resealed, 2u);
  EXPECT_LT(done->bytes, 2000u);  // compressed again
  EXPECT_EQ(Get("long"), text);
  EXPECT_EQ(Get("empty"), "");
}

// A value that was written since it was read must not come back.
TEST_F(RekeyTest, WritersWinAlways) {
  constexpr int kKeys = 300;
  constexpr int kWriters = 4;
  for (int round = 0; round < 2; ++round) {
    Put(0, kKeys, "before");
    Rotate();
    std::atomic<bool> stop{false};
    std::vector<std::map<std::string, std::string>> last(kWriters);
    std::vector<std::thread> writers;
    for (int w = 0; w < kWriters; ++w) {
      writers.emplace_back([&, w] {
        for (int n = 0; !stop.load(); ++n) {
          // Keys of its own; every third of them is deleted.
          const int i = (n * kWriters + w) % kKeys;
          const std::string key = Key(i);
          const std::string value =
              n % 3 == 0 ? "" : absl::StrCat("w", w, "-", n);
          leveldb::WriteBatch batch;
          if (n % 3 == 0) {
            batch.Delete(key);
          } else {
            batch.Put(key, value);
          }
          ASSERT_OK(db_->Write(leveldb::WriteOptions(), &batch));
          last[w][key] = value;
        }
      });
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_OK(db_->Rekey().status());
      Rotate();
    }
    const uint32_t primary = Rotate();
    EXPECT_OK(db_->Rekey().status());
    // Nothing that the writers seal meanwhile is under another key.
    for (const StoredKeyInfo& key : file_->List()) {
      if (key.id != primary && key.state != KeyState::kDropped) {
        EXPECT_OK(Drop(key.id));
      }
    }
    stop.store(true);
    for (std::thread& writer : writers) writer.join();
    for (const auto& of_writer : last) {
      for (const auto& [key, value] : of_writer) {
        const std::string found = Get(key);
        if (value.empty()) {
          EXPECT_THAT(found, HasSubstr("NotFound")) << key;
        } else {
          EXPECT_EQ(found, value) << key;
        }
      }
    }
  }
}

// A KeyRing that calls back when it has sealed or opened.
class WatchedAead final : public Aead {
 public:
  explicit WatchedAead(std::shared_ptr<const KeyRing> ring)
      : ring_(std::move(ring)) {}

  absl::Status Seal(absl::string_view plaintext,
                    absl::string_view associated_data,
                    std::string* sealed) const override {
    const absl::Status status = ring_->Seal(plaintext, associated_data, sealed);
    if (sealed_hook != nullptr) sealed_hook(plaintext);
    return status;
  }
  absl::Status Open(absl::string_view sealed, absl::string_view associated_data,
                    std::string* plaintext) const override {
    const absl::Status status = ring_->Open(sealed, associated_data, plaintext);
    if (opened_hook != nullptr) opened_hook(*plaintext);
    return status;
  }
  bool NeedsReseal(absl::string_view sealed) const override {
    return ring_->NeedsReseal(sealed);
  }

  std::function<void(absl::string_view plaintext)> sealed_hook;
  std::function<void(absl::string_view plaintext)> opened_hook;

 private:
  const std::shared_ptr<const KeyRing> ring_;
};

std::unique_ptr<ShardingDb> BuildWith(std::shared_ptr<const Aead> aead) {
  auto db = ShardingDbBuilder()
                .WithDbHandles(ModelShards(2))
                .WithEncryption(std::move(aead))
                .Build();
  EXPECT_OK(db.status());
  return *std::move(db);
}

// Between reading a value and replacing it.
TEST_F(RekeyTest, WhatIsWrittenBetweenReadingAndReplacingStays) {
  const auto aead = std::make_shared<WatchedAead>(file_->ring());
  const std::unique_ptr<ShardingDb> db = BuildWith(aead);
  const leveldb::WriteOptions write;
  ASSERT_OK(db->Put(write, "changed", "change me"));
  ASSERT_OK(db->Put(write, "deleted", "delete me"));
  ASSERT_OK(db->Put(write, "kept", "keep me"));
  Rotate();
  aead->opened_hook = [&](absl::string_view plaintext) {
    if (plaintext == "change me") {
      EXPECT_OK(db->Put(write, "changed", "after"));
    }
    if (plaintext == "delete me") {
      EXPECT_OK(db->Delete(write, "deleted"));
    }
  };
  const auto done = db->Rekey();
  aead->opened_hook = nullptr;
  ASSERT_OK(done.status());
  EXPECT_EQ(done->entries, 3u);
  EXPECT_EQ(done->resealed, 1u);
  std::string value;
  ASSERT_OK(db->Get(leveldb::ReadOptions(), "changed", &value));
  EXPECT_EQ(value, "after");
  EXPECT_TRUE(db->Get(leveldb::ReadOptions(), "deleted", &value).IsNotFound());
  ASSERT_OK(db->Get(leveldb::ReadOptions(), "kept", &value));
  EXPECT_EQ(value, "keep me");
}

// A value that was sealed before the rotation and is written after it.
TEST_F(RekeyTest, WaitsForWritesThatUseTheFormerKey) {
  const uint32_t former = file_->ring()->primary_id();
  const auto aead = std::make_shared<WatchedAead>(file_->ring());
  const std::unique_ptr<ShardingDb> db = BuildWith(aead);
  absl::Notification sealed;
  absl::Notification go_on;
  aead->sealed_hook = [&](absl::string_view plaintext) {
    if (plaintext != "late" || sealed.HasBeenNotified()) return;
    sealed.Notify();
    go_on.WaitForNotification();
  };
  std::thread writer(
      [&] { EXPECT_OK(db->Put(leveldb::WriteOptions(), "key", "late")); });
  sealed.WaitForNotification();
  Rotate();
  absl::Notification done;
  std::thread rekeying([&] {
    EXPECT_OK(db->Rekey().status());
    done.Notify();
  });
  // Long enough for one that does not wait.
  EXPECT_FALSE(done.WaitForNotificationWithTimeout(absl::Milliseconds(200)));
  go_on.Notify();
  writer.join();
  rekeying.join();
  aead->sealed_hook = nullptr;
  EXPECT_OK(db->CheckKeyUnused(former));
}

TEST_F(RekeyTest, StopsAndGoesOn) {
  Put(0, 2000, std::string(100, 'v'));
  Rotate();
  std::atomic<bool> stop{false};
  RekeyOptions options;
  options.stop = &stop;
  uint64_t resealed = 0;
  options.on_progress = [&](const RekeyProgress& progress) {
    resealed = progress.resealed;
    stop.store(true);
  };
  EXPECT_EQ(db_->Rekey(options).status().code(), absl::StatusCode::kCancelled);
  EXPECT_GT(resealed, 0u);
  EXPECT_LT(resealed, 2000u);
  Open();
  const auto rest = db_->Rekey();
  ASSERT_OK(rest.status());
  EXPECT_EQ(rest->resealed, 2000u - resealed);
}

// The rate is kept by waiting, which a stop ends.
TEST_F(RekeyTest, ARateHoldsItBack) {
  Put(0, 2000, std::string(100, 'v'));
  Rotate();
  std::atomic<bool> stop{false};
  RekeyOptions options;
  options.stop = &stop;
  options.bytes_per_second = 1;
  std::atomic<int> reports{0};
  options.on_progress = [&](const RekeyProgress&) { ++reports; };
  std::thread rekeying([&] {
    EXPECT_EQ(db_->Rekey(options).status().code(),
              absl::StatusCode::kCancelled);
  });
  while (reports.load() == 0) std::this_thread::yield();
  stop.store(true);
  rekeying.join();
  EXPECT_EQ(reports.load(), 1);
}

TEST_F(RekeyTest, ADamagedValueEndsItWithItsShardAndKey) {
  Put(0, 10, "value");
  db_.reset();
  for (const std::string& path : paths_) {
    auto shard = OpenLevelDb(path, ShardOptions());
    ASSERT_OK(shard.status());
    std::string sealed;
    if (!(*shard)->Get(leveldb::ReadOptions(), Key(7), &sealed).ok()) continue;
    sealed.back() = static_cast<char>(sealed.back() ^ 1);
    ASSERT_OK((*shard)->Put(leveldb::WriteOptions(), Key(7), sealed));
  }
  Open();
  Rotate();
  const absl::Status status = db_->Rekey().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("shard "), HasSubstr("0x6b65792d37"),
                    HasSubstr("authentication failed")));
  EXPECT_THAT(Get(Key(7)),
              AllOf(HasSubstr("Corruption: shard "), HasSubstr("0x6b65792d37"),
                    HasSubstr("authentication failed")));
}

TEST_F(RekeyTest, ReadOnlyDatabasesAreNotChanged) {
  Put(0, 10, "value");
  Rotate();
  ASSERT_OK(db_->SetReadOnly(true));
  const absl::Status status = db_->Rekey().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  ASSERT_OK(db_->SetReadOnly(false));
  const auto done = db_->Rekey();
  ASSERT_OK(done.status());
  EXPECT_EQ(done->resealed, 10u);
}

TEST_F(RekeyTest, PlainDatabasesHaveNoKeys) {
  auto plain = ShardingDbBuilder().WithDbHandles(ModelShards(2)).Build();
  ASSERT_OK(plain.status());
  EXPECT_EQ((*plain)->Rekey().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ((*plain)->CheckKeyUnused(1).code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace shardingdb
