// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/printable.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

// How many bytes the character at the begin of `text`, which is not empty, has;
// 0 if it is a control character or not UTF-8.
size_t PrintableLength(absl::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const size_t length = byte(0) < 0xc0   ? 0
                        : byte(0) < 0xe0 ? 2
                        : byte(0) < 0xf0 ? 3
                        : byte(0) < 0xf8 ? 4
                                         : 0;
  if (length == 0 || text.size() < length) return 0;
  uint32_t character = byte(0) & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3f);
  }
  // The first that needs so many bytes; for two, the first behind the controls.
  constexpr uint32_t kFirst[] = {0, 0, 0xa0, 0x800, 0x10000};
  const bool is_surrogate = character >= 0xd800 && character < 0xe000;
  return character >= kFirst[length] && character < 0x110000 && !is_surrogate
             ? length
             : 0;
}

}  // namespace

std::string Printable(absl::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const size_t length = PrintableLength(text);
    if (length == 0) {
      absl::StrAppend(
          &result, "\\x",
          absl::Hex(static_cast<uint8_t>(text[0]), absl::kZeroPad2));
    } else {
      result.append(text.data(), length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace shardingdb
