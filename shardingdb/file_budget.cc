// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/file_budget.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace shardingdb {
namespace {

constexpr char kDescriptors[] = "/proc/self/fd";

constexpr uint64_t kFilesOfAShard = 3;  // lock, manifest, log
constexpr uint64_t kLogFile = 1;        // LOG

uint64_t FileLimit() {
  struct rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  if (limit.rlim_cur == RLIM_INFINITY) {
    return std::numeric_limits<uint32_t>::max();
  }
  return limit.rlim_cur;
}

// How many files may be open under `limit` besides the table files and what
// compactions write.
uint64_t Capacity(uint64_t limit, size_t compaction_threads) {
  const uint64_t reserved = limit / 5 + limit / 16 + 3 * compaction_threads;
  return limit > reserved ? limit - reserved : 0;
}

// The lowest limit whose capacity is `files`.
uint64_t LimitFor(uint64_t files, size_t compaction_threads) {
  uint64_t limit = files;
  while (Capacity(limit, compaction_threads) < files) ++limit;
  return limit;
}

// Counts open descriptors one by one, where there is no list of them.
uint64_t ProbeOpenFiles(uint64_t limit) {
  uint64_t count = 0;
  const int end = static_cast<int>(std::min<uint64_t>(limit, 65536));
  for (int fd = 0; fd < end; ++fd) {
    if (::fcntl(fd, F_GETFD) != -1) ++count;
  }
  return count;
}

// Counts the files that this process has open; without table files, for which
// the limit has room of its own, if `all` is false.
uint64_t CountOpenFiles(uint64_t limit, bool all) {
  DIR* const folder = ::opendir(kDescriptors);
  if (folder == nullptr) return ProbeOpenFiles(limit);
  uint64_t count = 0;
  while (const struct dirent* const entry = ::readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    if (!all) {
      char target[4096];
      const ssize_t length =
          ::readlinkat(::dirfd(folder), entry->d_name, target, sizeof(target));
      const absl::string_view name(target, std::max<ssize_t>(length, 0));
      if (absl::EndsWith(name, ".ldb") || absl::EndsWith(name, ".sst")) {
        continue;
      }
    }
    ++count;
  }
  ::closedir(folder);
  return count > 0 ? count - 1 : 0;  // `folder` was one of them
}

}  // namespace

FileBudget::FileBudget(uint32_t shard_count, size_t compaction_threads)
    : shard_count_(shard_count), compaction_threads_(compaction_threads) {}

absl::StatusOr<FileBudget::Share> FileBudget::Admit() {
  absl::MutexLock lock(&mutex_);
  if (open_ >= admitted_) {
    const uint32_t missing = shard_count_ > open_ ? shard_count_ - open_ : 1;
    const absl::StatusOr<Share> share = Check(missing);
    if (!share.ok()) return share;
    share_ = *share;
    admitted_ = open_ + missing;
  }
  ++open_;
  return share_;
}

void FileBudget::Release() {
  absl::MutexLock lock(&mutex_);
  --open_;
  // The process may have opened other files meanwhile: check the next one anew.
  admitted_ = open_ == 0 ? 0 : admitted_ - 1;
}

absl::StatusOr<FileBudget::Share> FileBudget::Check(uint64_t shards) const {
  const uint64_t limit = FileLimit();
  const uint64_t capacity = Capacity(limit, compaction_threads_);
  uint64_t open = CountOpenFiles(limit, /*all=*/true);
  // Nobody misses LOG but who looks for a fault, so it may have its file as
  // long as two thirds of the room are left for what is needed.
  if (open + shards * (kFilesOfAShard + kLogFile) <= capacity / 3) {
    return Share{true};
  }
  if (open + shards * kFilesOfAShard <= capacity) return Share{false};
  open = CountOpenFiles(limit, /*all=*/false);
  if (open + shards * kFilesOfAShard <= capacity) return Share{false};
  const uint64_t needed =
      LimitFor(open + shards * kFilesOfAShard, compaction_threads_);
  return absl::ResourceExhaustedError(absl::StrCat(
      "opening ", shards, shards == 1 ? " shard" : " shards",
      " needs a limit of ", needed, " open files, and the limit is ", limit,
      " with ", open, " open already; raise it (ulimit -n ", needed, ")"));
}

}  // namespace shardingdb
