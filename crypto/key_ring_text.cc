// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/key_ring_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "crypto/decimal.h"
#include "crypto/hex.h"
#include "crypto/kek.h"
#include "crypto/sha256.h"

namespace shardingdb::crypto_internal {
namespace {

constexpr absl::string_view kFormat = "shardingdb-keyring";
// In the place of the bytes of a key that is dropped.
constexpr absl::string_view kNoKey = "-";
constexpr absl::string_view kPrf = "prf";
// Lines: format, ring, kek, check, the keys, perhaps prf, seal, checksum.
constexpr size_t kLinesBeforeKeys = 4;
constexpr size_t kLinesBehindKeys = 2;

std::string ChecksumOf(absl::string_view text) {
  const Sha256::Digest digest = Sha256::Of(text);
  return EncodeHex(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

absl::string_view NameOf(const KeyRingText::Key& key) {
  if (key.primary) return "primary";
  switch (key.state) {
    case KeyState::kEnabled:
      return "enabled";
    case KeyState::kDisabled:
      return "disabled";
    case KeyState::kDropped:
      return "dropped";
  }
  return "";
}

// `line` counts from 0, people from 1.
absl::Status Damaged(size_t line, absl::string_view what) {
  return absl::DataLossError(absl::StrCat("line ", line + 1, ": ", what));
}

// The value of a line "name value".
absl::StatusOr<absl::string_view> ValueOf(
    const std::vector<absl::string_view>& lines, size_t line,
    absl::string_view name) {
  absl::string_view text = lines[line];
  if (!absl::StartsWith(text, name) || text.size() <= name.size() ||
      text[name.size()] != ' ') {
    return Damaged(line, absl::StrCat("must be '", name, "' and a value"));
  }
  return text.substr(name.size() + 1);
}

// The same, where the value is `size` bytes in hexadecimal digits.
absl::StatusOr<std::string> BytesOf(const std::vector<absl::string_view>& lines,
                                    size_t line, absl::string_view name,
                                    size_t size) {
  const absl::StatusOr<absl::string_view> value = ValueOf(lines, line, name);
  if (!value.ok()) return value.status();
  std::optional<std::string> bytes = DecodeHex(*value);
  if (!bytes.has_value() || bytes->size() != size) {
    return Damaged(line, absl::StrCat(name, ": must be ", size,
                                      " bytes in hexadecimal digits"));
  }
  return *std::move(bytes);
}

absl::StatusOr<std::string> TokenOf(const std::vector<absl::string_view>& lines,
                                    size_t line) {
  const absl::StatusOr<absl::string_view> token = ValueOf(lines, line, "kek");
  if (!token.ok()) return token.status();
  if (token->empty() || token->size() > KekProvider::kMaxTokenSize ||
      std::any_of(token->begin(), token->end(),
                  [](char c) { return c < ' ' || c > '~'; })) {
    return Damaged(line, "kek: must be printable characters, and not too many");
  }
  return std::string(*token);
}

absl::StatusOr<KeyRingText::Key> KeyOf(
    const std::vector<absl::string_view>& lines, size_t line) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(lines[line], ' ');
  if (fields[0] != "key" || fields.size() != 5) {
    return Damaged(line, "must be 'key', an id, a time, a state, a key");
  }
  const std::optional<uint64_t> id = DecodeDecimal(fields[1], UINT32_MAX);
  if (!id.has_value() || *id == 0) return Damaged(line, "bad key id");
  const std::optional<uint64_t> created = DecodeDecimal(fields[2], kMaxCreated);
  if (!created.has_value()) return Damaged(line, "bad time");
  KeyRingText::Key key;
  key.id = static_cast<uint32_t>(*id);
  key.created = static_cast<int64_t>(*created);
  key.primary = fields[3] == "primary";
  if (fields[3] == "disabled") key.state = KeyState::kDisabled;
  if (fields[3] == "dropped") key.state = KeyState::kDropped;
  if (fields[3] != NameOf(key)) return Damaged(line, "bad state");
  if (key.state == KeyState::kDropped) {
    if (fields[4] == kNoKey) return key;
    return Damaged(line, "a dropped key must be '-'");
  }
  std::optional<std::string> wrapped = DecodeHex(fields[4]);
  if (!wrapped.has_value() || wrapped->size() != kWrappedKeySize) {
    return Damaged(line, absl::StrCat("a wrapped key must be ", kWrappedKeySize,
                                      " bytes in hexadecimal digits"));
  }
  key.wrapped = *std::move(wrapped);
  return key;
}

absl::Status CheckFormat(absl::string_view text, absl::string_view line) {
  if (text.empty()) return Damaged(0, "the file is empty");
  const std::string known = absl::StrCat(kFormat, " ", kKeyRingVersion + 0);
  if (line == known) return absl::OkStatus();
  const absl::string_view version =
      line.substr(std::min(line.size(), kFormat.size() + 1));
  if (absl::StartsWith(line, absl::StrCat(kFormat, " ")) &&
      DecodeDecimal(version, UINT32_MAX).has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("line 1: this program is older than the file: it knows "
                     "version ",
                     kKeyRingVersion + 0, ", not ", version));
  }
  return Damaged(0, absl::StrCat("not a key ring: must be '", known, "'"));
}

// Ids occur once, and one key is the primary.
absl::Status CheckKeys(const std::vector<KeyRingText::Key>& keys) {
  std::vector<std::pair<uint32_t, size_t>> ids;
  bool has_primary = false;
  for (size_t i = 0; i < keys.size(); ++i) {
    ids.emplace_back(keys[i].id, i);
    if (!keys[i].primary) continue;
    if (has_primary) return Damaged(kLinesBeforeKeys + i, "a second primary");
    has_primary = true;
  }
  std::sort(ids.begin(), ids.end());
  for (size_t i = 1; i < ids.size(); ++i) {
    if (ids[i].first == ids[i - 1].first) {
      return Damaged(
          kLinesBeforeKeys + ids[i].second,
          absl::StrCat("key id ", ids[i].first, " for a second time"));
    }
  }
  if (!has_primary) {
    return Damaged(kLinesBeforeKeys + keys.size(), "no primary before it");
  }
  return absl::OkStatus();
}

}  // namespace

KeyRingText::Key* FindKey(uint32_t id, KeyRingText* text) {
  for (KeyRingText::Key& key : text->keys) {
    if (key.id == id) return &key;
  }
  return nullptr;
}

const KeyRingText::Key& PrimaryOf(const KeyRingText& text) {
  return *std::find_if(text.keys.begin(), text.keys.end(),
                       [](const KeyRingText::Key& key) { return key.primary; });
}

size_t LineOfKey(size_t index) { return kLinesBeforeKeys + index + 1; }

size_t LineOfPrf(const KeyRingText& text) {
  return LineOfKey(text.keys.size());
}

size_t LineOfSeal(const KeyRingText& text) {
  return LineOfKey(text.keys.size() + (text.prf.empty() ? 0 : 1));
}

std::string EncodeUnsealed(const KeyRingText& text) {
  std::string encoded = absl::StrCat(
      kFormat, " ", kKeyRingVersion + 0, "\nring ", EncodeHex(text.ring_id),
      "\nkek ", text.kek, "\ncheck ", EncodeHex(text.check), "\n");
  for (const KeyRingText::Key& key : text.keys) {
    absl::StrAppend(&encoded, "key ", key.id, " ", key.created, " ",
                    NameOf(key), " ",
                    key.state == KeyState::kDropped ? std::string(kNoKey)
                                                    : EncodeHex(key.wrapped),
                    "\n");
  }
  if (!text.prf.empty())
    absl::StrAppend(&encoded, kPrf, " ", EncodeHex(text.prf), "\n");
  return encoded;
}

std::string EncodeKeyRingText(const KeyRingText& text) {
  std::string encoded = EncodeUnsealed(text);
  absl::StrAppend(&encoded, "seal ", EncodeHex(text.seal), "\n");
  absl::StrAppend(&encoded, "checksum ", ChecksumOf(encoded), "\n");
  return encoded;
}

absl::StatusOr<KeyRingText> ParseKeyRingText(absl::string_view text) {
  std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  const absl::Status format = CheckFormat(text, lines[0]);
  if (!format.ok()) return format;
  // Every line ends with a line feed, the last one too.
  if (!lines.back().empty()) return Damaged(lines.size() - 1, "cut off");
  lines.pop_back();
  if (lines.size() < kLinesBeforeKeys + 1 + kLinesBehindKeys ||
      !absl::StartsWith(lines.back(), "checksum ")) {
    return Damaged(lines.size() - 1, "the file is cut off behind it");
  }
  const size_t last = lines.size() - 1;
  const absl::string_view covered =
      text.substr(0, static_cast<size_t>(lines[last].data() - text.data()));
  // First, as what comes now would only tell where, and mostly what.
  const bool intact =
      lines[last] == absl::StrCat("checksum ", ChecksumOf(covered));

  KeyRingText fields;
  absl::StatusOr<std::string> bytes = BytesOf(lines, 1, "ring", kRingIdSize);
  if (!bytes.ok()) return bytes.status();
  fields.ring_id = *std::move(bytes);
  bytes = TokenOf(lines, 2);
  if (!bytes.ok()) return bytes.status();
  fields.kek = *std::move(bytes);
  bytes = BytesOf(lines, 3, "check", kRingCheckSize);
  if (!bytes.ok()) return bytes.status();
  fields.check = *std::move(bytes);
  size_t behind_keys = last + 1 - kLinesBehindKeys;
  if (behind_keys > kLinesBeforeKeys + 1 &&
      absl::StartsWith(lines[behind_keys - 1], absl::StrCat(kPrf, " "))) {
    --behind_keys;
    bytes = BytesOf(lines, behind_keys, kPrf, kWrappedKeySize);
    if (!bytes.ok()) return bytes.status();
    fields.prf = *std::move(bytes);
  }
  for (size_t line = kLinesBeforeKeys; line < behind_keys; ++line) {
    absl::StatusOr<KeyRingText::Key> key = KeyOf(lines, line);
    if (!key.ok()) return key.status();
    fields.keys.push_back(*std::move(key));
  }
  bytes = BytesOf(lines, last - 1, "seal", kRingSealSize);
  if (!bytes.ok()) return bytes.status();
  fields.seal = *std::move(bytes);
  if (!intact) {
    return Damaged(last, "checksum: the file is not what was written");
  }
  const absl::Status keys = CheckKeys(fields.keys);
  if (!keys.ok()) return keys;
  return fields;
}

}  // namespace shardingdb::crypto_internal
