// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_DB_HANDLE_H_
#define SHARDINGDB_DB_HANDLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace shardingdb {

// What a handle has done and holds; all numbers since it was opened. Taken
// without stopping anybody, so the numbers of one DbStats may be a few
// operations apart.
struct DbStats {
  uint64_t shards = 0;          // LevelDB databases below this handle
  uint64_t gets = 0;            // keys looked up by Get, Has and MultiGet
  uint64_t gets_found = 0;      // ... of which were found
  uint64_t puts = 0;            // entries put, in batches too
  uint64_t deletes = 0;         // entries deleted, in batches too
  uint64_t bytes_written = 0;   // key and value bytes of puts and deletes
  uint64_t bytes_read = 0;      // value bytes of gets_found
  uint64_t open_iterators = 0;  // iterators not yet deleted
  uint64_t open_snapshots = 0;  // snapshots not yet released
  uint64_t memory_bytes = 0;    // memtable_bytes and block_cache_bytes

  // Memory for what is written and not in a table file yet.
  uint64_t memtable_bytes = 0;

  // The block cache, which shards may share: whoever adds stats up counts equal
  // `block_cache`s, of which this is the address, once. Null, and no bytes,
  // where there is none or several; unknown ones are in memtable_bytes.
  const void* block_cache = nullptr;
  uint64_t block_cache_bytes = 0;

  bool read_only = false;
};

// A key-value store that is a `leveldb::DB` and offers what that interface
// lacks.
//
// Everything `leveldb/db.h` says of DB holds for every DbHandle: whole batches,
// one order of writes that all readers agree on, iterators and snapshots that
// see one point in time. The conformance suite in //testing holds each
// implementation to it.
//
// Decorators derive from DbHandle itself, never from a forwarding base: a
// method that is added here must not compile until every layer has answered it.
//
// Keys and values are any bytes, the empty string included. Arguments are
// copied before a call returns.
//
// Thread safety: every method but Close and the destructor may be called from
// any thread at any time. Close and the destructor need every other call to
// have returned. An iterator is for one thread at a time.
//
// Lifetime: iterators and snapshots must be gone before the handle is. Close
// says so and stays open; the destructor asserts it in debug builds, and in
// release builds keeps the database alive until the last iterator is deleted.
//
// value() of an iterator may find that the value does not open: it then returns
// an empty slice, Valid() is false from then on, and status() says why. So
// check Valid() after value(), before using what it returned.
//
// Errors (leveldb::Status):
//   NotFound         the key is not there; nothing else is ever called that
//   Corruption       bytes on disk are not what was written, or a value does
//                    not open; nothing was changed
//   IOError          the operating system or the disk refused; after a failed
//                    write the entry may or may not be there once the database
//                    is opened again. Also every call after Close ("closed")
//   InvalidArgument  the call itself is wrong (a null pointer, a snapshot of
//                    another database); nothing was changed
//   NotSupported     a write to a read-only handle; nothing was changed
class DbHandle : public leveldb::DB {
 public:
  DbHandle() = default;
  DbHandle(const DbHandle&) = delete;
  DbHandle& operator=(const DbHandle&) = delete;
  ~DbHandle() override = default;

  // Sets *found to whether `key` has a value: false after any error. OK also
  // when it has none.
  [[nodiscard]] virtual leveldb::Status Has(const leveldb::ReadOptions& options,
                                            const leveldb::Slice& key,
                                            bool* found) = 0;

  // Looks all `keys` up at one point in time (that of options.snapshot where
  // set). Element i of the result and of *values belongs to keys[i]; the value
  // of a key without an OK status is empty. `values` is resized; it must not be
  // null. Keys may repeat, and may point into what `*values` holds before.
  [[nodiscard]] virtual std::vector<leveldb::Status> MultiGet(
      const leveldb::ReadOptions& options,
      absl::Span<const leveldb::Slice> keys,
      std::vector<std::string>* values) = 0;

  // Returns an iterator over the entries with range.start <= key < range.limit,
  // in the order of comparator(). It never leaves that range: SeekToFirst and
  // SeekToLast go to its ends, Seek of a key before it goes to its first entry,
  // Seek of a key behind it makes it invalid. An empty start or limit leaves
  // that side open. The range is copied. Never null.
  [[nodiscard]] virtual std::unique_ptr<leveldb::Iterator> NewRangeIterator(
      const leveldb::ReadOptions& options, const leveldb::Range& range) = 0;

  virtual DbStats GetStats() = 0;

  // Refuses (true) or accepts (false) writes from now on. When
  // SetReadOnly(true) returns, every write has either been applied or been
  // refused. Reads, and LevelDB's own compactions, go on. Not remembered on
  // disk.
  [[nodiscard]] virtual leveldb::Status SetReadOnly(bool read_only) = 0;

  // Waits for what runs in the background and closes the database.
  // InvalidArgument, and nothing changes, while iterators or snapshots are
  // open. Afterwards every call fails with IOError; Close again is OK. The
  // destructor closes as well, but has no way to report.
  [[nodiscard]] virtual leveldb::Status Close() = 0;

  // The order of keys. Lives at least as long as the handle.
  virtual const leveldb::Comparator* comparator() const = 0;
};

// A snapshot that is released when it goes out of scope.
//
//   ScopedSnapshot snapshot(db.get());
//   leveldb::ReadOptions options;
//   options.snapshot = snapshot.get();
class ScopedSnapshot {
 public:
  // `db` must outlive this object.
  explicit ScopedSnapshot(leveldb::DB* db)
      : db_(db), snapshot_(db->GetSnapshot()) {}
  ScopedSnapshot(const ScopedSnapshot&) = delete;
  ScopedSnapshot& operator=(const ScopedSnapshot&) = delete;
  ~ScopedSnapshot() { db_->ReleaseSnapshot(snapshot_); }

  const leveldb::Snapshot* get() const { return snapshot_; }

 private:
  leveldb::DB* const db_;
  const leveldb::Snapshot* const snapshot_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_DB_HANDLE_H_
