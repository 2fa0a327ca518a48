// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/databases_at_rest.h"

#include <cstddef>
#include <cstdint>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "crypto/key_ring.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "reshard/folder.h"
#include "reshard/forgotten_folder.h"
#include "reshard/labels_of_set.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/storage_error.h"
#include "reshard/union_scan.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/shard_label.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// FailedPrecondition if the set could not be opened without this key.
absl::Status CheckLabel(const std::string& folder, const leveldb::Slice& bytes,
                        uint32_t key_id) {
  const absl::StatusOr<ShardLabel> label = ParseShardLabel(View(bytes));
  if (!label.ok()) return Annotate(label.status(), folder + ": its label");
  if (KeyRing::KeyIdOf(label->key_check) != key_id) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(folder, ": the key check of its label is sealed with it"));
}

class HeldDatabases final : public crypto_internal::DatabasesAtRest {
 public:
  HeldDatabases(leveldb::Env* env, size_t count)
      : env_(env), set_(env, count) {}

  absl::Status Open(const std::vector<Folder>& folders) {
    for (size_t i = 0; i < folders.size(); ++i) {
      const absl::Status status = set_.OpenToRead(i, folders[i].path);
      if (!status.ok()) return status;
    }
    return CheckWholeSet(set_);
  }

  absl::Status CheckKeyUnused(uint32_t key_id,
                              const std::set<uint32_t>& ring_ids) override {
    for (const UnionSource& source : set_.sources()) {
      const std::unique_ptr<leveldb::Iterator> iterator(
          source.db->NewIterator(BulkReadOptions()));
      bool empty = true;
      bool of_ring = false;
      for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        if (iterator->key() == ShardLabelKey()) {
          const absl::Status status =
              CheckLabel(source.folder, iterator->value(), key_id);
          if (!status.ok()) return status;
          continue;
        }
        const uint32_t id = KeyRing::KeyIdOf(View(iterator->value()));
        empty = empty && IsReservedKey(iterator->key());
        of_ring = of_ring || ring_ids.count(id) != 0;
        if (id != key_id) continue;
        return absl::FailedPreconditionError(
            absl::StrCat(source.folder, ": key ", DescribeKey(iterator->key()),
                         ": its value is sealed with it"));
      }
      const absl::Status status =
          StorageError(env_, source.folder, iterator->status());
      if (!status.ok()) return status;
      if (!empty && !of_ring) {
        return absl::FailedPreconditionError(absl::StrCat(
            source.folder,
            ": is not a database of this ring: none of its values is sealed "
            "with a key of it"));
      }
    }
    // What was read may be in no file on the disk yet, if a program was killed:
    // a power loss must not bring back what it has replaced.
    for (const UnionSource& source : set_.sources()) {
      const absl::Status status = SyncFolderAndFiles(source.folder);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  leveldb::Env* const env_;
  OpenSet set_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<crypto_internal::DatabasesAtRest>> HoldDatabases(
    leveldb::Env* env, const std::vector<std::string>& folders) {
  if (env == nullptr) env = leveldb::Env::Default();
  const absl::StatusOr<std::vector<Folder>> found = LookAtFolders(env, folders);
  if (!found.ok()) return found.status();
  absl::Status status = CheckToRead(*found);
  if (status.ok()) status = CheckNoneForgotten(env, *found);
  auto held = std::make_unique<HeldDatabases>(env, folders.size());
  if (status.ok()) status = held->Open(*found);
  if (!status.ok()) return status;
  return held;
}

}  // namespace shardingdb
