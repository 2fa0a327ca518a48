// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/workload.h"

#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
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

// The value of an entry in a buffer that is used again and again.
class Value {
 public:
  explicit Value(size_t bytes) : bytes_(bytes, '\0') {}

  leveldb::Slice Of(int l, int k) {
    char* const begin = bytes_.data();
    std::memcpy(begin, "value-\0\0\0\0\0\0\0\0\0", kMinValueBytes);
    std::to_chars(begin + 6, begin + kMinValueBytes, l * k);
    return bytes_;
  }

 private:
  std::string bytes_;
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

  leveldb::Status Put(int g);
  leveldb::Status Get(int g);
  leveldb::Status NotFound(int g);
  leveldb::Status Delete(int g);
  leveldb::Status Scan(int g);

 private:
  leveldb::DB* const db_;
  DbHandle* const handle_;  // the same, if it is one
  const WorkloadOptions& options_;
};

leveldb::Status Run::Put(int g) {
  Value value(options_.value_bytes);
  leveldb::WriteBatch batch;
  for (int l = 0; l < options_.loops; ++l) {
    batch.Clear();
    for (int k = 0; k < options_.batch; ++k)
      batch.Put(Key(g, l, k).slice(), value.Of(l, k));
    const leveldb::Status status = db_->Write(leveldb::WriteOptions(), &batch);
    if (!status.ok()) return status;
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Get(int g) {
  Value value(options_.value_bytes);
  std::string found;
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 0; k < options_.batch; ++k) {
      const Key key(g, l, k);
      const leveldb::Status status =
          db_->Get(leveldb::ReadOptions(), key.slice(), &found);
      if (status.IsNotFound()) return Wrong(key.slice(), "is lost");
      if (!status.ok()) return status;
      if (value.Of(l, k) != found) return Wrong(key.slice(), "is wrong");
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::NotFound(int g) {
  std::string found;
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 0; k < options_.batch; ++k) {
      const Key key = Key::OfNoEntry(g, k);
      const leveldb::Status status =
          db_->Get(leveldb::ReadOptions(), key.slice(), &found);
      if (status.ok()) return Wrong(key.slice(), "was never written");
      if (!status.IsNotFound()) return status;
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Delete(int g) {
  for (int l = 0; l < options_.loops; ++l) {
    for (int k = 1; k < options_.batch; k += 2) {
      const leveldb::Status status =
          db_->Delete(leveldb::WriteOptions(), Key(g, l, k).slice());
      if (!status.ok()) return status;
    }
  }
  return leveldb::Status::OK();
}

leveldb::Status Run::Scan(int g) {
  Value value(options_.value_bytes);
  for (int l = 0; l < options_.loops; ++l) {
    const std::string prefix = Key::PrefixOfBatch(g, l).slice().ToString();
    const std::unique_ptr<leveldb::Iterator> i =
        PrefixIterator(db_, handle_, prefix);
    int k = 0;
    for (i->Seek(prefix); i->Valid() && i->key().starts_with(prefix);
         i->Next(), k += 2) {
      if (i->key() != Key(g, l, k).slice())
        return Wrong(i->key(), "is not the next key");
      if (i->value() != value.Of(l, k)) return Wrong(i->key(), "is wrong");
    }
    if (!i->status().ok()) return i->status();
    if (k < options_.batch) return Wrong(Key(g, l, k).slice(), "is missing");
  }
  return leveldb::Status::OK();
}

double CpuSeconds() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return absl::ToDoubleSeconds(absl::DurationFromTimeval(usage.ru_utime) +
                               absl::DurationFromTimeval(usage.ru_stime));
}

// Calls work(g) for each group, from as many threads as the options say, and
// returns the first error of the lowest thread that failed.
leveldb::Status ForEachGroup(const WorkloadOptions& options,
                             absl::FunctionRef<leveldb::Status(int)> work) {
  std::vector<leveldb::Status> results(options.threads);
  std::vector<std::thread> threads;
  for (int t = 0; t < options.threads; ++t) {
    threads.emplace_back([&, t] {
      for (int g = t; g < options.groups && results[t].ok();
           g += options.threads) {
        results[t] = work(g);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const leveldb::Status& result : results)
    if (!result.ok()) return result;
  return leveldb::Status::OK();
}

absl::Status CheckNumber(const char* what, size_t number, size_t min,
                         size_t max) {
  if (number >= min && number <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", min, " to ", max, ", not ", number));
}

}  // namespace

absl::Status CheckOptions(const WorkloadOptions& options) {
  absl::Status status = CheckNumber("groups", options.groups, 1, kMaxGroups);
  status.Update(CheckNumber("threads", options.threads, 1, options.groups));
  status.Update(CheckNumber("loops", options.loops, 1, kMaxLoops));
  status.Update(CheckNumber("batch", options.batch, 2, kMaxBatch));
  status.Update(CheckNumber("value_bytes", options.value_bytes, kMinValueBytes,
                            kMaxValueBytes));
  return status;
}

absl::StatusOr<WorkloadResult> RunWorkload(leveldb::DB* db,
                                           const WorkloadOptions& options) {
  Run run(db, options);
  const uint64_t entries = options.entries();
  const uint64_t batches = entries / options.batch;
  struct {
    leveldb::Status (Run::*work)(int);
    uint64_t operations;
  } const phases[kPhases] = {
      {&Run::Put, entries},      {&Run::Get, entries},
      {&Run::NotFound, entries}, {&Run::Delete, batches * (options.batch / 2)},
      {&Run::Scan, batches},
  };
  WorkloadResult result;
  for (size_t i = 0; i < kPhases; ++i) {
    const double cpu = CpuSeconds();
    const auto start = std::chrono::steady_clock::now();
    const leveldb::Status status = ForEachGroup(
        options,
        [&run, work = phases[i].work](int g) { return (run.*work)(g); });
    if (!status.ok()) return Annotate(ToAbslStatus(status), kPhaseNames[i]);
    result[i].operations = phases[i].operations;
    result[i].seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    result[i].cpu_seconds = CpuSeconds() - cpu;
  }
  return result;
}

}  // namespace shardingdb
