// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "benchmarks/value_maker.h"

#include <charconv>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

constexpr uint64_t kSeed = 0x5348415244;  // any number, the same in each run

}  // namespace

absl::string_view NameOf(ValueKind kind) {
  return kind == ValueKind::kRandom ? "random" : "zeropad";
}

absl::StatusOr<ValueKind> ParseValueKind(absl::string_view name) {
  for (const ValueKind kind : {ValueKind::kZeroPadded, ValueKind::kRandom})
    if (name == NameOf(kind)) return kind;
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", name, "\" is no kind of values: there are zeropad and random"));
}

ValueMaker::ValueMaker(ValueKind kind, size_t bytes)
    : kind_(kind), bytes_(bytes), buffer_((bytes + 7) / 8 * 8, '\0') {}

leveldb::Slice ValueMaker::Of(uint64_t entry, uint64_t number) {
  char* const begin = buffer_.data();
  if (kind_ == ValueKind::kZeroPadded) {
    std::memcpy(begin, "value-\0\0\0\0\0\0\0\0\0", kMinValueBytes);
    std::to_chars(begin + 6, begin + kMinValueBytes, number);
  } else {
    const uint64_t first = Mixed(entry + kSeed);
    for (size_t i = 0; i < buffer_.size(); i += 8) {
      const uint64_t word = Mixed(first + i);
      std::memcpy(begin + i, &word, sizeof(word));
    }
  }
  return leveldb::Slice(begin, bytes_);
}

}  // namespace shardingdb
