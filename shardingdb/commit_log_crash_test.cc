// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sets with a commit log whose process is killed, or whose machine loses power,
// at each operation on a file: what is there afterwards is what one order of
// whole batches explains.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/write_batch.h"
#include "shardingdb/sharding_db.h"
#include "shardingdb/sharding_db_builder.h"
#include "shardingdb/sharding_func.h"
#include "testing/fault_injection_env.h"
#include "testing/power_loss_env.h"
#include "testing/status_matchers.h"
#include "testing/temp_dir.h"

namespace shardingdb {
namespace {

using State = std::map<std::string, std::string>;

// One write of a workload: some keys get its number, some go.
struct Step {
  std::vector<std::string> puts;
  std::vector<std::string> deletes;
  bool sync = false;
};

std::vector<Step> RandomSteps(uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<Step> steps(count);
  for (Step& step : steps) {
    const uint64_t keys = random() % 3 == 0 ? 1 : 2 + random() % 6;
    for (uint64_t i = 0; i < keys; ++i) {
      const std::string key = absl::StrCat("key-", random() % 16);
      (random() % 4 == 0 ? step.deletes : step.puts).push_back(key);
    }
    step.sync = random() % 4 == 0;
  }
  return steps;
}

std::string Value(size_t step) {
  return absl::StrCat(step, "-", std::string(40, 'v'));
}

void Apply(const Step& step, size_t number, State* state) {
  for (const std::string& key : step.puts) (*state)[key] = Value(number);
  for (const std::string& key : step.deletes) state->erase(key);
}

class CommitLogCrashTest : public ::testing::TestWithParam<int> {
 protected:
  CommitLogCrashTest()
      : power_(leveldb::Env::Default(), dir_.Join("trash")), env_(&power_) {
    // Power is cut in front of an operation of that number.
    env_.SetObserver([this](FileOperation, const std::string&) {
      NoteClosedLog();
      if (++operations_ == cut_at_) power_.CutPower();
    });
  }

  absl::StatusOr<std::unique_ptr<ShardingDb>> Open() {
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = &env_;
    options.write_buffer_size = 64 << 10;
    CommitLogOptions log;
    log.folder = folder_ + "/log";
    log.segment_bytes = 2000;
    std::vector<std::string> paths;
    for (int i = 0; i < GetParam(); ++i)
      paths.push_back(absl::StrCat(folder_, "/", i));
    return ShardingDbBuilder()
        .WithDbPaths(paths)
        .WithOptions(options)
        .WithCommitLog(log)
        .Build();
  }

  static State Scan(ShardingDb* db) {
    State state;
    const std::unique_ptr<leveldb::Iterator> iterator(
        db->NewIterator(leveldb::ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
      state[iterator->key().ToString()] = iterator->value().ToString();
    EXPECT_OK(iterator->status());
    return state;
  }

  // A log whose last segment is removed syncs its folder, which is no operation
  // of an Env: whoever does the next one has done that.
  void NoteClosedLog() {
    const std::string log = folder_ + "/log";
    std::vector<std::string> names;
    if (!leveldb::Env::Default()->GetChildren(log, &names).ok()) return;
    for (const std::string& name : names)
      if (absl::EndsWith(name, ".log")) return;
    power_.SyncFolder(log);
  }

  // How many operations lie between two crashes.
  uint64_t Stride() const { return 5 + 6 * GetParam(); }

  // Runs `steps`, opening the set again in the middle, until the power is cut
  // or all is done; *acknowledged is how many were, *tried how many began.
  void Run(const std::vector<Step>& steps, size_t* acknowledged,
           size_t* tried) {
    *acknowledged = *tried = 0;
    absl::StatusOr<std::unique_ptr<ShardingDb>> db = Open();
    for (size_t i = 0; i < steps.size() && db.ok(); ++i) {
      if (i == steps.size() / 2) {
        if (!(*db)->Close().ok()) return;
        db->reset();
        db = Open();
        if (!db.ok()) return;
      }
      leveldb::WriteBatch batch;
      for (const std::string& key : steps[i].puts) batch.Put(key, Value(i));
      for (const std::string& key : steps[i].deletes) batch.Delete(key);
      leveldb::WriteOptions options;
      options.sync = steps[i].sync;
      *tried = i + 1;
      if (!(*db)->Write(options, &batch).ok()) return;
      *acknowledged = i + 1;
    }
  }

  const TempDir dir_;
  std::string folder_;
  uint64_t operations_ = 0;
  uint64_t cut_at_ = 0;
  PowerLossEnv power_;
  FaultInjectionEnv env_;
};

// After a kill everything that was acknowledged is there, and what was under
// way is there or not, whole.
TEST_P(CommitLogCrashTest, AKillLeavesWholeBatches) {
  const std::vector<Step> steps = RandomSteps(7, 60);
  size_t points = 0;
  for (uint64_t at = 1;; at += Stride()) {
    SCOPED_TRACE(absl::StrCat("killed at operation ", at));
    folder_ = dir_.Join(absl::StrCat("kill-", at));
    operations_ = 0;
    cut_at_ = at;
    size_t acknowledged, tried;
    Run(steps, &acknowledged, &tried);
    const bool cut = operations_ >= at;
    cut_at_ = 0;
    if (!cut) break;
    ++points;
    ASSERT_OK(power_.RestorePower({PowerLoss::Unsynced::kKept}));

    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
    State before, after;
    for (size_t i = 0; i < acknowledged; ++i) Apply(steps[i], i, &before);
    after = before;
    if (tried > acknowledged) Apply(steps[acknowledged], acknowledged, &after);
    const State state = Scan(db.get());
    EXPECT_TRUE(state == before || state == after)
        << "acknowledged " << acknowledged << ", tried " << tried;
    ASSERT_OK(db->Close());
  }
  EXPECT_GT(points, 10);
}

// After a power loss whatever was written with `sync` is there, whole, and so
// is what came before it in the shards that it touched.
TEST_P(CommitLogCrashTest, APowerLossKeepsWhatWasSynced) {
  const std::vector<Step> steps = RandomSteps(11, 60);
  size_t points = 0;
  for (uint64_t at = 3;; at += Stride()) {
    SCOPED_TRACE(absl::StrCat("power cut at operation ", at));
    folder_ = dir_.Join(absl::StrCat("power-", at));
    operations_ = 0;
    cut_at_ = at;
    size_t acknowledged, tried;
    Run(steps, &acknowledged, &tried);
    const bool cut = operations_ >= at;
    cut_at_ = 0;
    if (!cut) break;
    ++points;
    PowerLoss loss;
    loss.unsynced =
        at % 2 == 0 ? PowerLoss::Unsynced::kLost : PowerLoss::Unsynced::kRandom;
    loss.seed = at;
    ASSERT_OK(power_.RestorePower(loss));

    ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
    const State state = Scan(db.get());
    // For each key: the last synced write of it, and all those behind it.
    for (int k = 0; k < 16; ++k) {
      const std::string key = absl::StrCat("key-", k);
      std::vector<std::string> allowed = {""};  // "" is none
      for (size_t i = 0; i < tried; ++i) {
        State one = {{key, "untouched"}};
        Apply(steps[i], i, &one);
        const auto entry = one.find(key);
        if (entry != one.end() && entry->second == "untouched") continue;
        const std::string value = entry == one.end() ? "" : entry->second;
        if (steps[i].sync && i < acknowledged) allowed.clear();
        allowed.push_back(value);
      }
      const auto found = state.find(key);
      const std::string value = found == state.end() ? "" : found->second;
      EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), value) !=
                  allowed.end())
          << key << " has \"" << value << "\", acknowledged " << acknowledged;
    }
    ASSERT_OK(db->Close());
  }
  EXPECT_GT(points, 10);
}

// A crash while what a crash has left is put right.
TEST_P(CommitLogCrashTest, ASecondKillDuringRecoveryLosesNothing) {
  const std::vector<Step> steps = RandomSteps(13, 20);
  State expected;
  for (size_t i = 0; i < steps.size(); ++i) Apply(steps[i], i, &expected);
  for (uint64_t at = 1; at < 400; at += Stride()) {
    SCOPED_TRACE(absl::StrCat("killed at operation ", at, " of the recovery"));
    folder_ = dir_.Join(absl::StrCat("twice-", at));
    cut_at_ = 0;
    {
      ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
      for (size_t i = 0; i < steps.size(); ++i) {
        leveldb::WriteBatch batch;
        for (const std::string& key : steps[i].puts) batch.Put(key, Value(i));
        for (const std::string& key : steps[i].deletes) batch.Delete(key);
        leveldb::WriteOptions sync;
        sync.sync = true;
        ASSERT_OK(db->Write(sync, &batch));
      }
      power_.CutPower();
    }
    PowerLoss loss;
    loss.unsynced =
        at % 2 == 0 ? PowerLoss::Unsynced::kLost : PowerLoss::Unsynced::kKept;
    ASSERT_OK(power_.RestorePower(loss));

    operations_ = 0;
    cut_at_ = at;
    { const absl::StatusOr<std::unique_ptr<ShardingDb>> db = Open(); }
    const bool cut = operations_ >= at;
    cut_at_ = 0;
    if (cut) {
      ASSERT_OK(power_.RestorePower(loss));
    }
    {
      ASSERT_OK_AND_ASSIGN(std::unique_ptr<ShardingDb> db, Open());
      EXPECT_EQ(Scan(db.get()), expected);
    }
    if (!cut) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, CommitLogCrashTest,
                         ::testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace shardingdb
