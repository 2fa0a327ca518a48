// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// A few keyed contexts, kept by one thread so that it need not make them again.

#ifndef SHARDINGDB_CRYPTO_CONTEXT_CACHE_H_
#define SHARDINGDB_CRYPTO_CONTEXT_CACHE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "crypto/xaes_gcm.h"

namespace shardingdb::crypto_internal {

// ContextCache holds up to `capacity` contexts of keys derived from a key
// (known by its number) and the first half of a nonce. The one that was used
// longest ago makes room for a new one.
//
// Thread safety: none; a cache belongs to one thread.
template <typename Context>
class ContextCache {
 public:
  // REQUIRES: capacity > 0
  explicit ContextCache(size_t capacity) : capacity_(capacity) {}

  // The context of `key` and `prefix`, or null. Valid until the next call of a
  // method other than Find().
  Context* Find(uint64_t key, const XaesPrefix& prefix) {
    // Most calls meet the context of the call before.
    if (last_ < entries_.size() && Matches(last_, key, prefix)) {
      entries_[last_].used = ++clock_;
      return &*entries_[last_].context;
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (!Matches(i, key, prefix)) continue;
      last_ = i;
      entries_[i].used = ++clock_;
      return &*entries_[i].context;
    }
    return nullptr;
  }

  // Keeps `context` for as long as there is room and `alive` has not expired.
  // Returns where it is now.
  //
  // REQUIRES: Find(key, prefix) is null
  Context* Insert(uint64_t key, const XaesPrefix& prefix,
                  std::weak_ptr<const void> alive, Context context) {
    if (entries_.size() < capacity_) {
      last_ = entries_.size();
      entries_.emplace_back();
    } else {
      last_ = LeastRecentlyUsed();
    }
    Entry& entry = entries_[last_];
    entry.key = key;
    entry.prefix = prefix;
    entry.used = ++clock_;
    entry.alive = std::move(alive);
    entry.context = std::make_unique<Context>(std::move(context));
    return &*entry.context;
  }

  // Wipes the contexts of keys that are no more.
  void DropExpired() {
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) {
                                    return entry.alive.expired();
                                  }),
                   entries_.end());
    last_ = 0;
  }

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t key = 0;
    XaesPrefix prefix = {};
    uint64_t used = 0;
    std::weak_ptr<const void> alive;
    std::unique_ptr<Context> context;
  };

  bool Matches(size_t i, uint64_t key, const XaesPrefix& prefix) const {
    return entries_[i].key == key && entries_[i].prefix == prefix;
  }

  size_t LeastRecentlyUsed() const {
    size_t oldest = 0;
    for (size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].used < entries_[oldest].used) oldest = i;
    }
    return oldest;
  }

  const size_t capacity_;
  std::vector<Entry> entries_;
  size_t last_ = 0;
  uint64_t clock_ = 0;
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_CONTEXT_CACHE_H_
