// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_LEVELDB_HANDLE_H_
#define SHARDINGDB_LEVELDB_HANDLE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/shared_resources.h"

namespace shardingdb {

// How one LevelDB is opened as a shard.
struct ShardOptions {
  ShardOptions() { leveldb.create_if_missing = true; }

  // LevelDB's own options. Fields left at LevelDB's defaults are tuned (see
  // SharedResources::Tune); others are used as they are. What they point to
  // must outlive the handle.
  leveldb::Options leveldb;

  // Takes the place of leveldb.info_log and is kept for as long as LevelDB may
  // use it. Null: leveldb.info_log holds.
  std::shared_ptr<leveldb::Logger> logger;

  // What this shard shares with others; null means SharedResources::Default().
  std::shared_ptr<SharedResources> resources;

  // Opens the database to read it, and changes no byte of its folder, which may
  // be on a read-only file system: what LevelDB writes when it opens a database
  // (what the log holds, as tables) stays in memory. Other processes may read
  // the database at the same time; nobody can write it meanwhile. Writes are
  // refused as by SetReadOnly(true), which cannot be taken back. Nothing is
  // made where it is missing. Default false.
  bool read_only = false;

  // Opens a folder that an unfinished reshard has left, too. Only for the tool
  // that finishes it. Default false.
  bool allow_unfinished_reshard = false;
};

// Opens the LevelDB in the folder `path`, and makes it where it is missing
// (unless options.leveldb says otherwise; missing parent folders are made too,
// all of them durably: a synced write is not lost with its folder).
//
// While the database is open, opening or destroying it again is refused in this
// process, under any name of the folder, and in others; leveldb::DB::Open and
// leveldb::DestroyDB refuse it as well. As with LevelDB, that ends if the
// process itself opens the file LOCK and closes it again (by copying the
// folder, say). Unlike with LevelDB, a relative path is followed only while
// opening, so the process may change its working directory afterwards.
//
// Errors, each naming `path`. Nothing stays open, and no data is changed. What
// this call has made is removed, but for an empty file LOCK in a folder that
// was there; what another process has made meanwhile stays.
//   InvalidArgument     `path` is empty or has a zero byte; no comparator; a
//                       compression that LevelDB does not have
//   NotFound            not there, and create_if_missing is false
//   AlreadyExists       there, and error_if_exists is true
//   FailedPrecondition  locked by another process or handle, also under another
//                       name of the folder; another comparator; `path` is a
//                       file or a symbolic link to nothing; an unfinished
//                       reshard
//   PermissionDenied    no right to read or write there
//   ResourceExhausted   the limit of open files cannot carry the shard, or, for
//                       a set's SharedResources, all shards of the set: says
//                       which limit to set; or a full disk
//   DataLoss            the database is damaged; says in which file
//   Unavailable         any other I/O error
[[nodiscard]] absl::StatusOr<std::unique_ptr<DbHandle>> OpenLevelDb(
    const std::string& path, const ShardOptions& options);

// Makes a handle of a database that the caller opened. `comparator` must be the
// one that it was opened with, and outlive the handle, as must whatever else it
// was opened with (env, cache, filter). The folder stays locked as
// leveldb::DB::Open has locked it, so this library refuses to open, reshard or
// read it meanwhile. InvalidArgument if `db` or `comparator` is null.
[[nodiscard]] absl::StatusOr<std::unique_ptr<DbHandle>> WrapLevelDb(
    std::unique_ptr<leveldb::DB> db,
    const leveldb::Comparator* comparator = leveldb::BytewiseComparator());

}  // namespace shardingdb

#endif  // SHARDINGDB_LEVELDB_HANDLE_H_
