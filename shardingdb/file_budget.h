// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_FILE_BUDGET_H_
#define SHARDINGDB_FILE_BUDGET_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"

namespace shardingdb {

// Says whether the process's limit of open files (RLIMIT_NOFILE) can carry a
// shard more, before anything is opened that would have to be closed again.
//
// An open LevelDB holds its lock, its manifest, its log and, where there is
// room, its information log LOG. Beside these, room is kept for the table files
// that LevelDB's Env holds open for reading (a fifth of the limit), for reads
// of others, which open them for as long as they take (a sixteenth), and for
// what a compaction writes. Whatever else the process has open counts too.
//
// Thread-safe.
class FileBudget {
 public:
  // `shard_count` shards will ask, and the first one that does asks for all of
  // them; or each will ask for itself alone where it is 0.
  FileBudget(uint32_t shard_count, size_t compaction_threads);
  FileBudget(const FileBudget&) = delete;
  FileBudget& operator=(const FileBudget&) = delete;

  struct Share {
    // Whether the shard may have a LOG.
    bool log_file;
  };

  // A shard is about to be opened. ResourceExhausted if the limit cannot carry
  // it; says how many files are needed and what limit to set. Otherwise to be
  // followed by Release when the shard has been closed or failed to open.
  [[nodiscard]] absl::StatusOr<Share> Admit();
  void Release();

 private:
  absl::StatusOr<Share> Check(uint64_t shards) const;

  const uint32_t shard_count_;
  const size_t compaction_threads_;

  absl::Mutex mutex_;
  uint32_t open_ ABSL_GUARDED_BY(mutex_) = 0;      // admitted and not released
  uint32_t admitted_ ABSL_GUARDED_BY(mutex_) = 0;  // checked, open or not
  Share share_ ABSL_GUARDED_BY(mutex_) = {true};   // of those
};

}  // namespace shardingdb

#endif  // SHARDINGDB_FILE_BUDGET_H_
