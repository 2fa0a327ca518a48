// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/sharding_db.h"

#include <utility>

#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/shard_router.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/status.h"

namespace shardingdb {

namespace {

absl::Status NotEncrypted() {
  return absl::FailedPreconditionError(
      "the values of this database are not encrypted: it was built without "
      "WithEncryption");
}

}  // namespace

absl::StatusOr<std::unique_ptr<ShardingDb>> ShardingDb::Open(
    const leveldb::Options& options, const std::vector<std::string>& paths) {
  return ShardingDbBuilder().WithDbPaths(paths).WithOptions(options).Build();
}

absl::StatusOr<std::unique_ptr<ShardingDb>> ShardingDb::OpenReadOnly(
    const leveldb::Options& options, const std::vector<std::string>& paths) {
  return ShardingDbBuilder()
      .WithDbPaths(paths)
      .WithOptions(options)
      .WithReadOnly()
      .Build();
}

leveldb::Status ShardingDb::Open(const leveldb::Options& options,
                                 const std::vector<std::string>& paths,
                                 leveldb::DB** db) {
  if (db == nullptr)
    return leveldb::Status::InvalidArgument(
        "the place for the database is null");
  *db = nullptr;
  absl::StatusOr<std::unique_ptr<ShardingDb>> opened = Open(options, paths);
  if (!opened.ok()) return ToLevelDbStatus(opened.status());
  *db = opened->release();
  return leveldb::Status::OK();
}

ShardingDb::ShardingDb(Layers layers, ShardingFuncPtr sharding_func,
                       std::shared_ptr<leveldb::Logger> logger)
    : logger_(std::move(logger)),
      top_(std::move(layers.top)),
      encrypted_(layers.encrypted),
      router_(layers.router),
      opened_read_only_(layers.read_only),
      shard_count_(router_->shard_count()),
      sharding_func_(std::move(sharding_func)) {}

ShardingDb::~ShardingDb() = default;

absl::StatusOr<RekeyProgress> ShardingDb::Rekey(const RekeyOptions& options) {
  if (encrypted_ == nullptr) return NotEncrypted();
  encrypted_->AwaitWrites();
  return RekeyShards(router_, encrypted_->aead(), options);
}

absl::Status ShardingDb::CheckKeyUnused(uint32_t key_id) {
  if (encrypted_ == nullptr) return NotEncrypted();
  encrypted_->AwaitWrites();
  return CheckKeyUnusedInShards(router_, encrypted_->aead(), key_id);
}

leveldb::Status ShardingDb::Put(const leveldb::WriteOptions& options,
                                const leveldb::Slice& key,
                                const leveldb::Slice& value) {
  return top_->Put(options, key, value);
}

leveldb::Status ShardingDb::Delete(const leveldb::WriteOptions& options,
                                   const leveldb::Slice& key) {
  return top_->Delete(options, key);
}

leveldb::Status ShardingDb::Write(const leveldb::WriteOptions& options,
                                  leveldb::WriteBatch* updates) {
  return top_->Write(options, updates);
}

leveldb::Status ShardingDb::Get(const leveldb::ReadOptions& options,
                                const leveldb::Slice& key, std::string* value) {
  return top_->Get(options, key, value);
}

leveldb::Iterator* ShardingDb::NewIterator(
    const leveldb::ReadOptions& options) {
  return top_->NewIterator(options);
}

const leveldb::Snapshot* ShardingDb::GetSnapshot() {
  return top_->GetSnapshot();
}

void ShardingDb::ReleaseSnapshot(const leveldb::Snapshot* snapshot) {
  top_->ReleaseSnapshot(snapshot);
}

bool ShardingDb::GetProperty(const leveldb::Slice& property,
                             std::string* value) {
  return top_->GetProperty(property, value);
}

void ShardingDb::GetApproximateSizes(const leveldb::Range* range, int n,
                                     uint64_t* sizes) {
  top_->GetApproximateSizes(range, n, sizes);
}

void ShardingDb::CompactRange(const leveldb::Slice* begin,
                              const leveldb::Slice* end) {
  top_->CompactRange(begin, end);
}

leveldb::Status ShardingDb::Has(const leveldb::ReadOptions& options,
                                const leveldb::Slice& key, bool* found) {
  return top_->Has(options, key, found);
}

std::vector<leveldb::Status> ShardingDb::MultiGet(
    const leveldb::ReadOptions& options, absl::Span<const leveldb::Slice> keys,
    std::vector<std::string>* values) {
  return top_->MultiGet(options, keys, values);
}

std::unique_ptr<leveldb::Iterator> ShardingDb::NewRangeIterator(
    const leveldb::ReadOptions& options, const leveldb::Range& range) {
  return top_->NewRangeIterator(options, range);
}

DbStats ShardingDb::GetStats() { return top_->GetStats(); }

leveldb::Status ShardingDb::SetReadOnly(bool read_only) {
  if (opened_read_only_ && !read_only) {
    return leveldb::Status::NotSupported(
        "the database has been opened to read only");
  }
  return top_->SetReadOnly(read_only);
}

leveldb::Status ShardingDb::Close() {
  const leveldb::Status status = top_->Close();
  if (logger_ != nullptr)
    leveldb::Log(logger_.get(), "shardingdb: close: %s",
                 status.ToString().c_str());
  return status;
}

const leveldb::Comparator* ShardingDb::comparator() const {
  return top_->comparator();
}

}  // namespace shardingdb
