// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The labels of the sets that a run reads and writes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/options.h"
#include "reshard/durable.h"
#include "reshard/labels_of_set.h"
#include "reshard/reshard_run.h"
#include "reshard/storage_error.h"
#include "shardingdb/set_labels.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// Leaves nothing of a label in any file, if there is one.
absl::Status RemoveLabel(leveldb::DB* db) {
  std::string ignored;
  leveldb::Status status =
      db->Get(leveldb::ReadOptions(), ShardLabelKey(), &ignored);
  if (status.IsNotFound()) return absl::OkStatus();
  if (status.ok()) {
    status = db->Delete(leveldb::WriteOptions(), ShardLabelKey());
  }
  if (!status.ok()) return ToAbslStatus(status);
  db->CompactRange(nullptr, nullptr);
  return ToAbslStatus(SyncToDisk(db));
}

}  // namespace

absl::Status ReshardRun::CheckLabels() {
  labels_.assign(plan_.members.size(), FoundShard());
  std::vector<size_t> inputs;
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    const ReshardPlan::Member& member = plan_.members[i];
    // In place, what an earlier run has put into an output belongs to the set.
    if (member.is_input || (plan_.in_place && member.holds_result)) {
      inputs.push_back(i);
    }
  }
  absl::StatusOr<std::vector<FoundShard>> found = ReadLabels(*set_, inputs);
  if (!found.ok()) return found.status();
  // A run that was interrupted has looked before it changed any.
  const bool looked = plan_.in_place && plan_.resumes();
  if (!looked) {
    const absl::Status status =
        CheckOneSet(*found, options_.give_up_missing_shards);
    if (!status.ok()) {
      return absl::Status(
          status.code(),
          absl::StrCat(status.message(),
                       options_.give_up_missing_shards
                           ? ""
                           : "; the inputs must be all shards of one set "
                             "(--give-up-missing-shards does without those "
                             "that are lost)"));
    }
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const FoundShard& shard = (*found)[i];
    if (!looked && options_.function == nullptr && shard.label.has_value() &&
        shard.label->function != plan_.function->name()) {
      return absl::FailedPreconditionError(absl::StrCat(
          shard.name, ": is a shard by the sharding function \"",
          shard.label->function, "\"; say --sharding=", shard.label->function,
          " to keep it, or --sharding=", plan_.function->name(),
          " to change it"));
    }
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    labels_[inputs[i]] = std::move((*found)[i]);
  }
  return absl::OkStatus();
}

bool ReshardRun::LabelsFit() const {
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    if (!labels_[i].label.has_value()) continue;
    const ShardLabel& label = *labels_[i].label;
    if (!plan_.members[i].shard.has_value() ||
        label.shard != *plan_.members[i].shard ||
        label.shard_count != plan_.outputs.size() ||
        label.function != plan_.function->name()) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<ShardLabel> ReshardRun::NewLabel() const {
  ShardLabel label;
  label.values = ValuesForm::kUnknown;
  uint64_t least = 0;
  uint64_t most = 0;
  for (const FoundShard& input : labels_) {
    if (!input.label.has_value()) continue;
    if (most == 0) {
      label.set_id = input.label->set_id;
      label.values = input.label->values;
      label.opaque_keys = input.label->opaque_keys;
      label.key_check = input.label->key_check;
    }
    least =
        most == 0 ? input.label->epoch : std::min(least, input.label->epoch);
    most = std::max(most, input.label->epoch);
  }
  // Where they differ, a run that was interrupted has begun with the next one.
  label.epoch = least == most ? most + 1 : most;
  label.shard_count = static_cast<uint32_t>(plan_.outputs.size());
  label.function = plan_.function->name();
  label.comparator = leveldb::BytewiseComparator()->Name();
  if (label.set_id.empty() || !plan_.in_place) {
    absl::StatusOr<std::string> id = NewSetId();
    if (!id.ok()) return id.status();
    label.set_id = *std::move(id);
  }
  if (!plan_.command.values.change()) return label;
  const ValueCodec& values = options_.out_values;
  label.values = values.compressed            ? ValuesForm::kCompressed
                 : values.key_ring == nullptr ? ValuesForm::kPlain
                                              : ValuesForm::kSealed;
  label.opaque_keys = values.opaque_keys;
  label.key_check.clear();
  if (label.values != ValuesForm::kSealed) return label;
  absl::StatusOr<std::string> check = SealKeyCheck(*values.aead);
  if (!check.ok()) return check.status();
  label.key_check = *std::move(check);
  return label;
}

absl::Status ReshardRun::PutLabels() {
  absl::StatusOr<ShardLabel> label = NewLabel();
  if (!label.ok()) return label.status();
  for (size_t shard = 0; shard < plan_.outputs.size(); ++shard) {
    const size_t output = plan_.outputs[shard];
    label->shard = static_cast<uint32_t>(shard);
    const absl::Status status = NameDamage(
        env_, run_.path(output),
        Annotate(WriteLabel(set_->stored(output), *label), run_.path(output)));
    if (!status.ok()) return status;
    run_.Passed("label written");
  }
  for (size_t i = 0; i < plan_.members.size(); ++i) {
    if (plan_.members[i].shard.has_value() || !plan_.in_place) continue;
    const absl::Status status = RemoveLabel(set_->stored(i));
    if (!status.ok()) return Annotate(status, run_.path(i));
    run_.Passed("label removed");
  }
  return absl::OkStatus();
}

}  // namespace shardingdb
