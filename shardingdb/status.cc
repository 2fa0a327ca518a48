// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/status.h"

#include <cerrno>
#include <initializer_list>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "shardingdb/printable.h"

namespace shardingdb {
namespace {

// The codes of leveldb::Status, which has predicates only.
leveldb::Status WithMessage(const leveldb::Status& code,
                            const std::string& message) {
  if (code.IsNotFound()) return leveldb::Status::NotFound(message);
  if (code.IsCorruption()) return leveldb::Status::Corruption(message);
  if (code.IsNotSupportedError()) return leveldb::Status::NotSupported(message);
  if (code.IsInvalidArgument()) {
    return leveldb::Status::InvalidArgument(message);
  }
  return leveldb::Status::IOError(message);
}

// Whether `message` ends with what the operating system says for one of
// `errors`. The end only: the rest may be a file name, which may be anything.
bool EndsWithError(absl::string_view message,
                   std::initializer_list<int> errors) {
  for (const int error : errors) {
    if (absl::EndsWith(message, std::generic_category().message(error))) {
      return true;
    }
  }
  return false;
}

// What the system says where another process holds the lock: the lock file is
// the last thing named.
bool IsLockOfAnotherProcess(absl::string_view message) {
  return absl::EndsWith(
      message, absl::StrCat("LOCK: ", std::generic_category().message(EAGAIN)));
}

absl::StatusCode CodeOfIOError(absl::string_view message) {
  if (EndsWithError(message, {ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM})) {
    return absl::StatusCode::kResourceExhausted;
  }
  // LevelDB's words where this process holds the lock.
  if (absl::EndsWith(message, "already held by process")) {
    return absl::StatusCode::kFailedPrecondition;
  }
  if (EndsWithError(message, {EACCES, EPERM, EROFS})) {
    return absl::StatusCode::kPermissionDenied;
  }
  if (EndsWithError(message, {ENOTDIR})) {
    return absl::StatusCode::kFailedPrecondition;
  }
  return absl::StatusCode::kUnavailable;
}

}  // namespace

std::string MessageOf(const leveldb::Status& status) {
  if (status.ok()) return "";
  const std::string text = status.ToString();
  const size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

leveldb::Status MissingIsCorruption(const leveldb::Status& status) {
  if (!status.IsNotFound()) return status;
  return leveldb::Status::Corruption(MessageOf(status));
}

leveldb::Status MissingIsIOError(const leveldb::Status& status) {
  if (!status.IsNotFound()) return status;
  return leveldb::Status::IOError(MessageOf(status));
}

leveldb::Status Annotate(const leveldb::Status& status,
                         absl::string_view place) {
  if (status.ok()) return status;
  return WithMessage(status, absl::StrCat(place, ": ", MessageOf(status)));
}

absl::Status Annotate(const absl::Status& status, absl::string_view place) {
  if (status.ok()) return status;
  absl::Status result(status.code(),
                      absl::StrCat(place, ": ", status.message()));
  status.ForEachPayload(
      [&result](absl::string_view type, const absl::Cord& payload) {
        result.SetPayload(type, payload);
      });
  return result;
}

absl::Status AnnotatePath(const absl::Status& status, absl::string_view path) {
  const std::string place = Printable(path);
  const std::string message = Printable(status.message());
  absl::string_view rest = message;
  if (absl::ConsumePrefix(&rest, place) &&
      (absl::EndsWith(path, "/") || absl::StartsWith(rest, "/") ||
       absl::StartsWith(rest, ": "))) {
    return status;
  }
  return Annotate(status, place);
}

absl::Status ToAbslStatus(const leveldb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const std::string message = Printable(MessageOf(status));
  if (status.IsNotFound()) return absl::NotFoundError(message);
  if (status.IsCorruption()) return absl::DataLossError(message);
  if (status.IsNotSupportedError()) return absl::UnimplementedError(message);
  if (status.IsInvalidArgument()) return absl::InvalidArgumentError(message);
  if (IsLockOfAnotherProcess(message)) {
    return absl::FailedPreconditionError(
        absl::StrCat(message, ": another process has the database open"));
  }
  return absl::Status(CodeOfIOError(message), message);
}

leveldb::Status ToLevelDbStatus(const absl::Status& status) {
  const std::string message(status.message());
  const std::string with_code =
      absl::StrCat(absl::StatusCodeToString(status.code()), ": ", message);
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return leveldb::Status::OK();
    case absl::StatusCode::kNotFound:
      return leveldb::Status::NotFound(message);
    case absl::StatusCode::kDataLoss:
      return leveldb::Status::Corruption(message);
    case absl::StatusCode::kUnimplemented:
      return leveldb::Status::NotSupported(message);
    case absl::StatusCode::kInvalidArgument:
      return leveldb::Status::InvalidArgument(message);
    case absl::StatusCode::kUnavailable:
      return leveldb::Status::IOError(message);
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kOutOfRange:
      return leveldb::Status::InvalidArgument(with_code);
    default:
      return leveldb::Status::IOError(with_code);
  }
}

}  // namespace shardingdb
