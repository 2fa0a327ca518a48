// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/xaes_key.h"

#include <cstring>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/strings/str_cat.h"
#include "crypto/context_cache.h"

namespace shardingdb::crypto_internal {
namespace {

std::atomic<uint64_t> keys_made{0};
std::atomic<uint64_t> keys_ended{0};

struct SealingContext {
  AesGcmSealer sealer;
  WriterSession::Block counters;
  uint64_t uncounted = 0;  // bytes sealed
};

// A thread seals with the current session of few keys; what it opens may come
// from many sessions of the past. A context takes about a kilobyte.
struct ThreadContexts {
  ContextCache<SealingContext> sealing{8};
  ContextCache<AesGcmOpener> opening{32};
  uint64_t keys_ended_seen = 0;
};

// Set when the thread's contexts have been destroyed, while destructors of
// other objects may still seal (those of static storage after main(), say).
thread_local bool contexts_gone = false;

struct ThreadContextsHolder {
  ~ThreadContextsHolder() { contexts_gone = true; }
  ThreadContexts contexts;
};

// This thread's contexts, or null when it is too late for them.
ThreadContexts* ContextsOfThisThread() {
  if (ABSL_PREDICT_FALSE(contexts_gone)) return nullptr;
  thread_local ThreadContextsHolder holder;
  ThreadContexts& contexts = holder.contexts;
  const uint64_t ended = keys_ended.load(std::memory_order_acquire);
  if (ABSL_PREDICT_FALSE(contexts.keys_ended_seen != ended)) {
    contexts.keys_ended_seen = ended;
    contexts.sealing.DropExpired();
    contexts.opening.DropExpired();
  }
  return &contexts;
}

// Gives contexts for one call: the thread's, or, when these are gone, some that
// end with the call.
class Contexts {
 public:
  Contexts() : contexts_(ContextsOfThisThread()) {
    if (ABSL_PREDICT_TRUE(contexts_ != nullptr)) return;
    own_ = std::make_unique<ThreadContexts>();
    contexts_ = own_.get();
  }
  ThreadContexts* operator->() const { return contexts_; }

 private:
  ThreadContexts* contexts_;
  std::unique_ptr<ThreadContexts> own_;
};

// The first half of the nonce, four zero bytes, the counter (big endian).
void WriteNonce(const XaesPrefix& prefix, uint64_t counter, char* nonce) {
  std::memcpy(nonce, prefix.data(), kXaesPrefixSize);
  for (size_t i = kXaesNonceSize; i-- > kXaesPrefixSize; counter >>= 8) {
    nonce[i] = static_cast<char>(counter & 0xff);
  }
}

}  // namespace

struct XaesKey::SessionNode {
  std::unique_ptr<WriterSession> session;
  SessionNode* older;
};

absl::StatusOr<std::unique_ptr<XaesKey>> XaesKey::New(
    SecretBytes key, uint64_t seals_per_session) {
  if (key.size() != kXaesKeySize) {
    return absl::InvalidArgumentError(
        absl::StrCat("a key has ", kXaesKeySize, " bytes, not ", key.size()));
  }
  return std::unique_ptr<XaesKey>(
      new XaesKey(std::move(key), seals_per_session));
}

XaesKey::XaesKey(SecretBytes key, uint64_t seals_per_session)
    : key_(std::move(key)),
      seals_per_session_(seals_per_session),
      number_(keys_made.fetch_add(1, std::memory_order_relaxed)),
      alive_(std::make_shared<char>()) {}

XaesKey::~XaesKey() {
  alive_.reset();
  keys_ended.fetch_add(1, std::memory_order_release);
  // Other threads wipe their contexts at their next call, this one now.
  ContextsOfThisThread();
  SessionNode* node = session_.load(std::memory_order_relaxed);
  while (node != nullptr) delete std::exchange(node, node->older);
}

absl::Status XaesKey::CurrentSession(WriterSession** session) const {
  for (;;) {
    SessionNode* node = session_.load(std::memory_order_acquire);
    if (ABSL_PREDICT_TRUE(node != nullptr && node->session->usable())) {
      *session = node->session.get();
      return absl::OkStatus();
    }
    absl::Status status =
        Replace(node == nullptr ? nullptr : node->session.get());
    if (!status.ok()) return status;
  }
}

absl::Status XaesKey::Replace(WriterSession* ended) const {
  SessionNode* newest = session_.load(std::memory_order_acquire);
  WriterSession* current = newest == nullptr ? nullptr : newest->session.get();
  if (current != ended) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<WriterSession>> started =
      WriterSession::Start(seals_per_session_);
  if (!started.ok()) return started.status();
  auto node = std::make_unique<SessionNode>();
  node->session = *std::move(started);
  node->older = newest;
  // No lock: one that another thread held during a fork would never be released
  // in the child. Of two new sessions the first stays.
  if (session_.compare_exchange_strong(newest, node.get(),
                                       std::memory_order_acq_rel)) {
    node.release();
  }
  return absl::OkStatus();
}

absl::Status XaesKey::Seal(absl::string_view associated_data,
                           absl::string_view plaintext, char* sealed) const {
  const Contexts contexts;
  for (;;) {
    WriterSession* session = nullptr;
    absl::Status status = CurrentSession(&session);
    if (ABSL_PREDICT_FALSE(!status.ok())) return status;
    const XaesPrefix& prefix = session->prefix();
    SealingContext* context = contexts->sealing.Find(number_, prefix);
    if (ABSL_PREDICT_FALSE(context == nullptr)) {
      absl::StatusOr<AesGcmSealer> sealer =
          DeriveXaesSealer(key_.reveal(), prefix);
      if (!sealer.ok()) return sealer.status();
      context = contexts->sealing.Insert(
          number_, prefix, alive_, SealingContext{*std::move(sealer), {}, 0});
    }
    WriterSession::Block& counters = context->counters;
    if (counters.next == counters.end) {
      counters = session->Reserve();
      if (ABSL_PREDICT_FALSE(counters.next == counters.end)) {
        status = Replace(session);
        if (!status.ok()) return status;
        continue;
      }
    }
    // Seldom, so that threads do not meet at the sum.
    context->uncounted += plaintext.size();
    if (ABSL_PREDICT_FALSE(context->uncounted >= kUncountedBytes)) {
      bytes_sealed_.fetch_add(std::exchange(context->uncounted, 0),
                              std::memory_order_relaxed);
    }
    WriteNonce(prefix, counters.next++, sealed);
    return context->sealer.Seal(
        absl::string_view(sealed + kXaesPrefixSize, kAesGcmNonceSize),
        associated_data, plaintext, sealed + kXaesNonceSize);
  }
}

absl::Status XaesKey::Open(absl::string_view associated_data,
                           absl::string_view sealed, char* plaintext) const {
  if (sealed.size() < kOverhead) {
    return absl::DataLossError("shorter than a nonce and a tag");
  }
  XaesPrefix prefix;
  std::memcpy(prefix.data(), sealed.data(), kXaesPrefixSize);
  const absl::string_view nonce =
      sealed.substr(kXaesPrefixSize, kAesGcmNonceSize);
  sealed.remove_prefix(kXaesNonceSize);
  const Contexts contexts;
  AesGcmOpener* known = contexts->opening.Find(number_, prefix);
  if (ABSL_PREDICT_TRUE(known != nullptr)) {
    return known->Open(nonce, associated_data, sealed, plaintext);
  }
  absl::StatusOr<AesGcmOpener> opener = DeriveXaesOpener(key_.reveal(), prefix);
  if (!opener.ok()) return opener.status();
  absl::Status status = opener->Open(nonce, associated_data, sealed, plaintext);
  // What does not open is not worth a place.
  if (status.ok()) {
    contexts->opening.Insert(number_, prefix, alive_, *std::move(opener));
  }
  return status;
}

}  // namespace shardingdb::crypto_internal
