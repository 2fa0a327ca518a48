// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/shard_label.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "shardingdb/checked_lines.h"
#include "shardingdb/reserved_key.h"
#include "shardingdb/sharding_func.h"

namespace shardingdb {
namespace {

constexpr char kFormat[] = "shardingdb-label";
constexpr char kVersion[] = "1";
constexpr size_t kSetIdDigits = 32;
constexpr char kNoKeyCheck[] = "none";

constexpr ValuesForm kForms[] = {ValuesForm::kPlain, ValuesForm::kCompressed,
                                 ValuesForm::kSealed, ValuesForm::kUnknown};

auto Fields(const ShardLabel& label) {
  return std::tie(label.set_id, label.epoch, label.shard, label.shard_count,
                  label.function, label.comparator, label.values,
                  label.opaque_keys, label.key_check, label.stable);
}

bool IsHex(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

// The lines of a label, one after the other: every one has its place.
class LineTaker {
 public:
  explicit LineTaker(const CheckedLines& lines) : lines_(lines.lines) {}

  // The value of the next line, which is called `name`.
  absl::string_view Take(absl::string_view name) {
    if (next_ >= lines_.size() || lines_[next_].first != name) {
      Complain(name);
      return "";
    }
    return lines_[next_++].second;
  }

  void Complain(absl::string_view name) {
    if (status_.ok()) status_ = DamagedLines(name);
  }

  absl::Status Finish() {
    if (next_ < lines_.size()) Complain(lines_[next_].first);
    return status_;
  }

 private:
  const std::vector<std::pair<absl::string_view, absl::string_view>>& lines_;
  size_t next_ = 0;
  absl::Status status_;
};

void TakePlace(absl::string_view text, LineTaker* lines, ShardLabel* label) {
  const std::vector<absl::string_view> numbers = absl::StrSplit(text, " of ");
  if (numbers.size() != 2 || !absl::SimpleAtoi(numbers[0], &label->shard) ||
      !absl::SimpleAtoi(numbers[1], &label->shard_count) ||
      label->shard_count > kMaxShards || label->shard >= label->shard_count) {
    lines->Complain("shard");
  }
}

void TakeValues(absl::string_view text, LineTaker* lines, ShardLabel* label) {
  for (const ValuesForm form : kForms) {
    if (NameOf(form) != text) continue;
    label->values = form;
    return;
  }
  lines->Complain("values");
}

// `yes` and `no` are the two values that the line may have.
bool TakeOneOf(absl::string_view name, absl::string_view yes,
               absl::string_view no, LineTaker* lines) {
  const absl::string_view text = lines->Take(name);
  if (text != yes && text != no) lines->Complain(name);
  return text == yes;
}

}  // namespace

absl::string_view NameOf(ValuesForm form) {
  switch (form) {
    case ValuesForm::kPlain:
      return "plain";
    case ValuesForm::kCompressed:
      return "compressed";
    case ValuesForm::kSealed:
      return "sealed";
    case ValuesForm::kUnknown:
      break;
  }
  return "unknown";
}

bool operator==(const ShardLabel& a, const ShardLabel& b) {
  return Fields(a) == Fields(b);
}

leveldb::Slice ShardLabelKey() {
  static const auto* const kKey =
      new std::string(absl::StrCat(kReservedKeyPrefix, "label"));
  return *kKey;
}

absl::string_view KeyCheckKey() {
  static const auto* const kKey =
      new std::string(absl::StrCat(kReservedKeyPrefix, "key-check"));
  return *kKey;
}

std::string EncodeShardLabel(const ShardLabel& label) {
  CheckedLinesWriter lines(kFormat, kVersion);
  lines.Add("set", label.set_id);
  lines.Add("epoch", absl::StrCat(label.epoch));
  lines.Add("shard", absl::StrCat(label.shard, " of ", label.shard_count));
  lines.Add("function", absl::CEscape(label.function));
  lines.Add("comparator", absl::CEscape(label.comparator));
  lines.Add("values", NameOf(label.values));
  lines.Add("keys", label.opaque_keys ? "opaque" : "clear");
  lines.Add("key-check", label.key_check.empty()
                             ? kNoKeyCheck
                             : absl::BytesToHexString(label.key_check));
  lines.Add("state", label.stable ? "stable" : "creating");
  return lines.Finish();
}

absl::StatusOr<ShardLabel> ParseShardLabel(absl::string_view bytes) {
  const absl::StatusOr<CheckedLines> parsed =
      ParseCheckedLines(bytes, kFormat, "a shard label", {kVersion});
  if (!parsed.ok()) return parsed.status();
  LineTaker lines(*parsed);
  ShardLabel label;
  label.set_id = std::string(lines.Take("set"));
  if (label.set_id.size() != kSetIdDigits || !IsHex(label.set_id)) {
    lines.Complain("set");
  }
  if (!absl::SimpleAtoi(lines.Take("epoch"), &label.epoch) ||
      label.epoch == 0) {
    lines.Complain("epoch");
  }
  TakePlace(lines.Take("shard"), &lines, &label);
  if (!absl::CUnescape(lines.Take("function"), &label.function) ||
      label.function.empty()) {
    lines.Complain("function");
  }
  if (!absl::CUnescape(lines.Take("comparator"), &label.comparator)) {
    lines.Complain("comparator");
  }
  TakeValues(lines.Take("values"), &lines, &label);
  label.opaque_keys = TakeOneOf("keys", "opaque", "clear", &lines);
  const absl::string_view check = lines.Take("key-check");
  if (check != kNoKeyCheck) {
    if (check.size() % 2 != 0 || !IsHex(check)) lines.Complain("key-check");
    label.key_check = absl::HexStringToBytes(check);
  }
  label.stable = TakeOneOf("state", "stable", "creating", &lines);
  const absl::Status status = lines.Finish();
  if (!status.ok()) return status;
  // Numbers with a sign, other escapes: nothing that this project has written.
  if (EncodeShardLabel(label) != bytes) return DamagedLines("spelling");
  return label;
}

std::string PlaceOf(const ShardLabel& label) {
  return absl::StrCat("shard ", label.shard, " of ", label.shard_count);
}

}  // namespace shardingdb
