// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_LOGGED_BATCH_H_
#define SHARDINGDB_LOGGED_BATCH_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace shardingdb {

// A batch as the commit log holds it: its updates in their order, each one byte
// for what it is (1 put, 0 delete), the length of the key (32 bits,
// little-endian) and the key, and for a put the same of the value. Equal
// batches have equal bytes. See docs/formats/commit-log.md.

// Sets *bytes to `batch`. Corruption if LevelDB cannot read the batch.
[[nodiscard]] leveldb::Status EncodeBatch(const leveldb::WriteBatch& batch,
                                          std::string* bytes);

// Sets *batch to what `bytes` hold. Corruption, and an empty batch, if that is
// no batch.
[[nodiscard]] leveldb::Status DecodeBatch(absl::string_view bytes,
                                          leveldb::WriteBatch* batch);

// Numbers in the log, little-endian.
void AppendFixed32(uint32_t number, std::string* bytes);
void AppendFixed64(uint64_t number, std::string* bytes);

// Takes a number from the front of *bytes; false, and *bytes as it was, if
// there is none.
[[nodiscard]] bool TakeFixed32(absl::string_view* bytes, uint32_t* number);
[[nodiscard]] bool TakeFixed64(absl::string_view* bytes, uint64_t* number);

}  // namespace shardingdb

#endif  // SHARDINGDB_LOGGED_BATCH_H_
