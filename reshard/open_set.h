// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_OPEN_SET_H_
#define SHARDINGDB_RESHARD_OPEN_SET_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "crypto/aead.h"
#include "leveldb/env.h"
#include "reshard/union_scan.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/leveldb_handle.h"
#include "shardingdb/shared_resources.h"

namespace shardingdb {

// The databases of one run while they are open, each for reading only or for
// writing, by number.
//
// Errors of opening, each with the folder: FailedPrecondition if it is locked,
// has another comparator or no database, or was written with a commit log and
// not closed since; DataLoss, with the file, if it is
// damaged; ResourceExhausted where the system has not a single thread left for
// flushes; and those of OpenLevelDb.
//
// Not safe for use from several threads; the databases are.
class OpenSet {
 public:
  // For `count` folders; all files are reached through `env`, which outlives
  // it.
  OpenSet(leveldb::Env* env, size_t count);
  OpenSet(const OpenSet&) = delete;
  OpenSet& operator=(const OpenSet&) = delete;
  ~OpenSet();

  // ResourceExhausted if the limit of open files cannot carry all folders being
  // written. Opening the first one to write checks the same.
  [[nodiscard]] absl::Status CheckFileLimit();

  // Opens a database without changing anything in its folder.
  [[nodiscard]] absl::Status OpenToRead(size_t i, const std::string& folder);

  struct WriteMode {
    // Makes the database where it is missing.
    bool create = false;

    // Accepts a log with a damaged tail: what power loss leaves. Only for
    // folders of an unfinished run (see docs/resharding.md).
    bool accept_torn_log = false;

    // False where values are sealed, which do not compress, or compressed.
    bool compress = true;
  };

  // Opens a database to read and write, with or without a marker.
  [[nodiscard]] absl::Status OpenToWrite(size_t i, const std::string& folder,
                                         const WriteMode& mode);

  // From now on the values of database `i` are opened when they are read and
  // sealed when they are written. Null leaves them as they are. REQUIRES:
  // is_open(i), and no iterators.
  [[nodiscard]] absl::Status OpenValues(size_t i,
                                        std::shared_ptr<const Aead> aead);

  bool is_open(size_t i) const { return open_[i].db != nullptr; }

  // REQUIRES: is_open(i).
  DbHandle* db(size_t i) const { return open_[i].db.get(); }

  // The same, with values as they are stored. REQUIRES: is_open(i).
  DbHandle* stored(size_t i) const { return open_[i].stored; }

  // REQUIRES: is_open(i).
  const std::string& folder(size_t i) const { return open_[i].folder; }

  // All databases that are open, in order of their numbers.
  std::vector<UnionSource> sources() const;
  // Their numbers.
  std::vector<size_t> numbers() const;

  // In bytes of tables; about. REQUIRES: is_open(i).
  uint64_t ApproximateSize(size_t i) const;
  // Of all that are open.
  uint64_t ApproximateSizeOfAll() const;

  // Closes all; the first error of any, with its folder.
  [[nodiscard]] absl::Status Close();

 private:
  struct Open {
    std::string folder;
    std::unique_ptr<leveldb::Logger> log;  // outlives db
    std::unique_ptr<DbHandle> db;
    DbHandle* stored = nullptr;  // db, or what is below its codec
  };

  [[nodiscard]] absl::Status OpenWith(size_t i, const std::string& folder,
                                      ShardOptions options);

  leveldb::Env* const env_;
  const std::shared_ptr<SharedResources> resources_;
  std::vector<Open> open_;
  bool reserved_ = false;  // in the budget of files
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_OPEN_SET_H_
