// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_BATCH_WRITER_H_
#define SHARDINGDB_RESHARD_BATCH_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace shardingdb {

// Writes entries into one database in large batches, from a thread of its own,
// or, where the system has none left, from the one that puts.
//
// After a failed write it writes nothing more into that database: LevelDB would
// append behind the torn record in its log, and lose the log when it is opened
// again.
//
// For one thread. Nothing is durable before SyncToDisk. What its own thread
// throws (where memory ends, say) counts as a failed write, and the next Put
// that has a full batch, or Finish, throws it.
class BatchWriter {
 public:
  struct Options {
    // Of keys and values in one batch; one batch is filled while another is
    // written.
    size_t batch_bytes = size_t{1} << 20;

    // Called after each batch that was written, from the thread that writes;
    // may be null.
    std::function<void()> on_batch;

    // Called before each batch that is written, with its size, from the same
    // thread; may wait, and may be null.
    std::function<void(size_t bytes)> before_batch;
  };

  // `db` must outlive the writer.
  BatchWriter(leveldb::DB* db, Options options);
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;
  // Without Finish, the last entries may or may not be written.
  ~BatchWriter();

  // Takes a copy. The first error of any batch before, if there was one; then
  // this entry will not be written.
  [[nodiscard]] leveldb::Status Put(const leveldb::Slice& key,
                                    const leveldb::Slice& value);

  // Writes what is left and waits for it. The first error of any batch.
  [[nodiscard]] leveldb::Status Finish();

 private:
  void WriteAll();
  // Unless a write before has failed.
  void Write(leveldb::WriteBatch* batch);
  // Waits for a batch to write; null if there will be none.
  std::unique_ptr<leveldb::WriteBatch> TakeBatch();
  [[nodiscard]] leveldb::Status HandOver(bool last);

  leveldb::DB* const db_;
  const Options options_;

  // Of the thread that puts.
  std::unique_ptr<leveldb::WriteBatch> filling_;
  size_t filled_bytes_ = 0;

  absl::Mutex mutex_;
  std::unique_ptr<leveldb::WriteBatch> full_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;  // what was taken
  bool last_ ABSL_GUARDED_BY(mutex_) = false;
  leveldb::Status status_ ABSL_GUARDED_BY(mutex_);
  std::exception_ptr thrown_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_BATCH_WRITER_H_
