// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/db_bench_workload.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "benchmarks/records.h"
#include "benchmarks/value_maker.h"
#include "benchmarks/zipfian.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

leveldb::Status Wrong(const leveldb::Slice& key, const char* what) {
  return leveldb::Status::Corruption(key, what);
}

// What one thread does, with the operations from `begin` to `end`.
class Client {
 public:
  Client(leveldb::DB* db, const WorkloadOptions& options,
         const Records& records, int t, uint64_t begin, uint64_t end)
      : db_(db),
        records_(records),
        begin_(begin),
        end_(end),
        numbers_(static_cast<uint64_t>(t)),
        values_(options.values, options.value_bytes) {}

  leveldb::Status FillSeq(LatencyRecorder* recorder) {
    return ForEach(recorder, [this](uint64_t i) { return Put(i, false); });
  }
  leveldb::Status FillRandom(LatencyRecorder* recorder) {
    return ForEach(recorder,
                   [this](uint64_t) { return Put(AnyRecord(), false); });
  }
  leveldb::Status FillSync(LatencyRecorder* recorder) {
    return ForEach(recorder,
                   [this](uint64_t) { return Put(AnyRecord(), true); });
  }
  leveldb::Status ReadRandom(LatencyRecorder* recorder) {
    return ForEach(recorder, [this](uint64_t) { return Get(AnyRecord()); });
  }
  leveldb::Status ReadMissing(LatencyRecorder* recorder) {
    return ForEach(recorder, [this](uint64_t) {
      const RecordKey key = records_.Key(AnyRecord());
      const leveldb::Status status =
          db_->Get(leveldb::ReadOptions(), key.OfNoRecord(), &found_);
      if (status.ok()) return Wrong(key.OfNoRecord(), "was never written");
      return status.IsNotFound() ? leveldb::Status::OK() : status;
    });
  }
  leveldb::Status ReadSeq(LatencyRecorder* recorder) {
    return Scan(recorder, begin_, &leveldb::Iterator::Next,
                [this](uint64_t i) { return begin_ + i; });
  }
  leveldb::Status ReadReverse(LatencyRecorder* recorder) {
    return Scan(recorder, end_ - 1, &leveldb::Iterator::Prev,
                [this](uint64_t i) { return end_ - 1 - i; });
  }
  leveldb::Status SeekRandom(LatencyRecorder* recorder) {
    return ForEach(recorder, [this](uint64_t) {
      const uint64_t number = AnyRecord();
      const std::unique_ptr<leveldb::Iterator> i(
          db_->NewIterator(leveldb::ReadOptions()));
      i->Seek(records_.Key(number).slice());
      return CheckEntry(*i, number);
    });
  }
  leveldb::Status DeleteRandom(LatencyRecorder* recorder) {
    return ForEach(recorder, [this](uint64_t) {
      return db_->Delete(leveldb::WriteOptions(),
                         records_.Key(AnyRecord()).slice());
    });
  }

  // Until nobody reads any more.
  leveldb::Status OverwriteWhile(const std::atomic<int>& readers) {
    leveldb::Status status;
    while (readers.load(std::memory_order_relaxed) > 0 && status.ok())
      status = Put(AnyRecord(), false);
    return status;
  }

 private:
  template <typename Operation>
  leveldb::Status ForEach(LatencyRecorder* recorder, Operation operation) {
    leveldb::Status status;
    for (uint64_t i = begin_; i < end_ && status.ok(); ++i)
      status = recorder->Time([&] { return operation(i); });
    return status;
  }

  template <typename NumberOf>
  leveldb::Status Scan(LatencyRecorder* recorder, uint64_t first,
                       void (leveldb::Iterator::*step)(), NumberOf number_of) {
    const std::unique_ptr<leveldb::Iterator> i(
        db_->NewIterator(leveldb::ReadOptions()));
    i->Seek(records_.Key(first).slice());
    leveldb::Status status;
    for (uint64_t n = 0; n < end_ - begin_ && status.ok(); ++n) {
      status = CheckEntry(*i, number_of(n));
      if (!status.ok()) break;
      status = recorder->Time([&] {
        ((*i).*step)();
        return i->status();
      });
    }
    return status;
  }

  leveldb::Status CheckEntry(const leveldb::Iterator& i, uint64_t number) {
    const RecordKey key = records_.Key(number);
    if (!i.status().ok()) return i.status();
    if (!i.Valid() || i.key() != key.slice())
      return Wrong(key.slice(), "is missing");
    return records_.Check(number, i.value(), &values_);
  }

  uint64_t AnyRecord() { return numbers_.Below(records_.count()); }

  leveldb::Status Put(uint64_t number, bool sync) {
    leveldb::WriteOptions options;
    options.sync = sync;
    return db_->Put(options, records_.Key(number).slice(),
                    values_.Of(number, number));
  }

  leveldb::Status Get(uint64_t number) {
    const RecordKey key = records_.Key(number);
    const leveldb::Status status =
        db_->Get(leveldb::ReadOptions(), key.slice(), &found_);
    if (status.IsNotFound()) return Wrong(key.slice(), "is lost");
    return status.ok() ? records_.Check(number, found_, &values_) : status;
  }

  leveldb::DB* const db_;
  const Records& records_;
  const uint64_t begin_;
  const uint64_t end_;
  RandomNumbers numbers_;
  ValueMaker values_;
  std::string found_;
};

struct Work {
  const char* name;
  leveldb::Status (Client::*run)(LatencyRecorder*);
  bool has_records = true;  // before it begins
  bool has_writer = false;  // beside it
  uint64_t part = 1;        // of the entries, how many operations
};

constexpr Work kWorks[] = {
    {"fillseq", &Client::FillSeq, false},
    {"fillrandom", &Client::FillRandom, false},
    {"fillsync", &Client::FillSync, false, false, 1000},
    {"overwrite", &Client::FillRandom},
    {"readrandom", &Client::ReadRandom},
    {"readmissing", &Client::ReadMissing},
    {"readseq", &Client::ReadSeq},
    {"readreverse", &Client::ReadReverse},
    {"seekrandom", &Client::SeekRandom},
    {"deleterandom", &Client::DeleteRandom},
    {"readwhilewriting", &Client::ReadRandom, true, true},
};

}  // namespace

const std::vector<std::string>& DbBenchNames() {
  static const auto* const names = [] {
    auto* const all = new std::vector<std::string>;
    for (const Work& work : kWorks) all->push_back(work.name);
    return all;
  }();
  return *names;
}

absl::StatusOr<PhaseResult> RunDbBenchWorkload(leveldb::DB* db,
                                               const WorkloadOptions& options) {
  const Work& work =
      *std::find_if(std::begin(kWorks), std::end(kWorks),
                    [&](const Work& w) { return w.name == options.work; });
  const Records records(KeyKind::kNumber, options);
  if (work.has_records) {
    const absl::StatusOr<PhaseResult> load =
        RunPhase(options.threads, /*time_every=*/0,
                 [&](int t, LatencyRecorder*) { return records.Load(db, t); });
    if (!load.ok()) return Annotate(load.status(), "loading");
  }
  const uint64_t operations = std::max(records.count() / work.part,
                                       static_cast<uint64_t>(options.threads));
  std::atomic<int> readers = options.threads;
  const auto run = [&](int t, LatencyRecorder* recorder) {
    if (t == options.threads) {
      return Client(db, options, records, t, 0, 0).OverwriteWhile(readers);
    }
    Client client(db, options, records, t, records.Begin(operations, t),
                  records.Begin(operations, t + 1));
    const leveldb::Status status = (client.*work.run)(recorder);
    --readers;
    return status;
  };
  absl::StatusOr<PhaseResult> result = RunPhase(
      options.threads + (work.has_writer ? 1 : 0),
      // A synced write takes so long that all are timed.
      work.part == 1 ? options.time_every : std::min(options.time_every, 1),
      run);
  if (!result.ok()) return Annotate(result.status(), options.work);
  result->operations = operations;
  return result;
}

}  // namespace shardingdb
