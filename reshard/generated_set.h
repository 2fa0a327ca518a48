// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_GENERATED_SET_H_
#define SHARDINGDB_RESHARD_GENERATED_SET_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reshard/multiset_digest.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {

// Sets for tests of resharding, and how to look at folders. A function that
// fails fails the running test.

using Entries = std::map<std::string, std::string>;

// `count` entries, the same for the same `seed`: the empty key, empty values,
// keys of all bytes, keys that are prefixes of others, 64-bit numbers, text,
// and a few values larger than LevelDB's blocks.
Entries GenerateEntries(uint64_t seed, size_t count);

// Makes LevelDBs in `folders` with `entries`, each where `function` says. Keys
// were overwritten and others deleted before, and both tables and a log hold
// some of it, as in a database that was used.
void WriteSet(const std::vector<std::string>& folders,
              const ShardingFuncPtr& function, const Entries& entries);

// All entries of one LevelDB, read without changing it.
Entries ReadFolder(const std::string& folder);

// All entries of a set, after checking that each is where `function` says and
// nowhere else.
Entries ReadSet(const std::vector<std::string>& folders,
                const ShardingFuncPtr& function);

MultisetDigest DigestOf(const Entries& entries);

// Name, size, time of change and contents of every file in `folder`, and the
// time of change of the folder.
std::map<std::string, std::string> FilesOf(const std::string& folder);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_GENERATED_SET_H_
