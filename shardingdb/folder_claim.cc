// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/folder_claim.h"

#include <sys/stat.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "leveldb/env.h"

namespace shardingdb {
namespace {

struct Claims {
  absl::Mutex mutex;
  std::set<std::string> identities ABSL_GUARDED_BY(mutex);
};

Claims& GetClaims() {
  static Claims* const claims = new Claims();
  return *claims;
}

std::string IdentityOf(leveldb::Env* env, const std::string& folder) {
  struct stat found;
  if (env->FileExists(folder) && ::stat(folder.c_str(), &found) == 0) {
    return absl::StrCat("inode ", found.st_dev, " ", found.st_ino);
  }
  return absl::StrCat("env ", reinterpret_cast<uintptr_t>(env), " ", folder);
}

}  // namespace

absl::StatusOr<FolderClaim> FolderClaim::Take(leveldb::Env* env,
                                              const std::string& folder) {
  std::string identity = IdentityOf(env, folder);
  Claims& claims = GetClaims();
  absl::MutexLock lock(&claims.mutex);
  if (!claims.identities.insert(identity).second) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder, ": locked, this process has it open already"));
  }
  return FolderClaim(std::move(identity));
}

FolderClaim::FolderClaim(std::string identity)
    : identity_(std::move(identity)) {}

FolderClaim::FolderClaim(FolderClaim&& other) noexcept
    : identity_(std::exchange(other.identity_, std::string())) {}

FolderClaim& FolderClaim::operator=(FolderClaim&& other) noexcept {
  if (this != &other) {
    Drop();
    identity_ = std::exchange(other.identity_, std::string());
  }
  return *this;
}

FolderClaim::~FolderClaim() { Drop(); }

void FolderClaim::Drop() {
  if (identity_.empty()) return;
  Claims& claims = GetClaims();
  absl::MutexLock lock(&claims.mutex);
  claims.identities.erase(identity_);
  identity_.clear();
}

}  // namespace shardingdb
