// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A deleted key stays deleted (patch 0001).
//
// While a snapshot is held, a compaction may end one file with the deletion of
// a key and begin the next with the value before it. A later compaction that
// takes the first file and leaves the second drops the deletion, since nothing
// lies below, and the value is visible again. Where exactly a file ends depends
// on the sizes of what is in it, so each test tries a few layouts.

#include <cstdio>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/status_matchers.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

std::string Filler(char prefix, int number) {
  char name[16];
  std::snprintf(name, sizeof(name), "%c%05d", prefix, number);
  return name;
}

// A database whose second level ends one file with the deletion of key() and
// begins the next with its value, for some of the layouts.
class DeletedKey {
 public:
  DeletedKey(int fillers, int padding)
      : env_(leveldb::NewMemEnv(leveldb::Env::Default())), db_(env_.get()) {
    db_.options()->block_size = 1024;
    db_.options()->write_buffer_size = 16 << 20;
    EXPECT_OK(db_.Open());
    EXPECT_OK(db_.Put(key_, std::string(3000, 'o')));
    const leveldb::Snapshot* snapshot = db_->GetSnapshot();
    EXPECT_OK(db_->Delete(leveldb::WriteOptions(), key_));
    for (int i = 0; i < fillers; ++i) Put(Filler('a', i));
    EXPECT_OK(db_.Put("b", std::string(padding + 1, 'p')));
    for (int i = 0; i < 50; ++i) Put(Filler('z', i));
    db_->CompactRange(nullptr, nullptr);
    Put(Filler('a', 0));  // Overlap both ends, so that all is written anew.
    Put(Filler('z', 0));
    db_->CompactRange(nullptr, nullptr);
    db_->ReleaseSnapshot(snapshot);
  }

  void Put(const std::string& filler) {
    EXPECT_OK(db_.Put(filler, std::string(2048, 'f')));
  }

  // Makes a file of the first level out of what was put since the last one.
  void Flush() { Compact("~1", "~2"); }  // Nothing is in that range.

  void Compact(const std::string& from, const std::string& to) {
    const leveldb::Slice begin(from), end(to);
    db_->CompactRange(&begin, &end);
  }

  bool IsBack() {
    std::string value;
    return db_->Get(leveldb::ReadOptions(), key_, &value).ok();
  }

 private:
  const std::unique_ptr<leveldb::Env> env_;
  Database db_;
  // The deletion is large enough to end a block.
  const std::string key_ = "m" + std::string(1200, 'k');
};

// The compaction's files are chosen by its range.
TEST(DeletedKeyTest, StaysDeletedWhenItsFirstFileIsCompacted) {
  for (int fillers = 503; fillers < 508; ++fillers) {
    for (int padding = 0; padding < 2100; padding += 200) {
      DeletedKey deleted(fillers, padding);
      for (int i = 0; i < 2; ++i) {
        deleted.Put(Filler('a', 0));
        deleted.Compact(Filler('a', 0), Filler('a', 1));
      }
      EXPECT_FALSE(deleted.IsBack()) << fillers << " " << padding;
    }
  }
}

// The compaction's files are chosen anew because the upper level's can be
// extended: one more below to the left must not make up for the one that holds
// the value.
TEST(DeletedKeyTest, StaysDeletedWhenTheUpperLevelIsExtended) {
  for (int fillers = 1006; fillers < 1010; ++fillers) {
    for (int padding = 0; padding < 2100; padding += 200) {
      DeletedKey deleted(fillers, padding);
      // A file over the first two files below ...
      deleted.Put(Filler('a', 0));
      deleted.Put(Filler('a', fillers - 100));
      deleted.Flush();
      // ... and one over the second only, which alone is asked for.
      deleted.Put(Filler('a', fillers - 50));
      deleted.Put(Filler('a', fillers - 40));
      deleted.Flush();
      deleted.Compact(Filler('a', fillers - 50), Filler('a', fillers - 40));
      EXPECT_FALSE(deleted.IsBack()) << fillers << " " << padding;
    }
  }
}

}  // namespace
}  // namespace shardingdb
