// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Keys by their ids, found without a lock while others are added.

#ifndef SHARDINGDB_CRYPTO_KEY_TABLE_H_
#define SHARDINGDB_CRYPTO_KEY_TABLE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "crypto/xaes_key.h"

namespace shardingdb::crypto_internal {

// KeyTable owns keys until it ends: none is ever removed, so what Find()
// returned stays valid for as long as the table.
//
// Thread safety: Find() may be called at any time by any number of threads. The
// other methods need the caller to keep them from running at the same time as
// each other.
class KeyTable {
 public:
  struct Entry {
    Entry(uint32_t id, bool enabled, std::unique_ptr<const XaesKey> key)
        : id(id), enabled(enabled), key(std::move(key)) {}

    const uint32_t id;
    std::atomic<bool> enabled;
    std::atomic<bool> dropped{false};  // then it is not enabled
    const std::unique_ptr<const XaesKey> key;
  };

  KeyTable() { Grow(); }
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  // The entry with `id`, or null.
  Entry* Find(uint32_t id) const {
    const Slots& slots = *slots_.load(std::memory_order_acquire);
    for (size_t i = Start(id, slots);; i = (i + 1) & (slots.size() - 1)) {
      Entry* entry = slots[i].load(std::memory_order_acquire);
      if (entry == nullptr || entry->id == id) return entry;
    }
  }

  // REQUIRES: Find(entry->id) is null
  void Insert(std::unique_ptr<Entry> entry) {
    entries_.push_back(std::move(entry));
    // At most half full: a search always meets a free slot, and soon.
    if (2 * entries_.size() > generations_.back()->size()) {
      Grow();
    } else {
      Put(entries_.back().get(), generations_.back().get());
    }
  }

  // In the order in which they were inserted.
  const std::vector<std::unique_ptr<Entry>>& entries() const {
    return entries_;
  }

 private:
  // Its size is a power of two.
  using Slots = std::vector<std::atomic<Entry*>>;

  static size_t Start(uint32_t id, const Slots& slots) {
    // Spreads ids that people count upwards as well as random ones.
    const uint64_t hash = id * uint64_t{0x9e3779b97f4a7c15};
    return static_cast<size_t>(hash >> 32) & (slots.size() - 1);
  }

  static void Put(Entry* entry, Slots* slots) {
    size_t i = Start(entry->id, *slots);
    while ((*slots)[i].load(std::memory_order_relaxed) != nullptr) {
      i = (i + 1) & (slots->size() - 1);
    }
    (*slots)[i].store(entry, std::memory_order_release);
  }

  void Grow() {
    const size_t size =
        generations_.empty() ? 8 : 2 * generations_.back()->size();
    auto slots = std::make_unique<Slots>(size);
    for (const auto& entry : entries_) Put(entry.get(), slots.get());
    slots_.store(slots.get(), std::memory_order_release);
    generations_.push_back(std::move(slots));
  }

  std::vector<std::unique_ptr<Entry>> entries_;
  // The slots in use are the last. Readers may still be in earlier ones, which
  // together are no larger.
  std::vector<std::unique_ptr<Slots>> generations_;
  std::atomic<const Slots*> slots_{nullptr};
};

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEY_TABLE_H_
