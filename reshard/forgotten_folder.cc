// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/forgotten_folder.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reshard/marker.h"

namespace shardingdb {
namespace {

bool HoldsEntriesOf(const Folder& folder, const ReshardCommand& command) {
  return folder.kind == Folder::Kind::kDatabase && !folder.is_empty_database &&
         (!folder.record.has_value() || folder.record->command == command);
}

absl::Status Forgotten(const Folder& folder, const Folder& input) {
  return absl::FailedPreconditionError(absl::StrCat(
      folder.path,
      ": is not named, but holds entries of this set: ", input.path, "/",
      kRecordName, " says that the last run there was reshard ",
      input.record->command.ToString(),
      ". Name this folder too. If the set is whole without it, remove the "
      "file ",
      kRecordName, " from the folders that are named"));
}

}  // namespace

absl::Status CheckNoneForgotten(leveldb::Env* env,
                                const std::vector<Folder>& inputs,
                                const std::vector<Folder>& outputs) {
  std::set<std::string> known;  // paths that need no look, or no other
  std::set<std::pair<uint64_t, uint64_t>> named;
  for (const std::vector<Folder>* folders : {&inputs, &outputs}) {
    for (const Folder& folder : *folders) {
      known.insert(folder.path);
      named.emplace(folder.device, folder.inode);
    }
  }
  for (const Folder& input : inputs) {
    if (!input.record.has_value()) continue;
    const std::vector<std::string>& set = input.record->command.outputs;
    if (std::count(set.begin(), set.end(), input.path) == 0) continue;
    for (const std::string& path : set) {
      if (!known.insert(path).second) continue;
      const absl::StatusOr<Folder> folder = LookAtFolder(env, path);
      if (folder.ok() && HoldsEntriesOf(*folder, input.record->command) &&
          named.count({folder->device, folder->inode}) == 0) {
        return Forgotten(*folder, input);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace shardingdb
