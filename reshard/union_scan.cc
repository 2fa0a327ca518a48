// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/union_scan.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "reshard/entry_reader.h"
#include "reshard/storage_error.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/loser_tree.h"

namespace shardingdb {
namespace {

constexpr size_t kSmallestBlock = size_t{16} << 10;
constexpr size_t kLargestBlock = size_t{256} << 10;
// One that was taken from, one that is, one that is ready, one being filled.
constexpr size_t kBlocksOfReader = 4;

EntryReader::Options ReaderOptions(size_t sources,
                                   const UnionScanOptions& options) {
  EntryReader::Options reader;
  reader.block_bytes =
      std::clamp(options.memory_bytes / (kBlocksOfReader * sources),
                 kSmallestBlock, kLargestBlock);
  reader.hash = options.hash;
  reader.stop = options.stop;
  reader.progress = options.progress;
  return reader;
}

// Ascending by key, then by source; a reader at its end comes last.
class Order {
 public:
  explicit Order(const std::vector<std::unique_ptr<EntryReader>>& readers)
      : readers_(readers) {}

  bool operator()(size_t a, size_t b) const {
    const EntryReader& first = *readers_[a];
    const EntryReader& second = *readers_[b];
    if (!first.Valid() || !second.Valid()) {
      return first.Valid() != second.Valid() ? first.Valid() : a < b;
    }
    const int order = first.key().compare(second.key());
    return order != 0 ? order < 0 : a < b;
  }

 private:
  const std::vector<std::unique_ptr<EntryReader>>& readers_;
};

absl::Status TwoValues(const leveldb::Slice& key, const std::string& folder,
                       const std::string& other_folder) {
  return absl::AbortedError(
      absl::StrCat("the key ", DescribeKey(key), " has one value in ", folder,
                   " and another in ", other_folder, "; nothing was deleted"));
}

}  // namespace

absl::Status ScanUnion(
    const std::vector<UnionSource>& sources, const UnionScanOptions& options,
    absl::FunctionRef<absl::Status(const UnionEntry&)> visit) {
  if (sources.empty()) return absl::OkStatus();
  std::vector<std::unique_ptr<EntryReader>> readers;
  for (const UnionSource& source : sources) {
    readers.push_back(std::make_unique<EntryReader>(
        source.db, ReaderOptions(sources.size(), options)));
  }
  // A reader that is at its end must have seen everything.
  const auto check = [&](size_t source) {
    if (readers[source]->Valid()) return absl::OkStatus();
    if (options.stop != nullptr && options.stop->load()) {
      return absl::CancelledError("stopped");
    }
    return StorageError(options.env, sources[source].folder,
                        readers[source]->status());
  };
  for (size_t i = 0; i < readers.size(); ++i) {
    readers[i]->Begin();
    const absl::Status status = check(i);
    if (!status.ok()) return status;
  }

  const Order order(readers);
  LoserTree tree(readers.size());
  tree.Rebuild(order);
  std::vector<size_t> holders;
  while (readers[tree.winner()]->Valid()) {
    // The entry outlives one step of its reader, and no reader makes two: it
    // has a key only once.
    const EntryReader& first = *readers[tree.winner()];
    const leveldb::Slice key = first.key();
    const leveldb::Slice value = first.value();
    const EntryHash& hash = first.hash();
    holders.clear();
    do {
      const size_t holder = tree.winner();
      if (readers[holder]->value() != value) {
        return TwoValues(key, sources[holders.front()].folder,
                         sources[holder].folder);
      }
      holders.push_back(holder);
      readers[holder]->Next();
      const absl::Status status = check(holder);
      if (!status.ok()) return status;
      tree.Replay(order);
    } while (readers[tree.winner()]->Valid() &&
             readers[tree.winner()]->key() == key);
    const absl::Status status = visit({key, value, hash, holders});
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace shardingdb
