// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/commit_log.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "crc32c/crc32c.h"
#include "crypto/random.h"
#include "leveldb/slice.h"
#include "shardingdb/durable_folder.h"
#include "shardingdb/logged_batch.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

constexpr absl::string_view kMagic = "shardingdb commit log ";
constexpr char kVersion = '1';
constexpr size_t kIdBytes = 16;
constexpr size_t kRecordHeaderBytes = 32;
constexpr absl::string_view kPrefix = "commit-";
constexpr absl::string_view kSuffix = ".log";
// What one is told of any damage.
constexpr char kToGiveUp[] =
    "damaged commit log: what is behind the damage can only be given up "
    "(CommitLogOptions::accept_loss)";
// A function's name and some numbers.
constexpr uint32_t kMaxHeaderBytes = uint32_t{1} << 16;

uint32_t Crc(absl::string_view bytes, uint32_t crc = 0) {
  return crc32c::Extend(crc, reinterpret_cast<const uint8_t*>(bytes.data()),
                        bytes.size());
}

// The number of a segment's file name; 0 for the names of other files.
uint64_t NumberOf(absl::string_view name) {
  uint64_t number = 0;
  if (!absl::StartsWith(name, kPrefix) || !absl::EndsWith(name, kSuffix))
    return 0;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  return absl::SimpleAtoi(name, &number) ? number : 0;
}

struct RecordHeader {
  uint32_t size = 0;
  uint64_t lsn = 0;
  uint64_t synced_lsn = 0;  // all up to it were on stable storage by then
  uint32_t checksum = 0;    // of the batch
};

std::string EncodeRecordHeader(const RecordHeader& header,
                               absl::string_view log_id) {
  std::string fields;
  AppendFixed32(header.size, &fields);
  AppendFixed64(header.lsn, &fields);
  AppendFixed64(header.synced_lsn, &fields);
  AppendFixed32(header.checksum, &fields);
  AppendFixed32(0, &fields);
  std::string bytes;
  AppendFixed32(Crc(fields, Crc(log_id)), &bytes);
  return bytes + fields;
}

// False if there is no record at the front of `bytes`.
bool ParseRecord(absl::string_view bytes, absl::string_view log_id,
                 RecordHeader* header, absl::string_view* batch) {
  if (bytes.size() < kRecordHeaderBytes) return false;
  absl::string_view fields = bytes.substr(4, kRecordHeaderBytes - 4);
  const uint32_t actual = Crc(fields, Crc(log_id));
  uint32_t expected, zero;
  absl::string_view front = bytes;
  if (!TakeFixed32(&front, &expected) || expected != actual ||
      !TakeFixed32(&fields, &header->size) ||
      !TakeFixed64(&fields, &header->lsn) ||
      !TakeFixed64(&fields, &header->synced_lsn) ||
      !TakeFixed32(&fields, &header->checksum) ||
      !TakeFixed32(&fields, &zero) ||
      bytes.size() - kRecordHeaderBytes < header->size) {
    return false;
  }
  *batch = bytes.substr(kRecordHeaderBytes, header->size);
  return Crc(*batch) == header->checksum;
}

}  // namespace

struct CommitLog::Header {
  std::string id;
  uint64_t number = 0;
  uint64_t previous_end = 0;  // of the segment before
  uint64_t first_lsn = 0;
  Layout layout;
  size_t bytes = 0;
};

CommitLog::CommitLog(const Options& options, const Layout& layout)
    : options_(options), layout_(layout) {}

CommitLog::~CommitLog() {
  file_.reset();
  Unlock();
}

void CommitLog::Unlock() {
  if (lock_ != nullptr) options_.env->UnlockFile(lock_);
  lock_ = nullptr;
}

std::string CommitLog::FileName(uint64_t number) const {
  return absl::StrCat(options_.folder, "/", kPrefix,
                      absl::StrFormat("%010d", number), kSuffix);
}

absl::StatusOr<std::unique_ptr<CommitLog>> CommitLog::Open(
    const Options& options, const Layout& layout) {
  std::unique_ptr<CommitLog> log(new CommitLog(options, layout));
  absl::Status status = MakeFolder(options.folder);
  if (status.ok()) status = log->Lock();
  if (status.ok()) status = log->FindSegments();
  if (!status.ok()) return AnnotatePath(status, options.folder);
  return log;
}

absl::Status CommitLog::Lock() {
  const leveldb::Status status =
      options_.env->LockFile(absl::StrCat(options_.folder, "/LOCK"), &lock_);
  return status.ok() ? absl::OkStatus()
                     : absl::FailedPreconditionError(absl::StrCat(
                           "the folder is in use (", MessageOf(status), ")"));
}

absl::StatusOr<std::string> CommitLog::ReadSegment(uint64_t number) const {
  std::string bytes;
  const leveldb::Status status =
      leveldb::ReadFileToString(options_.env, FileName(number), &bytes);
  if (!status.ok()) return ToAbslStatus(MissingIsCorruption(status));
  return bytes;
}

absl::Status CommitLog::FindSegments() {
  std::vector<std::string> names;
  const leveldb::Status listed =
      options_.env->GetChildren(options_.folder, &names);
  if (!listed.ok()) return ToAbslStatus(listed);
  std::vector<uint64_t> numbers;
  for (const std::string& name : names) {
    if (name == "." || name == ".." || name == "LOCK") continue;
    const uint64_t number = NumberOf(name);
    if (number == 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "the file ", name,
          " is none of a commit log, which has a folder of its own"));
    }
    numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());

  for (size_t i = 0; i < numbers.size(); ++i) {
    absl::Status status = FindSegment(numbers[i], i + 1 == numbers.size());
    if (status.ok() && segments_.back().torn) break;
    if (absl::IsDataLoss(status) && options_.accept_loss) {
      given_up_.assign(numbers.begin() + i, numbers.end());
      break;
    }
    if (!status.ok()) return status;
  }
  return FindEnds();
}

absl::Status CommitLog::FindSegment(uint64_t number, bool is_last) {
  if (!segments_.empty() && number != segments_.back().number + 1) {
    return absl::DataLossError(
        absl::StrCat(FileName(segments_.back().number + 1), " is missing (",
                     kToGiveUp, ")"));
  }
  absl::StatusOr<std::string> bytes = ReadSegment(number);
  if (!bytes.ok()) return bytes.status();
  Segment segment;
  segment.number = number;
  const absl::StatusOr<Header> header = ParseHeader(*bytes);
  // A header is on stable storage before anything is appended behind it.
  segment.torn = is_last && absl::IsDataLoss(header.status());
  if (!segment.torn) {
    const absl::Status status = header.ok()
                                    ? CheckHeader(segment, *header)
                                    : Annotate(header.status(), kToGiveUp);
    if (!status.ok()) return AnnotatePath(status, FileName(number));
    if (segments_.empty()) {
      id_ = header->id;
      first_lsn_ = header->first_lsn;
      last_lsn_ = header->first_lsn - 1;
    } else {
      segments_.back().end = header->previous_end;
    }
    segment.end = bytes->size();
  }
  segments_.push_back(segment);
  return absl::OkStatus();
}

absl::Status CommitLog::FindEnds() {
  for (size_t i = 0; i < segments_.size() && !segments_[i].torn; ++i) {
    Segment& segment = segments_[i];
    const bool is_last = i + 1 == segments_.size() || segments_[i + 1].torn;
    const absl::Status status = FindEnd(&segment, is_last);
    if (status.ok()) continue;
    if (!absl::IsDataLoss(status) || !options_.accept_loss)
      return AnnotatePath(status, FileName(segment.number));
    for (size_t later = i + 1; later < segments_.size(); ++later)
      given_up_.push_back(segments_[later].number);
    segments_.resize(i + 1);
  }
  return absl::OkStatus();
}

absl::Status CommitLog::FindEnd(Segment* segment, bool is_last) {
  absl::StatusOr<std::string> bytes = ReadSegment(segment->number);
  if (!bytes.ok()) return bytes.status();
  const uint64_t expected = segment->end;
  const absl::string_view counted =
      absl::string_view(*bytes).substr(0, expected);
  absl::Status status =
      Walk(counted, &last_lsn_, &segment->end,
           [](uint64_t, absl::string_view) { return absl::OkStatus(); });
  if (status.ok() && segment->end < expected) {
    status = is_last ? CheckTail(counted, segment->end, last_lsn_)
                     : absl::DataLossError(
                           absl::StrCat("damaged at byte ", segment->end));
  }
  return status.ok() ? status : Annotate(status, kToGiveUp);
}

std::string CommitLog::EncodeHeader(uint64_t number) const {
  std::string body = id_;
  AppendFixed64(number, &body);
  AppendFixed64(end_, &body);
  AppendFixed64(last_lsn_ + 1, &body);
  AppendFixed32(layout_.shard_count, &body);
  body.append(layout_.function);
  std::string bytes(kMagic);
  bytes.push_back(kVersion);
  bytes.push_back('\n');
  AppendFixed32(static_cast<uint32_t>(body.size()), &bytes);
  bytes.append(body);
  AppendFixed32(Crc(bytes), &bytes);
  return bytes;
}

absl::StatusOr<CommitLog::Header> CommitLog::ParseHeader(
    absl::string_view bytes) const {
  const absl::Status damaged = absl::DataLossError("damaged header");
  const size_t start = kMagic.size() + 2;
  if (bytes.size() < start || !absl::StartsWith(bytes, kMagic)) return damaged;
  uint32_t size, expected;
  absl::string_view rest = bytes.substr(start);
  if (!TakeFixed32(&rest, &size) || size > kMaxHeaderBytes ||
      rest.size() < size + sizeof(uint32_t)) {
    return damaged;
  }
  absl::string_view body = rest.substr(0, size);
  rest.remove_prefix(size);
  const absl::string_view checked =
      bytes.substr(0, start + sizeof(uint32_t) + size);
  if (!TakeFixed32(&rest, &expected) || expected != Crc(checked))
    return damaged;
  if (bytes[kMagic.size()] != kVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat("a commit log of version ", bytes.substr(kMagic.size(), 1),
                     ", and this program knows version 1: use a newer one"));
  }
  Header header;
  if (body.size() < kIdBytes) return damaged;
  header.id = std::string(body.substr(0, kIdBytes));
  body.remove_prefix(kIdBytes);
  if (!TakeFixed64(&body, &header.number) ||
      !TakeFixed64(&body, &header.previous_end) ||
      !TakeFixed64(&body, &header.first_lsn) ||
      !TakeFixed32(&body, &header.layout.shard_count) ||
      header.first_lsn == 0) {
    return damaged;
  }
  header.layout.function = std::string(body);
  header.bytes = checked.size() + sizeof(uint32_t);
  return header;
}

absl::Status CommitLog::CheckHeader(const Segment& segment,
                                    const Header& header) const {
  if (header.number != segment.number) {
    return absl::DataLossError(
        absl::StrCat("this is segment ", header.number, " under another name"));
  }
  if (!segments_.empty() && header.id != id_)
    return absl::DataLossError("this segment is of another commit log");
  if (header.layout.function != layout_.function ||
      header.layout.shard_count != layout_.shard_count) {
    return absl::FailedPreconditionError(absl::StrCat(
        "this is the commit log of a set of ", header.layout.shard_count,
        " shards by the sharding function \"", header.layout.function,
        "\", and the set has ", layout_.shard_count, " by \"", layout_.function,
        "\""));
  }
  return absl::OkStatus();
}

absl::Status CommitLog::Walk(
    absl::string_view bytes, uint64_t* last, uint64_t* end,
    absl::FunctionRef<absl::Status(uint64_t, absl::string_view)> at) const {
  absl::StatusOr<Header> header = ParseHeader(bytes);
  if (!header.ok()) return header.status();
  *end = header->bytes;
  RecordHeader record;
  absl::string_view batch;
  while (ParseRecord(bytes.substr(*end), id_, &record, &batch)) {
    if (record.lsn <= *last) {
      return absl::DataLossError(
          absl::StrCat("batch ", record.lsn, " stands behind batch ", *last));
    }
    *last = record.lsn;
    const absl::Status status = at(record.lsn, batch);
    if (!status.ok()) return status;
    *end += kRecordHeaderBytes + record.size;
  }
  return absl::OkStatus();
}

// What is behind the last good record is what a crash has torn, unless there is
// a record behind it that was written after something there had been synced.
absl::Status CommitLog::CheckTail(absl::string_view bytes, uint64_t end,
                                  uint64_t last) const {
  RecordHeader record;
  absl::string_view batch;
  for (uint64_t at = end + 1; at + kRecordHeaderBytes <= bytes.size(); ++at) {
    if (ParseRecord(bytes.substr(at), id_, &record, &batch) &&
        record.synced_lsn > last) {
      return absl::DataLossError(
          absl::StrCat("damaged between bytes ", end, " and ", at,
                       ", where batches were that had been made durable"));
    }
  }
  return absl::OkStatus();
}

absl::Status CommitLog::Replay(
    absl::FunctionRef<absl::Status(uint64_t lsn, leveldb::WriteBatch* batch)>
        redo) const {
  leveldb::WriteBatch batch;
  uint64_t last = 0;
  for (const Segment& segment : segments_) {
    if (segment.torn) break;
    absl::StatusOr<std::string> bytes = ReadSegment(segment.number);
    if (!bytes.ok()) return bytes.status();
    uint64_t end = 0;
    const absl::Status status =
        Walk(absl::string_view(*bytes).substr(0, segment.end), &last, &end,
             [&](uint64_t lsn, absl::string_view encoded) {
               const leveldb::Status decoded = DecodeBatch(encoded, &batch);
               if (!decoded.ok()) {
                 return AnnotatePath(ToAbslStatus(decoded),
                                     FileName(segment.number));
               }
               return redo(lsn, &batch);
             });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CommitLog::Start(uint64_t last_lsn) {
  if (id_.empty()) {
    id_.resize(kIdBytes);
    const absl::Status status =
        crypto_internal::RandomBytes(&id_[0], id_.size());
    if (!status.ok()) return status;
  }
  last_lsn_ = last_lsn;
  synced_lsn_ = last_lsn;
  number_ = 0;
  for (const Segment& segment : segments_) {
    if (segment.torn) break;  // its number is used again
    number_ = segment.number;
    end_ = segment.end;
  }
  oldest_ = segments_.empty() ? 1 : segments_.front().number;
  for (auto number = given_up_.rbegin(); number != given_up_.rend(); ++number) {
    const leveldb::Status removed = options_.env->RemoveFile(FileName(*number));
    if (!removed.ok())
      return AnnotatePath(ToAbslStatus(removed), FileName(*number));
  }
  return AnnotatePath(ToAbslStatus(NewSegment()), options_.folder);
}

uint32_t CommitLog::ChecksumOf(absl::string_view batch) { return Crc(batch); }

// Everything that counts in a segment is on stable storage before there is a
// header that says where it ends.
leveldb::Status CommitLog::SyncOld() {
  leveldb::Status status;
  if (file_ != nullptr && !broken_) {
    status = file_->Sync();
    if (status.ok()) status = file_->Close();
    if (status.ok()) file_.reset();
    return status;
  }
  // What a broken one still writes is behind `end_` and does not count.
  file_.reset();
  if (number_ == 0) return status;
  leveldb::WritableFile* file = nullptr;
  status = options_.env->NewAppendableFile(FileName(number_), &file);
  if (!status.ok()) return status;
  const std::unique_ptr<leveldb::WritableFile> owned(file);
  status = owned->Sync();
  return status.ok() ? owned->Close() : status;
}

leveldb::Status CommitLog::NewSegment() {
  leveldb::Status status = SyncOld();
  if (!status.ok()) return status;
  const uint64_t number = number_ + 1;
  const std::string name = FileName(number);
  leveldb::WritableFile* file = nullptr;
  status = options_.env->NewWritableFile(name, &file);
  if (!status.ok()) return MissingIsIOError(status);
  std::unique_ptr<leveldb::WritableFile> segment(file);
  const std::string header = EncodeHeader(number);
  status = segment->Append(header);
  if (status.ok()) status = segment->Sync();
  if (status.ok()) status = ToLevelDbStatus(SyncFolder(options_.folder));
  if (!status.ok()) {
    segment.reset();
    options_.env->RemoveFile(name);
    return status;
  }
  file_ = std::move(segment);
  number_ = number;
  end_ = header_bytes_ = header.size();
  synced_lsn_ = last_lsn_;
  return status;
}

leveldb::Status CommitLog::Append(absl::Span<const Record> records, bool sync) {
  leveldb::Status status = Repair();
  if (status.ok() && end_ >= options_.segment_bytes && end_ > header_bytes_) {
    status = NewSegment();
    broken_ = !status.ok();
  }
  if (!status.ok()) return status;
  broken_ = true;  // also if this throws
  uint64_t bytes = 0;
  status = AppendTo(records, sync, &bytes);
  if (!status.ok()) return status;
  broken_ = false;
  end_ += bytes;
  last_lsn_ = records.back().lsn;
  if (sync) synced_lsn_ = last_lsn_;
  return status;
}

leveldb::Status CommitLog::AppendTo(absl::Span<const Record> records, bool sync,
                                    uint64_t* bytes) {
  leveldb::Status status;
  for (const Record& record : records) {
    RecordHeader header;
    header.size = static_cast<uint32_t>(record.batch.size());
    header.lsn = record.lsn;
    header.synced_lsn = synced_lsn_;
    header.checksum = record.checksum;
    status = file_->Append(EncodeRecordHeader(header, id_));
    if (status.ok()) {
      status = file_->Append(
          leveldb::Slice(record.batch.data(), record.batch.size()));
    }
    if (!status.ok()) return status;
    *bytes += kRecordHeaderBytes + record.batch.size();
  }
  return sync ? file_->Sync() : file_->Flush();
}

leveldb::Status CommitLog::Repair() {
  if (!broken_) return leveldb::Status::OK();
  const leveldb::Status status = NewSegment();
  if (status.ok()) broken_ = false;
  return status;
}

absl::Status CommitLog::RemoveBefore(uint64_t segment) {
  for (; oldest_ < segment; ++oldest_) {
    const std::string name = FileName(oldest_);
    if (!options_.env->FileExists(name)) continue;
    const leveldb::Status status = options_.env->RemoveFile(name);
    if (!status.ok()) return AnnotatePath(ToAbslStatus(status), name);
  }
  return absl::OkStatus();
}

absl::Status CommitLog::RemoveAll() {
  file_.reset();
  absl::Status status = RemoveBefore(number_ + 1);
  if (status.ok()) status = SyncFolder(options_.folder);
  if (status.ok()) Unlock();
  return status;
}

}  // namespace shardingdb
