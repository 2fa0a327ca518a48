// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A power loss after a key has been dropped brings back no value that needs it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "crypto/secret_bytes.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

constexpr int kEntries = 300;

std::string Key(int i) { return absl::StrCat("key-", i); }

TEST(RekeyDurableTest, WhatReplacesTheLastValuesOfADroppedKeyIsDurable) {
  const TempDir dir;
  PowerLossEnv env(leveldb::Env::Default(), dir.Join("trash"));
  auto kek = NewRawKek(SecretBytes(std::string(32, 'k')));
  ASSERT_OK(kek.status());
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<KeyRingFile> file,
                       KeyRingFile::Create(dir.Join("KEYRING"), **kek));
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = &env;
  const auto open = [&] {
    return ShardingDbBuilder()
        .WithDbPaths({dir.Join("a"), dir.Join("b"), dir.Join("c")})
        .WithOptions(options)
        .WithEncryption(file->ring())
        .Build();
  };
  const auto put_all = [](ShardingDb* db, const std::string& value) {
    for (int i = 0; i < kEntries; ++i)
      ASSERT_OK(db->Put(leveldb::WriteOptions(), Key(i), value));
  };

  const uint32_t old_key = file->ring()->primary_id();
  {
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, open());
    put_all(db.get(), "old");
    leveldb::WriteOptions sync;
    sync.sync = true;
    leveldb::WriteBatch nothing;
    ASSERT_OK(db->Write(sync, &nothing));

    ASSERT_OK(file->RotateDataKey().status());
    put_all(db.get(), "new");  // not synced
    ASSERT_OK(file->Drop(old_key, [&] { return db->CheckKeyUnused(old_key); }));
    env.CutPower();
  }
  ASSERT_OK(env.RestorePower({PowerLoss::Unsynced::kLost}));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, open());
  std::string value;
  for (int i = 0; i < kEntries; ++i) {
    ASSERT_OK(db->Get(leveldb::ReadOptions(), Key(i), &value));
    EXPECT_EQ(value, "new");
  }
}

}  // namespace
}  // namespace shardingdb
