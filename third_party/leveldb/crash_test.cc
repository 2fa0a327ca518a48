// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// No crash leaves a database behind that is refused, or lacks what was synced,
// whatever the patches refuse.

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "testing/fault_injection_env.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"
#include "third_party/leveldb/database.h"

namespace shardingdb {
namespace {

constexpr int kKeys = 7;

// Whether logs are reused, and whether only syncing a descriptor makes names
// durable.
class CrashTest : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  CrashTest()
      : power_(leveldb::Env::Default(), dir_.Join("trash"), strict()),
        env_(&power_) {}

  static bool strict() { return std::get<1>(GetParam()); }

  // Writes, with tables and compactions, and opens it now and then, until
  // something fails. Each key counts upwards.
  void Work(uint64_t seed) {
    std::mt19937_64 random(seed);
    if (!db_->Open().ok()) return;
    for (int i = 0; i < 12; ++i) {
      const int key = static_cast<int>(random() % kKeys);
      const bool sync = random() % 2 == 0;
      ++written_[key];
      if (!db_->Put(absl::StrCat("key", key), absl::StrCat(written_[key]), sync)
               .ok()) {
        return;
      }
      acknowledged_[key] = written_[key];
      if (sync) synced_ = acknowledged_;
      if (random() % 3 == 0) {
        const leveldb::Slice begin("~1"), end("~2");
        (*db_)->CompactRange(&begin, &end);  // only writes the memtable out
      }
      if (random() % 5 == 0) (*db_)->CompactRange(nullptr, nullptr);
      if (random() % 4 == 0 && !db_->Open().ok()) return;
    }
  }

  // Lets every operation after `count` others fail, as if the process were
  // killed there.
  void KillAfter(uint64_t count) {
    FileFault fault;
    fault.skip = count;
    env_.AddFault(fault);
  }

  // As durable as its name: without the former a log has no latter.
  bool Survives() const { return !strict(); }

  // It opens, and for each key there is a value between the last synced and
  // the last written one.
  void ExpectHealthy(const std::string& when) {
    ASSERT_OK(db_->Open()) << when;
    for (int key = 0; key < kKeys; ++key) {
      const std::string value = db_->Get(absl::StrCat("key", key));
      const int count = value.find("NotFound") == 0 ? 0 : std::stoi(value);
      if (Survives()) {
        ASSERT_GE(count, synced_[key]) << when << ", key " << key;
      }
      ASSERT_LE(count, written_[key]) << when << ", key " << key;
      written_[key] = acknowledged_[key] = count;
    }
    db_->Close();
  }

  const TempDir dir_;
  PowerLossEnv power_;
  FaultInjectionEnv env_;
  std::unique_ptr<Database> db_;
  std::map<int, int> written_, acknowledged_, synced_;
};

// A process is killed at any point, and while the next one works the power
// fails at any point.
TEST_P(CrashTest, LeavesAHealthyDatabase) {
  for (uint64_t seed = 0; seed < 80; ++seed) {
    std::mt19937_64 random(seed);
    const std::string when = absl::StrCat("seed ", seed);
    // A database that was destroyed may come back with the power.
    db_ = std::make_unique<Database>(&env_, dir_.Join(absl::StrCat(seed)));
    db_->options()->reuse_logs = std::get<0>(GetParam());
    written_.clear();
    acknowledged_.clear();
    synced_.clear();

    KillAfter(random() % 120);
    Work(random());
    db_->Close();
    env_.RemoveAllFaults();
    if (random() % 4 == 0) {
      ASSERT_NO_FATAL_FAILURE(ExpectHealthy(when + ", killed"));
    }

    const uint64_t cut = random() % 120;
    uint64_t operations = 0;
    absl::Mutex mutex;
    env_.SetObserver([&](FileOperation, const std::string&) {
      absl::MutexLock lock(&mutex);
      if (++operations == cut) power_.CutPower();
    });
    Work(random());
    power_.CutPower();
    db_->Close();
    env_.SetObserver(nullptr);
    const PowerLoss::Unsynced kinds[] = {PowerLoss::Unsynced::kLost,
                                         PowerLoss::Unsynced::kKept,
                                         PowerLoss::Unsynced::kRandom};
    ASSERT_OK(power_.RestorePower({kinds[random() % 3], random()}));
    ASSERT_NO_FATAL_FAILURE(ExpectHealthy(when + ", power lost"));
    ASSERT_NO_FATAL_FAILURE(ExpectHealthy(when + ", once more"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, CrashTest,
                         testing::Combine(testing::Bool(), testing::Bool()));

}  // namespace
}  // namespace shardingdb
