// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_SHARD_LABEL_H_
#define SHARDINGDB_SHARD_LABEL_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/slice.h"

namespace shardingdb {

// How the values of a set are stored.
enum class ValuesForm {
  kPlain,
  kCompressed,  // in unsealed envelopes
  kSealed,
  kUnknown,  // whoever has written the label did not know: the next one says
};

// "plain", "compressed", "sealed", "unknown": as in labels and messages.
absl::string_view NameOf(ValuesForm form);

// What a shard says of itself: which shard of which set it is. One record in
// each shard; a set is what its labels agree on. The bytes are described in
// docs/formats/shard-label.md.
//
// It tells mistakes, not attacks: whoever can write to the folders can write
// labels.
struct ShardLabel {
  std::string set_id;  // 32 hexadecimal digits, made at random with the set
  uint64_t epoch = 1;  // one more with each reshard
  uint32_t shard = 0;  // less than shard_count
  uint32_t shard_count = 1;
  std::string function;    // ShardingFunc::name()
  std::string comparator;  // leveldb::Comparator::Name()
  ValuesForm values = ValuesForm::kPlain;
  bool opaque_keys = false;

  // The empty value, sealed as the values of the set are, bound to
  // KeyCheckKey(): what does not open it does not open them. Empty where values
  // are not sealed, or where nobody could seal it.
  std::string key_check;

  // False while labels of the set are being written for the first time.
  bool stable = true;

  friend bool operator==(const ShardLabel& a, const ShardLabel& b);
  friend bool operator!=(const ShardLabel& a, const ShardLabel& b) {
    return !(a == b);
  }
};

// The key of the record, a reserved one (see reserved_key.h).
leveldb::Slice ShardLabelKey();

// What ShardLabel::key_check is bound to; there is never an entry of this key.
absl::string_view KeyCheckKey();

// REQUIRES: `label` is one that ParseShardLabel could return.
[[nodiscard]] std::string EncodeShardLabel(const ShardLabel& label);

// DataLoss for bytes that are no label or a damaged one; FailedPrecondition for
// one of a newer version. Each label has one spelling.
[[nodiscard]] absl::StatusOr<ShardLabel> ParseShardLabel(
    absl::string_view bytes);

// "shard 1 of 3"; for messages.
std::string PlaceOf(const ShardLabel& label);

}  // namespace shardingdb

#endif  // SHARDINGDB_SHARD_LABEL_H_
