// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/prefix_sharding.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "leveldb/db.h"
#include "leveldb/slice.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

constexpr char kDelimiter[] = "prefix:delimiter=";
constexpr char kLength[] = "prefix:length=";
constexpr size_t kMaxPrefixLength = 65535;

class DelimiterSharding final : public AnyPrefixSharding {
 public:
  explicit DelimiterSharding(char delimiter)
      : AnyPrefixSharding(absl::StrCat(
            kDelimiter,
            absl::BytesToHexString(absl::string_view(&delimiter, 1)))),
        delimiter_(delimiter) {}

  bool IsPossible() const override { return true; }

 protected:
  std::optional<size_t> PrefixLength(const leveldb::Slice& key) const override {
    if (key.empty()) return std::nullopt;
    const void* const found = std::memchr(key.data(), delimiter_, key.size());
    if (found == nullptr) return std::nullopt;
    return static_cast<const char*>(found) - key.data() + 1;
  }

 private:
  const char delimiter_;
};

class LengthSharding final : public AnyPrefixSharding {
 public:
  explicit LengthSharding(size_t length)
      : AnyPrefixSharding(absl::StrCat(kLength, length)), length_(length) {}

  bool IsPossible() const override {
    return length_ >= 1 && length_ <= kMaxPrefixLength;
  }

 protected:
  std::optional<size_t> PrefixLength(const leveldb::Slice& key) const override {
    if (key.size() < length_) return std::nullopt;
    return length_;
  }

 private:
  const size_t length_;
};

// Whether all keys below `limit` that are not below `prefix` begin with it.
bool EndsWithinPrefix(const leveldb::Slice& limit,
                      const leveldb::Slice& prefix) {
  // The first key behind all that begin with `prefix`; empty: there is none.
  std::string end = prefix.ToString();
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) {
    end.pop_back();
  }
  if (end.empty()) return true;
  ++end.back();
  return !limit.empty() && limit.compare(end) <= 0;
}

}  // namespace

uint32_t AnyPrefixSharding::ShardOf(const leveldb::Slice& key,
                                    uint32_t shard_count) const {
  const size_t length = PrefixLength(key).value_or(key.size());
  return base_->ShardOf(leveldb::Slice(key.data(), length), shard_count);
}

std::optional<uint32_t> AnyPrefixSharding::ShardOfRange(
    const leveldb::Range& range, uint32_t shard_count) const {
  const std::optional<size_t> length = PrefixLength(range.start);
  if (length.has_value() &&
      EndsWithinPrefix(range.limit,
                       leveldb::Slice(range.start.data(), *length))) {
    return ShardOf(range.start, shard_count);
  }
  return ShardingFunc::ShardOfRange(range, shard_count);
}

ShardingFuncPtr PrefixSharding(char delimiter) {
  return std::make_shared<DelimiterSharding>(delimiter);
}

ShardingFuncPtr PrefixLengthSharding(size_t length) {
  return std::make_shared<LengthSharding>(length);
}

absl::StatusOr<ShardingFuncPtr> ParsePrefixSharding(absl::string_view name) {
  absl::string_view text = name;
  if (absl::ConsumePrefix(&text, kDelimiter)) {
    if (text.size() == 2 &&
        absl::ascii_isxdigit(static_cast<unsigned char>(text[0])) &&
        absl::ascii_isxdigit(static_cast<unsigned char>(text[1]))) {
      return PrefixSharding(absl::HexStringToBytes(text)[0]);
    }
  } else if (absl::ConsumePrefix(&text, kLength)) {
    size_t length = 0;
    if (absl::SimpleAtoi(text, &length) && absl::StrCat(length) == text &&
        length >= 1 && length <= kMaxPrefixLength) {
      return PrefixLengthSharding(length);
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "sharding function \"", absl::CHexEscape(name),
      "\": the prefix functions are prefix:delimiter=XX (two hexadecimal "
      "digits) and prefix:length=N (1 to ",
      kMaxPrefixLength, ")"));
}

}  // namespace shardingdb
