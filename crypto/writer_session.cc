// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/writer_session.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "crypto/fork_generation.h"
#include "crypto/random.h"

namespace shardingdb::crypto_internal {
namespace {

// Few enough that idle threads waste nothing that matters, many enough that the
// shared counter is seldom touched.
constexpr uint64_t kBlockSize = 64;

}  // namespace

absl::StatusOr<std::unique_ptr<WriterSession>> WriterSession::Start(
    uint64_t max_seals) {
  // The generation first: a fork in between then ends the session too early,
  // never too late.
  std::unique_ptr<WriterSession> session(
      new WriterSession(ForkGeneration(), max_seals));
  absl::Status status =
      RandomBytes(session->prefix_.data(), session->prefix_.size());
  if (!status.ok()) return status;
  return session;
}

bool WriterSession::usable() const { return generation_ == ForkGeneration(); }

WriterSession::Block WriterSession::Reserve() {
  // Once the end is reached, no more is added: however often an ended session
  // is asked, its counter cannot wrap.
  if (next_.load(std::memory_order_relaxed) >= max_seals_) return {};
  const uint64_t first = next_.fetch_add(kBlockSize, std::memory_order_relaxed);
  if (first >= max_seals_) return {};
  return {first, std::min(first + kBlockSize, max_seals_)};
}

}  // namespace shardingdb::crypto_internal
