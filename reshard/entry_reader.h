// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_ENTRY_READER_H_
#define SHARDINGDB_RESHARD_ENTRY_READER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "reshard/multiset_digest.h"
#include "reshard/progress.h"

namespace shardingdb {

// Reads all entries of one database but for its label (ShardLabel), in order
// and with checksums, ahead of whoever takes them: a thread of its own reads,
// checks, decompresses and hashes.
//
// It sees the database as it is when the reader is made, and reads from then
// on. A reader is for one thread. What its own thread throws (where memory
// ends, say) Begin or Next throws.
class EntryReader {
 public:
  struct Options {
    // How much the thread reads before it hands over; it is that much ahead.
    size_t block_bytes = size_t{256} << 10;

    // Whether to compute hash().
    bool hash = false;

    // Reading ends with an error soon after this becomes true; may be null.
    const std::atomic<bool>* stop = nullptr;

    // Told how far the reading is; may be null.
    Progress* progress = nullptr;
  };

  // `db` must outlive the reader. Where the system has no thread left, reading
  // ends at once with an IOError.
  EntryReader(leveldb::DB* db, const Options& options);
  EntryReader(const EntryReader&) = delete;
  EntryReader& operator=(const EntryReader&) = delete;
  ~EntryReader();

  // Waits for the first entry. Before anything else, once: apart from the
  // constructor, so that many readers can begin reading at the same time.
  void Begin() { TakeBlock(); }

  // False behind the last entry and after an error, which status() tells apart.
  bool Valid() const { return index_ < current_->entries.size(); }

  // REQUIRES: Valid(). What they refer to lives until the second Next from
  // here.
  leveldb::Slice key() const;
  leveldb::Slice value() const;
  // All zero without Options::hash.
  const EntryHash& hash() const { return current_->entries[index_].hash; }

  // REQUIRES: Valid().
  void Next();

  // REQUIRES: !Valid().
  leveldb::Status status() const { return status_; }

 private:
  struct Entry {
    size_t offset;
    size_t key_size;
    size_t value_size;
    EntryHash hash;
  };

  struct Block {
    std::string bytes;
    std::vector<Entry> entries;
  };

  void ReadAll(std::unique_ptr<leveldb::Iterator> iterator);
  void Finish(leveldb::Status status, std::exception_ptr thrown);
  // Waits until the block before was taken; false if nobody wants more.
  bool HandOver(std::unique_ptr<Block> block);
  void TakeBlock();

  leveldb::DB* const db_;
  const Options options_;

  // Of the taking thread.
  std::unique_ptr<Block> previous_;
  std::unique_ptr<Block> current_;
  size_t index_ = 0;
  leveldb::Status status_;

  absl::Mutex mutex_;
  std::unique_ptr<Block> ready_ ABSL_GUARDED_BY(mutex_);
  bool unwanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  leveldb::Status final_status_ ABSL_GUARDED_BY(mutex_);
  std::exception_ptr thrown_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_ENTRY_READER_H_
