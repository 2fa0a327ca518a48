// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_CRYPTO_AUTOMATIC_ROTATION_H_
#define SHARDINGDB_CRYPTO_AUTOMATIC_ROTATION_H_

#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "crypto/key_ring_file.h"

namespace shardingdb {

// Rotates the data key of a ring when the policy says so, from a thread of its
// own, for as long as the object lives.
//
//   shardingdb::RotationPolicy policy;
//   policy.max_age = absl::Hours(24 * 90);
//   const shardingdb::AutomaticRotation rotation(file, policy, on_rotation);
//
// Old values stay under their keys: ShardingDb::Rekey() seals them anew.
class AutomaticRotation {
 public:
  // Told of each rotation (the id of the new primary) and each attempt that
  // failed, from the thread; may be empty. After an error, such as a full disk
  // or another process that is changing the ring, it tries again after the next
  // interval, and the former key goes on sealing.
  using Report = std::function<void(const absl::StatusOr<uint32_t>& rotated)>;

  // Looks every `interval`, and at once.
  //
  // REQUIRES: file is not null
  AutomaticRotation(std::shared_ptr<KeyRingFile> file, RotationPolicy policy,
                    Report report = nullptr,
                    absl::Duration interval = absl::Seconds(10));
  AutomaticRotation(const AutomaticRotation&) = delete;
  AutomaticRotation& operator=(const AutomaticRotation&) = delete;
  // Waits for a rotation that is under way.
  ~AutomaticRotation();

 private:
  void Run();

  const std::shared_ptr<KeyRingFile> file_;
  const RotationPolicy policy_;
  const Report report_;
  const absl::Duration interval_;

  absl::Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_AUTOMATIC_ROTATION_H_
