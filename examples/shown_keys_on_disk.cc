// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What the user guide shows of keys on disk, so that it compiles. Nothing calls
// it.

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "crypto/kek.h"
#include "crypto/key_ring_file.h"
#include "crypto/raw_kek.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"

namespace shown {

absl::Status KeysOnDisk() {
  absl::StatusOr<std::unique_ptr<shardingdb::KekProvider>> kek =
      shardingdb::RawKekFromFile("kek");
  if (!kek.ok()) return kek.status();
  absl::StatusOr<std::unique_ptr<shardingdb::KeyRingFile>> keys =
      shardingdb::KeyRingFile::Open("KEYRING", **kek);
  if (!keys.ok()) return keys.status();
  absl::StatusOr<std::unique_ptr<shardingdb::ShardingDb>> db =
      shardingdb::ShardingDbBuilder()
          .WithDbPaths({"/data/a", "/data/b", "/data/c"})
          .WithEncryption((*keys)->ring())
          .Build();
  if (!db.ok()) return db.status();

  const uint32_t old_id = (*keys)->ring()->primary_id();
  absl::StatusOr<uint32_t> id = (*keys)->RotateDataKey();
  if (!id.ok()) return id.status();

  absl::StatusOr<shardingdb::RekeyProgress> done = (*db)->Rekey();
  if (!done.ok()) return done.status();
  absl::Status dropped =
      (*keys)->Drop(old_id, [&] { return (*db)->CheckKeyUnused(old_id); });
  return dropped;
}

void OpaqueKeys(const std::unique_ptr<shardingdb::KeyRingFile>* keys) {
  shardingdb::ShardingDbBuilder builder;
  builder.WithEncryption((*keys)->ring()).WithOpaqueKeys((*keys)->key_prf());
}

}  // namespace shown
