// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/ycsb_workload.h"

#include <algorithm>
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

constexpr uint64_t kMaxScan = 100;

// How many of a hundred operations are what.
struct Mix {
  const char* name;
  int reads = 0;
  int updates = 0;
  int inserts = 0;
  int scans = 0;
  int reads_with_update = 0;
  bool of_latest = false;
};

constexpr Mix kMixes[] = {
    {"ycsb-load", 0, 0, 100, 0, 0, false}, {"ycsb-a", 50, 50, 0, 0, 0, false},
    {"ycsb-b", 95, 5, 0, 0, 0, false},     {"ycsb-c", 100, 0, 0, 0, 0, false},
    {"ycsb-d", 95, 0, 5, 0, 0, true},      {"ycsb-e", 0, 0, 5, 95, 0, false},
    {"ycsb-f", 50, 0, 0, 0, 50, false},
};

bool IsLoad(const Mix& mix) { return mix.inserts == 100; }

// What one thread does.
class Client {
 public:
  Client(leveldb::DB* db, const WorkloadOptions& options, const Mix& mix,
         const Records& records, const Zipfian& zipfian, int t)
      : db_(db),
        options_(options),
        mix_(mix),
        records_(records),
        zipfian_(zipfian),
        t_(t),
        numbers_(static_cast<uint64_t>(t)),
        values_(options.values, options.value_bytes) {}

  leveldb::Status Run(uint64_t operations, LatencyRecorder* recorder) {
    leveldb::Status status;
    for (uint64_t i = 0; i < operations && status.ok(); ++i)
      status = recorder->Time([this] { return Operate(); });
    return status;
  }

 private:
  leveldb::Status Operate() {
    int which = static_cast<int>(numbers_.Below(100));
    if ((which -= mix_.reads) < 0) return Read(Chosen());
    if ((which -= mix_.updates) < 0) return Write(Chosen());
    if ((which -= mix_.inserts) < 0) return Insert();
    if ((which -= mix_.scans) < 0) return Scan(Chosen());
    const uint64_t number = Chosen();
    const leveldb::Status status = Read(number);
    return status.ok() ? Write(number) : status;
  }

  // The j-th record that this thread has inserted; no other thread's.
  uint64_t Inserted(uint64_t j) const {
    if (IsLoad(mix_)) return records_.Begin(records_.count(), t_) + j;
    return records_.count() + static_cast<uint64_t>(t_) +
           j * static_cast<uint64_t>(options_.threads);
  }

  uint64_t Chosen() {
    const uint64_t rank = zipfian_.RankOf(numbers_.Unit());
    if (!mix_.of_latest) return rank;  // keys are hashes: no neighbours
    if (rank < inserted_) return Inserted(inserted_ - 1 - rank);
    return records_.count() - 1 - (rank - inserted_);
  }

  leveldb::Status Read(uint64_t number) {
    const RecordKey key = records_.Key(number);
    const leveldb::Status status =
        db_->Get(leveldb::ReadOptions(), key.slice(), &found_);
    if (status.IsNotFound())
      return leveldb::Status::Corruption(key.slice(), "is lost");
    return status.ok() ? records_.Check(number, found_, &values_) : status;
  }

  leveldb::Status Write(uint64_t number) {
    return db_->Put(leveldb::WriteOptions(), records_.Key(number).slice(),
                    values_.Of(number, number));
  }

  leveldb::Status Insert() { return Write(Inserted(inserted_++)); }

  leveldb::Status Scan(uint64_t number) {
    const uint64_t length = 1 + numbers_.Below(kMaxScan);
    const RecordKey key = records_.Key(number);
    const std::unique_ptr<leveldb::Iterator> i(
        db_->NewIterator(leveldb::ReadOptions()));
    i->Seek(key.slice());
    if (i->Valid()) {
      if (i->key() != key.slice())
        return leveldb::Status::Corruption(key.slice(), "is missing");
      const leveldb::Status status =
          records_.Check(number, i->value(), &values_);
      if (!status.ok()) return status;
    }
    uint64_t read = 0;
    for (; i->Valid() && read < length; i->Next(), ++read) {
      if (i->value().size() != options_.value_bytes)
        return leveldb::Status::Corruption(i->key(), "is wrong");
    }
    if (i->status().ok() && read == 0)
      return leveldb::Status::Corruption(key.slice(), "is missing");
    return i->status();
  }

  leveldb::DB* const db_;
  const WorkloadOptions& options_;
  const Mix& mix_;
  const Records& records_;
  const Zipfian& zipfian_;
  const int t_;
  RandomNumbers numbers_;
  ValueMaker values_;
  std::string found_;
  uint64_t inserted_ = 0;
};

}  // namespace

const std::vector<std::string>& YcsbNames() {
  static const auto* const names = [] {
    auto* const all = new std::vector<std::string>;
    for (const Mix& mix : kMixes) all->push_back(mix.name);
    return all;
  }();
  return *names;
}

absl::StatusOr<PhaseResult> RunYcsbWorkload(leveldb::DB* db,
                                            const WorkloadOptions& options) {
  const Mix& mix =
      *std::find_if(std::begin(kMixes), std::end(kMixes),
                    [&](const Mix& m) { return m.name == options.work; });
  const Records records(KeyKind::kHashed, options);
  const Zipfian zipfian(records.count());
  if (!IsLoad(mix)) {
    const absl::StatusOr<PhaseResult> load =
        RunPhase(options.threads, /*time_every=*/0,
                 [&](int t, LatencyRecorder*) { return records.Load(db, t); });
    if (!load.ok()) return Annotate(load.status(), "loading");
  }
  const uint64_t threads = static_cast<uint64_t>(options.threads);
  const uint64_t operations =
      std::max(mix.scans > 0 ? records.count() / 10 : records.count(), threads);
  absl::StatusOr<PhaseResult> result =
      RunPhase(options.threads, options.time_every,
               [&](int t, LatencyRecorder* recorder) {
                 return Client(db, options, mix, records, zipfian, t)
                     .Run(records.Begin(operations, t + 1) -
                              records.Begin(operations, t),
                          recorder);
               });
  if (!result.ok()) return Annotate(result.status(), options.work);
  result->operations = operations;
  return result;
}

}  // namespace shardingdb
