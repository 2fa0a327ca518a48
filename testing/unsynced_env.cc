// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/unsynced_env.h"

#include <memory>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {
namespace {

using ::leveldb::Status;

class UnsyncedFile final : public leveldb::WritableFile {
 public:
  explicit UnsyncedFile(leveldb::WritableFile* base) : base_(base) {}

  Status Append(const leveldb::Slice& data) override {
    return base_->Append(data);
  }
  Status Close() override { return base_->Close(); }
  Status Flush() override { return base_->Flush(); }
  Status Sync() override { return base_->Flush(); }

 private:
  const std::unique_ptr<leveldb::WritableFile> base_;
};

class Unsynced final : public leveldb::EnvWrapper {
 public:
  Unsynced() : EnvWrapper(Env::Default()) {}

  Status NewWritableFile(const std::string& path,
                         leveldb::WritableFile** result) override {
    Status status = target()->NewWritableFile(path, result);
    if (status.ok()) *result = new UnsyncedFile(*result);
    return status;
  }
  Status NewAppendableFile(const std::string& path,
                           leveldb::WritableFile** result) override {
    Status status = target()->NewAppendableFile(path, result);
    if (status.ok()) *result = new UnsyncedFile(*result);
    return status;
  }
};

}  // namespace

leveldb::Env* UnsyncedEnv() {
  static auto* const kEnv = new Unsynced;
  return kEnv;
}

}  // namespace shardingdb
