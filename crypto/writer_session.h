// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Where nonces come from: a random half drawn once, and a counter.

#ifndef SHARDINGDB_CRYPTO_WRITER_SESSION_H_
#define SHARDINGDB_CRYPTO_WRITER_SESSION_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "crypto/xaes_gcm.h"

namespace shardingdb::crypto_internal {

// A WriterSession is a run of nonces of one key that share their first half.
// The half is random, so no two sessions share a derived key; within a session
// a counter makes every nonce another one. Threads take counters in blocks, and
// what a thread does not use of its block is never used.
//
// A session belongs to the process that started it. A child that inherits it by
// fork() has to start its own, which usable() says.
//
// Thread-safe.
class WriterSession {
 public:
  // So many seals, and a session ends. AES-GCM would stand far more; 2^32
  // messages of 64 KiB under one derived key leave an attacker a chance below
  // 2^-40.
  static constexpr uint64_t kMaxSeals = uint64_t{1} << 32;

  // A session of its own, with a fresh random half. kUnavailable if the system
  // gives no randomness.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<WriterSession>> Start(
      uint64_t max_seals = kMaxSeals);

  WriterSession(const WriterSession&) = delete;
  WriterSession& operator=(const WriterSession&) = delete;

  const XaesPrefix& prefix() const { return prefix_; }

  // False in a child process of the one that started the session: its counters
  // may be in use over there.
  bool usable() const;

  // Counters from `next` to below `end`, the caller's alone.
  struct Block {
    uint64_t next = 0;
    uint64_t end = 0;
  };

  // An empty block when the session has ended.
  Block Reserve();

 private:
  WriterSession(uint64_t generation, uint64_t max_seals)
      : generation_(generation), max_seals_(max_seals) {}

  XaesPrefix prefix_ = {};
  const uint64_t generation_;
  const uint64_t max_seals_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_WRITER_SESSION_H_
