// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/lock_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace shardingdb {
namespace {

using FileId = std::pair<dev_t, ino_t>;

FileId IdOf(const struct ::stat& found) { return {found.st_dev, found.st_ino}; }

// Descriptors that must not be closed, by file.
struct Kept {
  absl::Mutex mutex;
  std::multimap<FileId, int> descriptors ABSL_GUARDED_BY(mutex);
};

Kept& GetKept() {
  static Kept* const kept = new Kept();
  return *kept;
}

// A descriptor of `file` that was kept, or -1.
int TakeKept(const std::string& file) {
  struct ::stat found;
  if (::stat(file.c_str(), &found) != 0) return -1;
  Kept& kept = GetKept();
  absl::MutexLock lock(&kept.mutex);
  const auto it = kept.descriptors.find(IdOf(found));
  if (it == kept.descriptors.end()) return -1;
  const int descriptor = it->second;
  kept.descriptors.erase(it);
  return descriptor;
}

void Keep(int descriptor) {
  struct ::stat found;
  if (::fstat(descriptor, &found) != 0) return;  // then it just stays open
  Kept& kept = GetKept();
  absl::MutexLock lock(&kept.mutex);
  kept.descriptors.emplace(IdOf(found), descriptor);
}

struct ::flock SharedRange() {
  struct ::flock range = {};
  range.l_type = F_RDLCK;
  range.l_whence = SEEK_SET;
  return range;
}

// A lock that belongs to the open file: it conflicts with those of this process
// too, and does not go when another descriptor of the file is closed.
int TakeSharedFcntl(int descriptor) {
  struct ::flock range = SharedRange();
  if (::fcntl(descriptor, F_OFD_SETLK, &range) == 0) return 0;
  // Two names for "somebody else has it".
  return errno == EACCES ? EAGAIN : errno;
}

}  // namespace

std::unique_ptr<LockDescriptor> LockDescriptor::Open(const std::string& file,
                                                     int* error) {
  int descriptor = TakeKept(file);
  // A pipe would keep it waiting.
  if (descriptor < 0)
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  *error = descriptor < 0 ? errno : 0;
  if (descriptor < 0) return nullptr;
  return std::unique_ptr<LockDescriptor>(new LockDescriptor(file, descriptor));
}

LockDescriptor::LockDescriptor(std::string file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

LockDescriptor::~LockDescriptor() {
  ::flock(descriptor_, LOCK_UN);
  // With this lock, nobody in this process can have one that closing drops; nor
  // if another process has it.
  const int error = TakeSharedFcntl(descriptor_);
  if (error == 0 || (error == EAGAIN && !IsLockedByThisProcess())) {
    ::close(descriptor_);
  } else {
    Keep(descriptor_);
  }
}

int LockDescriptor::LockShared() {
  const int error = TakeSharedFcntl(descriptor_);
  return error != 0 ? error : TakeFlock(LOCK_SH);
}

int LockDescriptor::LockOutGoLevelDb() { return TakeFlock(LOCK_EX); }

int LockDescriptor::TakeFlock(int operation) {
  // A file system that knows no such locks (some network ones) leaves the
  // protection to LevelDB's own.
  if (::flock(descriptor_, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return EAGAIN;
  }
  struct ::stat opened;
  struct ::stat named;
  if (::fstat(descriptor_, &opened) != 0) return errno;
  if (::stat(file_.c_str(), &named) != 0) {
    return errno == ENOENT ? EAGAIN : errno;
  }
  return IdOf(opened) == IdOf(named) ? 0 : EAGAIN;
}

bool LockDescriptor::IsLockedByThisProcess() const {
  struct ::flock range = SharedRange();
  return ::fcntl(descriptor_, F_OFD_GETLK, &range) == 0 &&
         range.l_type != F_UNLCK && range.l_pid == ::getpid();
}

}  // namespace shardingdb
