// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// What a step over many shards costs beside a step over one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "benchmark/benchmark.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "shardingdb/merging_iterator.h"

namespace shardingdb {
namespace {

constexpr int kEntries = 30000;

// Goes over keys that it holds, so that all the time is that of merging.
class KeysIterator : public leveldb::Iterator {
 public:
  explicit KeysIterator(std::vector<std::string> keys)
      : keys_(std::move(keys)), at_(keys_.size()) {}

  bool Valid() const override { return at_ < keys_.size(); }
  void SeekToFirst() override { at_ = 0; }
  void SeekToLast() override { at_ = keys_.size() - 1; }
  void Seek(const leveldb::Slice& target) override {
    at_ = 0;
    while (Valid() && target.compare(keys_[at_]) > 0) ++at_;
  }
  void Next() override { ++at_; }
  void Prev() override { --at_; }  // before the first: not valid, as it wraps
  leveldb::Slice key() const override { return keys_[at_]; }
  leveldb::Slice value() const override { return leveldb::Slice(); }
  leveldb::Status status() const override { return leveldb::Status::OK(); }

 private:
  const std::vector<std::string> keys_;
  size_t at_;
};

std::unique_ptr<leveldb::Iterator> Merged(size_t children) {
  std::vector<std::vector<std::string>> keys(children);
  uint32_t random = 1;
  for (int i = 0; i < kEntries; ++i) {
    random = random * 1664525 + 1013904223;
    keys[(random >> 8) % children].push_back(absl::StrFormat("key-%08d", i));
  }
  std::vector<std::unique_ptr<leveldb::Iterator>> iterators;
  for (std::vector<std::string>& of_child : keys)
    iterators.push_back(std::make_unique<KeysIterator>(std::move(of_child)));
  return NewMergingIterator(leveldb::BytewiseComparator(),
                            std::move(iterators));
}

void BM_MergeForwards(benchmark::State& state) {
  const auto iterator = Merged(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
      benchmark::DoNotOptimize(iterator->key().data());
  }
  state.SetItemsProcessed(state.iterations() * kEntries);
}

void BM_MergeBackwards(benchmark::State& state) {
  const auto iterator = Merged(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev())
      benchmark::DoNotOptimize(iterator->key().data());
  }
  state.SetItemsProcessed(state.iterations() * kEntries);
}

void Children(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("children");
  for (int children : {1, 3, 6, 60, 300}) benchmark->Arg(children);
}

BENCHMARK(BM_MergeForwards)->Apply(Children);
BENCHMARK(BM_MergeBackwards)->Apply(Children);

}  // namespace
}  // namespace shardingdb
