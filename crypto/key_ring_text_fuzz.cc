// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Any bytes as the text of a key ring file: as they are, and with a checksum
// that is right, which else would stop nearly all of them.

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/key_ring_text.h"
#include "testing/fuzz_target.h"
#include "testing/right_checksum.h"

namespace shardingdb {
namespace {

using crypto_internal::EncodeKeyRingText;
using crypto_internal::KeyRingText;
using crypto_internal::ParseKeyRingText;

std::string Check(absl::string_view input) {
  const absl::StatusOr<KeyRingText> text = ParseKeyRingText(input);
  if (text.ok()) {
    if (EncodeKeyRingText(*text) != input) return "has a second spelling";
    int primaries = 0;
    for (const KeyRingText::Key& key : text->keys) primaries += key.primary;
    return primaries == 1 ? "" : "has not one primary";
  }
  if (!absl::IsDataLoss(text.status()) &&
      !absl::IsUnimplemented(text.status())) {
    return absl::StrCat("another code: ", text.status().ToString());
  }
  return absl::StartsWith(text.status().message(), "line ")
             ? ""
             : absl::StrCat("no line: ", text.status().ToString());
}

}  // namespace

std::string FuzzOne(absl::string_view input) {
  const std::string error = Check(input);
  return error.empty() ? Check(WithRightChecksum(input)) : error;
}

}  // namespace shardingdb
