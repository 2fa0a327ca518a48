// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARDING_DB_BUILDER_H_
#define SHARDINGDB_SHARDING_DB_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_prf.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

class CommitLog;
struct OpenedSet;
struct SetLayoutWanted;

// Where and how the commit log of a set is kept.
struct CommitLogOptions {
  // A folder of its own, which is made if it is missing.
  std::string folder;

  // Gives up what is lost where the log is damaged or not there: batches over
  // several shards that were not applied in all of them then are in some.
  // For one opening, after which the log is whole again.
  bool accept_loss = false;

  // About how long a file of the log becomes. What all shards durably have is
  // removed when the next one is begun.
  uint64_t segment_bytes = uint64_t{16} << 20;
};

// Puts a ShardingDb together.
//
//   absl::StatusOr<std::unique_ptr<ShardingDb>> db =
//       ShardingDbBuilder()
//           .WithDbPaths({"/data/a", "/data/b"})
//           .WithEncryption(key_ring)
//           .Build();
//
// The setters only remember, in any order, the last call of each counting;
// Build checks everything. For one thread.
class ShardingDbBuilder {
 public:
  ShardingDbBuilder();
  ~ShardingDbBuilder();
  ShardingDbBuilder(ShardingDbBuilder&&) noexcept;
  ShardingDbBuilder& operator=(ShardingDbBuilder&&) noexcept;

  // The shards: either handles that are open already (see OpenLevelDb,
  // WrapLevelDb; any DbHandle can be a shard), or folders to open.
  //
  // Each shard has a label that says which one it is, of how many and of which
  // set, by which sharding function, and how its values are stored. So their
  // order does not matter once the set is made: they are put right, and what is
  // not the whole set and nothing else is refused. Where there are no labels
  // yet the order is the number of each shard: in new databases, and in handles
  // and folders that are only read. Handles that are read-only are not
  // labelled.
  ShardingDbBuilder& WithDbHandles(
      std::vector<std::unique_ptr<DbHandle>> shards);
  ShardingDbBuilder& WithDbPaths(std::vector<std::string> paths);

  // Where each key lives. Default: JumpSharding().
  ShardingDbBuilder& WithShardingFunc(ShardingFuncPtr sharding_func);

  // Takes databases that hold entries and have no labels as the shards of a
  // set, in the order in which they are given, and labels them: those that
  // LevelDB has made, or a version of this library that knew no labels. All or
  // none: if one key of one of them is not where the sharding function puts it,
  // nothing is written. Reads all keys, once. Default: only one database alone
  // is taken so. `sharding_func_name` is the name of the function that
  // WithShardingFunc gives: it cannot be found out. Has no effect where there
  // are labels.
  ShardingDbBuilder& WithAdoption(std::string sharding_func_name);

  // Seals every value. Default: values are stored as they are. LevelDB's
  // compression of blocks is off then for WithDbPaths: it would gain nothing.
  ShardingDbBuilder& WithEncryption(std::shared_ptr<const Aead> aead);

  // Stores entries under opaque keys that `key_prf` makes, such as that of
  // KeyRingFile::key_prf(), and keys inside the sealed values; for use with
  // WithEncryption. Neither keys nor values are seen on disk then. Ranges and
  // Seek have no meaning and are refused: see OpaqueKeysHandle. A database is
  // opaque from its first entry on, with one KeyPrf, or never.
  ShardingDbBuilder& WithOpaqueKeys(std::shared_ptr<const KeyPrf> key_prf);

  // How values of 128 bytes and more are compressed, one by one, where that
  // saves an eighth. Default: kSnappy where a KeyRing seals values, kNone in
  // all other cases.
  //
  // With encryption, the choice is free at each opening. kNone is for values
  // whose sealed size must not depend on what is in them (CompressingAead).
  //
  // Without encryption, kSnappy and kZstd give all values a form of their own
  // (UnsealedCodec) with a checksum, which takes less time to write and less
  // room in logs where values compress; choose one of the two at every opening.
  // With kNone values are stored as they are, and LevelDB compresses blocks of
  // them (leveldb::Options::compression).
  ShardingDbBuilder& WithValueCompression(Compression compression);

  // LevelDB's options for the folders of WithDbPaths, as ShardingDb::Open takes
  // them. Default: LevelDB's defaults with create_if_missing. What it points to
  // must outlive the database.
  ShardingDbBuilder& WithOptions(const leveldb::Options& options);

  // Makes batches over several shards whole also after a crash: each is written
  // to a log in `options.folder` before any shard applies it, and what is then
  // missing in a shard is applied when the set is opened again. A batch with
  // `sync` costs one fsync of the log instead of one a shard. See
  // docs/commit-log.md. Default: no log, and a crash can leave a batch in some
  // of its shards.
  //
  // The folder belongs to this set: open the set with it every time. Once it
  // was closed (Close, or its end without an error) it may be opened without,
  // or with another one.
  ShardingDbBuilder& WithCommitLog(CommitLogOptions options);

  // Opens the folders of WithDbPaths to read them only, as
  // ShardingDb::OpenReadOnly does.
  ShardingDbBuilder& WithReadOnly();

  // Block cache and write buffers of all shards together, in bytes, for
  // WithDbPaths. Default: 256 MiB.
  ShardingDbBuilder& WithMemoryBudget(uint64_t bytes);

  // Where the set, and the shards of WithDbPaths, log what they do: never a
  // value, but LevelDB names keys at the ends of what it compacts. Default:
  // each shard of WithDbPaths writes LevelDB's LOG in its folder.
  ShardingDbBuilder& WithLogger(std::shared_ptr<leveldb::Logger> logger);

  // Builds the database. What was remembered is used up: the next Build starts
  // from nothing.
  //
  // Errors, after each of which nothing is open (handles given are closed) and
  // nothing has been written:
  //   InvalidArgument     neither or both of handles and paths, none or more
  //                       than kMaxShards of them, a null or repeated handle, a
  //                       folder named twice in whatever spelling, a null
  //                       function, Aead or KeyPrf, opaque keys without
  //                       encryption, value compression with an Aead
  //                       that is no KeyRing, options, a memory budget
  //                       or read-only together with handles, a commit log
  //                       together with read-only or without a folder, a
  //                       function whose name breaks the rules, or adoption for
  //                       another function
  //   FailedPrecondition  shards with different comparators; a function for old
  //                       data ("xor") with new or empty shards; shards that
  //                       are not the whole set, or more: one that is missing,
  //                       is there twice, or belongs to another set; labels
  //                       that say another sharding function, comparator or
  //                       way to store values, or that the key is wrong;
  //                       several with entries and without labels, unless they
  //                       are adopted; a key check or values that do not open;
  //                       a key that belongs into another shard; shards that
  //                       were written with a commit log, not closed since, and
  //                       opened without it
  //   DataLoss            a damaged label; a damaged commit log, or one that
  //                       does not fit
  // and those of OpenLevelDb, with the shard in front. What a label tells is
  // refused before any byte of any folder has changed.
  [[nodiscard]] absl::StatusOr<std::unique_ptr<ShardingDb>> Build();

 private:
  struct Parts;

  static absl::Status CheckParts(Parts* parts);
  static absl::StatusOr<OpenedSet> OpenPaths(Parts* parts,
                                             SetLayoutWanted wanted);
  // Null where there is to be none.
  static absl::StatusOr<std::unique_ptr<CommitLog>> OpenCommitLog(
      const Parts& parts, const std::vector<std::unique_ptr<DbHandle>>& shards);

  // What the setters have remembered; also after having been moved from.
  Parts& remembered();

  std::unique_ptr<Parts> parts_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARDING_DB_BUILDER_H_
