// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/manifest_log.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace shardingdb {
namespace {

// The format of LevelDB's doc/log_format.md.
constexpr size_t kBlockSize = 32768;
constexpr size_t kHeaderSize = 7;
enum RecordType { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

// The records of a log up to the first that is cut off or makes no sense.
// Checksums are LevelDB's business.
std::vector<std::string> RecordsOf(absl::string_view bytes) {
  std::vector<std::string> records;
  std::string record;
  size_t at = 0;
  while (at + kHeaderSize <= bytes.size()) {
    const size_t left = kBlockSize - at % kBlockSize;
    if (left < kHeaderSize) {
      at += left;
      continue;
    }
    const auto byte = [&](size_t i) {
      return static_cast<unsigned char>(bytes[at + i]);
    };
    const size_t length = byte(4) | byte(5) << 8;
    const int type = byte(6);
    if (type < kFull || type > kLast || kHeaderSize + length > left ||
        at + kHeaderSize + length > bytes.size()) {
      break;
    }
    if (type == kFull || type == kFirst) record.clear();
    const absl::string_view part = bytes.substr(at + kHeaderSize, length);
    record.append(part.data(), part.size());
    if (type == kFull || type == kLast) records.push_back(record);
    at += kHeaderSize + length;
  }
  return records;
}

// Takes fields from the front of a record; once one is cut off, ok() is false.
class Fields {
 public:
  explicit Fields(absl::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  bool done() const { return !ok_ || bytes_.empty(); }

  uint64_t Number() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= static_cast<uint64_t>(byte & 127) << shift;
      if (byte < 128) return number;
    }
    ok_ = false;
    return 0;
  }

  void SkipString() {
    const uint64_t length = Number();
    ok_ = ok_ && length <= bytes_.size();
    if (ok_) bytes_.remove_prefix(length);
  }

 private:
  absl::string_view bytes_;
  bool ok_ = true;
};

// The number of the log in a version edit, `before` if it names none. Tags as
// in LevelDB's db/version_edit.cc.
uint64_t LogNumber(absl::string_view edit, uint64_t before) {
  uint64_t log = before;
  Fields fields(edit);
  while (!fields.done()) {
    switch (fields.Number()) {
      case 1:  // comparator
        fields.SkipString();
        break;
      case 2: {  // log
        const uint64_t number = fields.Number();
        if (fields.ok()) log = number;
        break;
      }
      case 3:  // next file
      case 4:  // last sequence
      case 9:  // log before
        fields.Number();
        break;
      case 5:  // compaction pointer
        fields.Number();
        fields.SkipString();
        break;
      case 6:  // deleted table
        fields.Number();
        fields.Number();
        break;
      case 7:  // new table
        fields.Number();
        fields.Number();
        fields.Number();
        fields.SkipString();
        fields.SkipString();
        break;
      default:  // LevelDB refuses it
        return log;
    }
  }
  return log;
}

}  // namespace

absl::Status CheckManifestLog(leveldb::Env* env, const std::string& folder) {
  std::string current;
  std::string manifest;
  if (!leveldb::ReadFileToString(env, absl::StrCat(folder, "/CURRENT"),
                                 &current)
           .ok()) {
    return absl::OkStatus();
  }
  const std::string name = current.substr(0, current.find('\n'));
  if (!leveldb::ReadFileToString(env, absl::StrCat(folder, "/", name),
                                 &manifest)
           .ok()) {
    return absl::OkStatus();
  }
  uint64_t log = 0;
  for (const std::string& edit : RecordsOf(manifest)) {
    log = LogNumber(edit, log);
  }
  // 0: a database that was made and never opened, or repaired.
  const std::string path = absl::StrFormat("%s/%06d.log", folder, log);
  if (log == 0 || env->FileExists(path)) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      path, ": missing, but ", name,
      " names this log, and with it went the entries that were written last"));
}

}  // namespace shardingdb
