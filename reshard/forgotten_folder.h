// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_FORGOTTEN_FOLDER_H_
#define SHARDINGDB_RESHARD_FORGOTTEN_FOLDER_H_

#include <vector>

#include "absl/status/status.h"
#include "leveldb/env.h"
#include "reshard/folder.h"

namespace shardingdb {

// FailedPrecondition, with the folder's name, if one of the folders of the set
// that `inputs` are of is neither among them nor among `outputs`, so that its
// entries would be left out without a word.
//
// It is known by the records (RESHARD.done) of the inputs. One counts where it
// names the folder that it is in as an output: a copy or a folder that was
// moved says nothing of the folders at the old paths. An output that it names
// is missed if a database with entries is there, and no record of another run:
// what is gone, was emptied, or belongs to another set by now is not.
[[nodiscard]] absl::Status CheckNoneForgotten(
    leveldb::Env* env, const std::vector<Folder>& inputs,
    const std::vector<Folder>& outputs = {});

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_FORGOTTEN_FOLDER_H_
