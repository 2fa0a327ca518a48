// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_RESHARD_RUN_H_
#define SHARDINGDB_RESHARD_RESHARD_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/env.h"
#include "reshard/folder_lock.h"
#include "reshard/markers.h"
#include "reshard/mover.h"
#include "reshard/multiset_digest.h"
#include "reshard/offline_reshard.h"
#include "reshard/open_set.h"
#include "reshard/plan.h"
#include "reshard/progress.h"
#include "reshard/run_context.h"
#include "shardingdb/rate_limiter.h"
#include "shardingdb/set_layout.h"
#include "shardingdb/shard_label.h"

namespace shardingdb {

// One call of Reshard. The steps are those of docs/resharding.md. For one call
// of Execute, from one thread.
class ReshardRun {
 public:
  // `options` must outlive it.
  explicit ReshardRun(const ReshardOptions& options);
  ReshardRun(const ReshardRun&) = delete;
  ReshardRun& operator=(const ReshardRun&) = delete;

  [[nodiscard]] absl::StatusOr<ReshardResult> Execute();

 private:
  absl::Status Plan();
  absl::Status Lock();
  // What is named as it was when it was locked: before anything that cannot be
  // taken back.
  absl::Status CheckFoldersInPlace() const;
  absl::Status OpenInputs();
  absl::Status TakeSurvey();
  absl::Status Mark();
  // Those that are there or marked, or all.
  absl::Status OpenOutputs(bool existing_only);
  // A new output that was there already.
  absl::Status CheckNoEntries(size_t output);
  // Reads the labels of the inputs, and refuses what is not one whole set.
  absl::Status CheckLabels();
  // Whether the outputs are labelled as what they are now.
  bool LabelsFit() const;
  // Gives the outputs new labels, and takes those of emptied inputs.
  absl::Status PutLabels();
  // What of a new label is not that of one shard.
  absl::StatusOr<ShardLabel> NewLabel() const;

  // Looks whether an input that is open holds values in the form that it is
  // said to have, and opens them from now on.
  absl::Status OpenInputValues(size_t input);
  // From one layout to another.
  absl::Status Move();
  absl::Status Copy();
  absl::Status Verify(absl::string_view phase, bool allow_strays);
  // Checks that each entry is in its place, and takes what there is for the
  // set.
  absl::Status TakeOutputsAsTheyAre();
  absl::Status Delete();
  absl::Status Finish();
  absl::Status FinishEarlierRun();
  // A migration that has finished before.
  absl::Status LookAtResult();
  // Reads what the inputs hold.
  absl::StatusOr<MultisetDigest> ReadInputs();

  // Another form of the values in folders that stay as they are.
  absl::Status Recode();
  absl::Status SurveyValues(uint64_t* to_rewrite);
  absl::Status VerifyRecoded();
  absl::Status FinishRecoding();
  absl::Status FinishEarlierRecoding();
  absl::Status LookAtRecoded();
  // Files that LevelDB does not know may hold old values.
  void WarnOfOtherFiles();

  bool NothingToDo() const;
  void DescribePlan();
  void SayRepeated(const Tally& tally);
  uint64_t SizeOfOutputs() const;

  const ReshardOptions& options_;
  leveldb::Env* const env_;
  Progress silence_{Progress::Options()};
  RateLimiter limiter_;
  ReshardPlan plan_;
  std::vector<std::unique_ptr<FolderLock>> locks_;  // by member
  std::unique_ptr<OpenSet> set_;                    // goes before the locks
  RunContext run_;
  Markers markers_{run_};
  std::vector<FoundShard> labels_;  // by member; of the inputs only
  std::optional<Tally> survey_;     // in place only
  Tally copied_;
  ReshardResult result_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_RESHARD_RUN_H_
