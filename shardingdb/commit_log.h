// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_COMMIT_LOG_H_
#define SHARDINGDB_COMMIT_LOG_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace shardingdb {

// Batches over several shards, in the order of their log sequence numbers
// (LSN), in files of a folder: before any shard applies one, it is here. What
// the files hold, byte for byte, and why what is left of one after a crash can
// be told from damage, is in docs/formats/commit-log.md; what the set does with
// it in docs/commit-log.md.
//
//   Open, Replay, Start; then Append and Remove...
//
// For one thread at a time.
class CommitLog {
 public:
  struct Options {
    // Made if it is missing; nothing else may lie in it.
    std::string folder;

    // Of the folders' file system; outlives the log.
    leveldb::Env* env = leveldb::Env::Default();

    // A segment that has become longer is followed by another one.
    uint64_t segment_bytes = uint64_t{16} << 20;

    // Accepts a damaged log: what is behind the damage is given up.
    bool accept_loss = false;
  };

  // What the batches were split by. A log of another layout is refused.
  struct Layout {
    std::string function;
    uint32_t shard_count = 0;
  };

  // Takes the folder, and looks at what is in it. Nothing is written but the
  // folder and its lock file. Errors, with the folder or file:
  //   FailedPrecondition  another process or log has the folder; a log of
  //                       another layout or of a newer version
  //   DataLoss            damaged, or a segment is missing
  //   others              those of reading
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<CommitLog>> Open(
      const Options& options, const Layout& layout);

  // Leaves the files as they are.
  ~CommitLog();
  CommitLog(const CommitLog&) = delete;
  CommitLog& operator=(const CommitLog&) = delete;

  // True if Open has found no segment.
  bool is_new() const { return segments_.empty(); }

  // 16 random bytes that all segments have in common.
  const std::string& id() const { return id_; }

  // What is appended first has had at least this LSN, since Open.
  uint64_t first_lsn() const { return first_lsn_; }

  // The highest LSN that has been found or appended; 0 if there is none.
  uint64_t last_lsn() const { return last_lsn_; }

  // Calls `redo` for each batch that Open has found, in order, and stops at its
  // first error. Reads one segment at a time into memory.
  [[nodiscard]] absl::Status Replay(
      absl::FunctionRef<absl::Status(uint64_t lsn, leveldb::WriteBatch* batch)>
          redo) const;

  // Begins a segment, durably, for batches behind `last_lsn`, which is not
  // below last_lsn(). After this Append may be called.
  [[nodiscard]] absl::Status Start(uint64_t last_lsn);

  // The longest batch, in bytes as EncodeBatch makes it.
  static constexpr uint64_t kMaxBatchBytes = UINT32_MAX;

  struct Record {
    uint64_t lsn = 0;         // above that of the record before
    absl::string_view batch;  // as EncodeBatch makes it
    uint32_t checksum = 0;    // ChecksumOf(batch)
  };
  static uint32_t ChecksumOf(absl::string_view batch);

  // Appends records. When it returns OK a kill of this process does not take
  // them away, and with `sync` neither does a power loss. After an error none
  // of them is in the log, or they will be taken back by the next Append or
  // Repair that succeeds, before anything else is appended.
  [[nodiscard]] leveldb::Status Append(absl::Span<const Record> records,
                                       bool sync);

  // Takes back what a failed Append may have left; OK if there is nothing.
  [[nodiscard]] leveldb::Status Repair();
  bool needs_repair() const { return broken_; }

  // The number of the segment that is written, which grows.
  uint64_t segment() const { return number_; }

  // Removes all segments before number `segment`, the oldest first. Whatever
  // they hold must be durable in the shards.
  [[nodiscard]] absl::Status RemoveBefore(uint64_t segment);

  // Removes all segments and gives the folder up: the set is closed. Nothing
  // can be appended any more.
  [[nodiscard]] absl::Status RemoveAll();

 private:
  struct Segment {
    uint64_t number = 0;
    uint64_t end = 0;   // bytes from the front that count
    bool torn = false;  // no header: the last one only
  };
  struct Header;

  CommitLog(const Options& options, const Layout& layout);

  std::string FileName(uint64_t number) const;
  absl::Status Lock();
  void Unlock();
  absl::Status FindSegments();
  absl::Status FindSegment(uint64_t number, bool is_last);
  absl::Status FindEnds();
  absl::Status FindEnd(Segment* segment, bool is_last);
  absl::Status CheckHeader(const Segment& segment, const Header& header) const;
  absl::StatusOr<std::string> ReadSegment(uint64_t number) const;
  absl::StatusOr<Header> ParseHeader(absl::string_view bytes) const;
  std::string EncodeHeader(uint64_t number) const;

  // Walks the records of a segment from its header on; *end is where the last
  // good one ends.
  absl::Status Walk(
      absl::string_view bytes, uint64_t* last, uint64_t* end,
      absl::FunctionRef<absl::Status(uint64_t, absl::string_view)> at) const;
  absl::Status CheckTail(absl::string_view bytes, uint64_t end,
                         uint64_t last) const;

  leveldb::Status NewSegment();
  leveldb::Status SyncOld();
  leveldb::Status AppendTo(absl::Span<const Record> records, bool sync,
                           uint64_t* bytes);

  const Options options_;
  const Layout layout_;
  leveldb::FileLock* lock_ = nullptr;

  std::string id_;
  std::vector<Segment> segments_;   // that Open has found, oldest first
  std::vector<uint64_t> given_up_;  // numbers of those behind damage
  uint64_t first_lsn_ = 1;
  uint64_t last_lsn_ = 0;

  // What is written.
  std::unique_ptr<leveldb::WritableFile> file_;
  uint64_t oldest_ = 0;  // number of the oldest segment that is there
  uint64_t number_ = 0;
  uint64_t end_ = 0;  // of what counts in it
  uint64_t header_bytes_ = 0;
  uint64_t synced_lsn_ = 0;
  bool broken_ = false;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_COMMIT_LOG_H_
