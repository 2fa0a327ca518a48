// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/paper_workload.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "benchmarks/value_maker.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "shardingdb/db_handle.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// A key, made with a few stores so that its text costs little beside the
// database's work.
class Key {
 public:
  // "key-GG-LLL-KKK"
  Key(int g, int l, int k) : Key("key-00-000-000") {
    SetDigits(4, 2, g);
    SetDigits(7, 3, l);
    SetDigits(11, 3, k);
  }

  // "key-GG-KKK-x"
  static Key OfNoEntry(int g, int k) {
    Key key("key-00-000-x");
    key.SetDigits(4, 2, g);
    key.SetDigits(7, 3, k);
    return key;
  }

  // "key-GG-LLL-"
  static Key PrefixOfBatch(int g, int l) {
    Key key("key-00-000-");
    key.SetDigits(4, 2, g);
    key.SetDigits(7, 3, l);
    return key;
  }

  leveldb::Slice slice() const { return leveldb::Slice(bytes_, size_); }

 private:
  template <size_t N>
  explicit Key(const char (&text)[N]) : size_(N - 1) {
    static_assert(N <= sizeof(bytes_));
    std::memcpy(bytes_, text, N);
  }

  void SetDigits(int begin, int count, int number) {
    for (int i = begin + count - 1; i >= begin; --i, number /= 10)
      bytes_[i] = static_cast<char>('0' + number % 10);
  }

  char bytes_[16];
  size_t size_;
};

leveldb::Status Wrong(const leveldb::Slice& key, const char* what) {
  return leveldb::Status::Corruption(key, what);
}

// Shows the entries of one prefix.
std::unique_ptr<leveldb::Iterator> PrefixIterator(leveldb::DB* db,
                                                  DbHandle* handle,
                                                  const std::string& prefix) {
  if (handle == nullptr) {
    return std::unique_ptr<leveldb::Iterator>(
        db->NewIterator(leveldb::ReadOptions()));
  }
  std::string limit = prefix;
  ++limit.back();  // is no 0xff
  return handle->NewRangeIterator(leveldb::ReadOptions(),
                                  leveldb::Range(prefix, limit));
}

// One run of the work.
class Run {
 public:
  Run(leveldb::DB* db, const WorkloadOptions& options)
      : db_(db), handle_(dynamic_cast<DbHandle*>(db)), options_(options) {}

  leveldb::Status Put(int g, LatencyRecorder* recorder);
  leveldb::Status Get(int g, LatencyRecorder* recorder);
  leveldb::Status NotFound(int g, LatencyRecorder* recorder);
  leveldb::Status Delete(int g, LatencyRecorder* recorder);
  leveldb::Status Scan(int g, LatencyRecorder* recorder);

 private:
  // Which of all entries this is.
  uint64_t Entry(int g, int l, int k) const {
    return (uint64_t{1} * g * options_.loops + l) * options_.batch + k;
  }

  leveldb::Status ScanBatch(int g, int l, ValueMaker* values);

  leveldb::DB* const db_;
  DbHandle* const handle_;  // the same, if it is one
  const WorkloadOptions& options_;
};

leveldb::Status Run::Put(int g, LatencyRecorder* recorder) {
  ValueMaker values(options_.values, options_.value_bytes);
  leveldb::WriteBatch batch;
  for (int l = 0; l < options_.loops; ++l) {
    batch.Clear();
    for (int k = 0; k < options_.batch; ++k)
      batch.Put(Key(g, l, k).slice(), values.Of(Entry(g, l, k), l * k));
    const leveldb::Status status = recorder->Time(
        [&] { return db_->Write(leveldb::WriteOptions(), &batch); });
    if (!status.ok()) return status;
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Get(int g, LatencyRecorder* recorder) {
  ValueMaker values(options_.values, options_.value_bytes);
  std::string found;
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 0; k < options_.batch; ++k) {
      const Key key(g, l, k);
      const leveldb::Status status = recorder->Time([&] {
        return db_->Get(leveldb::ReadOptions(), key.slice(), &found);
      });
      if (status.IsNotFound()) return Wrong(key.slice(), "is lost");
      if (!status.ok()) return status;
      if (values.Of(Entry(g, l, k), l * k) != found)
        return Wrong(key.slice(), "is wrong");
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::NotFound(int g, LatencyRecorder* recorder) {
  std::string found;
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 0; k < options_.batch; ++k) {
      const Key key = Key::OfNoEntry(g, k);
      const leveldb::Status status = recorder->Time([&] {
        return db_->Get(leveldb::ReadOptions(), key.slice(), &found);
      });
      if (status.ok()) return Wrong(key.slice(), "was never written");
      if (!status.IsNotFound()) return status;
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Delete(int g, LatencyRecorder* recorder) {
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 1; k < options_.batch; k += 2) {
      const Key key(g, l, k);
      const leveldb::Status status = recorder->Time(
          [&] { return db_->Delete(leveldb::WriteOptions(), key.slice()); });
      if (!status.ok()) return status;
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Scan(int g, LatencyRecorder* recorder) {
  ValueMaker values(options_.values, options_.value_bytes);
  for (int l = 0; l < options_.loops; ++l) {
    const leveldb::Status status =
        recorder->Time([&] { return ScanBatch(g, l, &values); });
    if (!status.ok()) return status;
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::ScanBatch(int g, int l, ValueMaker* values) {
  const std::string prefix = Key::PrefixOfBatch(g, l).slice().ToString();
  const std::unique_ptr<leveldb::Iterator> i =
      PrefixIterator(db_, handle_, prefix);
  int k = 0;
  for (i->Seek(prefix); i->Valid() && i->key().starts_with(prefix);
       i->Next(), k += 2) {
    if (i->key() != Key(g, l, k).slice())
      return Wrong(i->key(), "is not the next key");
    if (i->value() != values->Of(Entry(g, l, k), l * k))
      return Wrong(i->key(), "is wrong");
  }
  if (!i->status().ok()) return i->status();
  if (k < options_.batch) return Wrong(Key(g, l, k).slice(), "is missing");
  return leveldb::Status::OK();
}

}  // namespace

absl::StatusOr<WorkloadResult> RunPaperWorkload(
    leveldb::DB* db, const WorkloadOptions& options) {
  Run run(db, options);
  const uint64_t entries = options.entries();
  const uint64_t batches = entries / options.batch;
  const int every = options.time_every;
  const int each = std::min(every, 1);  // unless none is to be timed
  struct {
    leveldb::Status (Run::*work)(int, LatencyRecorder*);
    uint64_t operations;
    int time_every;
  } const phases[] = {
      {&Run::Put, entries, each},
      {&Run::Get, entries, every},
      {&Run::NotFound, entries, every},
      {&Run::Delete, batches * (options.batch / 2), every},
      {&Run::Scan, batches, each},
  };
  WorkloadResult results;
  for (size_t i = 0; i < kPaperPhaseNames.size(); ++i) {
    const auto groups_of = [&](int t, LatencyRecorder* recorder) {
      leveldb::Status status;
      for (int g = t; g < options.groups && status.ok(); g += options.threads)
        status = (run.*phases[i].work)(g, recorder);
      return status;
    };
    absl::StatusOr<PhaseResult> result =
        RunPhase(options.threads, phases[i].time_every, groups_of);
    if (!result.ok()) return Annotate(result.status(), kPaperPhaseNames[i]);
    results[i] = *result;
    results[i].operations = phases[i].operations;
  }
  return results;
}

}  // namespace shardingdb
