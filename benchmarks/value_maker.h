// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_BENCHMARKS_VALUE_MAKER_H_
#define SHARDINGDB_BENCHMARKS_VALUE_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "leveldb/slice.h"

namespace shardingdb {

enum class ValueKind {
  kZeroPadded,  // "value-", a number, and zeros: compresses to nearly nothing
  kRandom,      // bytes without a pattern: does not compress
};

// "zeropad" or "random".
absl::string_view NameOf(ValueKind kind);

// InvalidArgument for other names.
[[nodiscard]] absl::StatusOr<ValueKind> ParseValueKind(absl::string_view name);

inline constexpr size_t kMinValueBytes = 16;

// Makes the value of an entry, always the same one, in a buffer that is used
// again and again. For one thread at a time.
class ValueMaker {
 public:
  // REQUIRES: bytes >= kMinValueBytes
  ValueMaker(ValueKind kind, size_t bytes);

  // Zero-padded values have `number` in them. Random ones follow from `entry`,
  // by SplitMix64; making one takes some 0.1 µs a kilobyte. Valid until the
  // next call.
  leveldb::Slice Of(uint64_t entry, uint64_t number);

 private:
  const ValueKind kind_;
  const size_t bytes_;
  std::string buffer_;  // whole words
};

// Mixes the bits of `number` so that no pattern remains; one to one (SplitMix64
// by Steele, Lea and Flood, 2014).
inline uint64_t Mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace shardingdb

#endif  // SHARDINGDB_BENCHMARKS_VALUE_MAKER_H_
