// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folders_digest.h"

#include <cstddef>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reshard/folder.h"
#include "reshard/labels_of_set.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/recoded_ranges.h"
#include "reshard/set_digest.h"
#include "reshard/storage_error.h"
#include "reshard/union_scan.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

absl::StatusOr<FoldersDigest> Digest(const std::vector<std::string>& paths,
                                     leveldb::Env* env, Progress* progress,
                                     const std::atomic<bool>* stop,
                                     const ValueCodec& values) {
  OpenSet set(env, paths.size());
  absl::StatusOr<std::vector<Folder>> folders = LookAtFolders(env, paths);
  if (!folders.ok()) return folders.status();
  absl::Status status = CheckToRead(*folders);
  for (size_t i = 0; i < folders->size() && status.ok(); ++i) {
    const std::string& path = (*folders)[i].path;
    status = set.OpenToRead(i, path);
    if (status.ok()) {
      status = NameDamage(
          env, path,
          Annotate(CheckFirstValues(set.db(i), values, ValueCodec()), path));
    }
  }
  if (status.ok()) status = CheckWholeSet(set);
  for (size_t i = 0; i < folders->size() && status.ok(); ++i) {
    status = set.OpenValues(i, values.aead);
  }
  if (!status.ok()) return status;

  UnionScanOptions options;
  options.env = env;
  options.stop = stop;
  options.progress = progress;
  if (progress != nullptr) {
    progress->StartPhase("digest", set.ApproximateSizeOfAll());
  }
  SetDigest digest;
  const std::vector<UnionSource> sources = set.sources();
  status = ScanUnion(sources, options, [&](const UnionEntry& entry) {
    if (entry.holders.size() > 1) {
      return absl::AbortedError(
          absl::StrCat("the key ", DescribeKey(entry.key), " is in ",
                       sources[entry.holders[0]].folder, " and in ",
                       sources[entry.holders[1]].folder));
    }
    digest.Add(entry.key, entry.value);
    return Annotate(CheckNotRecoding(entry.key),
                    sources[entry.holders.front()].folder);
  });
  if (!status.ok()) return status;
  if (progress != nullptr) progress->EndPhase();
  return FoldersDigest{digest.entries(), digest.FinishHex()};
}

}  // namespace

absl::StatusOr<FoldersDigest> DigestOfFolders(
    const std::vector<std::string>& paths, leveldb::Env* env,
    Progress* progress, const std::atomic<bool>* stop,
    const ValueCodec& values) {
  if (env == nullptr) env = leveldb::Env::Default();
  try {
    return Digest(paths, env, progress, stop, values);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

}  // namespace shardingdb
