// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_STATUS_H_
#define SHARDINGDB_STATUS_H_

// The two kinds of status, leveldb::Status on the data path and absl::Status
// everywhere else, turned into each other and given a place.

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "leveldb/status.h"

namespace shardingdb {

// Returns the text of `status` without the name of its code; "" for OK.
std::string MessageOf(const leveldb::Status& status);

// Returns `status`, which is about a file, with another code where that file is
// not there: NotFound says that a key has no value. A file that is read was
// lost, and one that is written could not be made.
[[nodiscard]] leveldb::Status MissingIsCorruption(
    const leveldb::Status& status);
[[nodiscard]] leveldb::Status MissingIsIOError(const leveldb::Status& status);

// Returns `status` with "place: " in front of its message and its code kept; OK
// stays OK.
[[nodiscard]] leveldb::Status Annotate(const leveldb::Status& status,
                                       absl::string_view place);
[[nodiscard]] absl::Status Annotate(const absl::Status& status,
                                    absl::string_view place);

// The same for the path of a file or folder, unless the message begins with it
// or with that of something in it, Printable or not: nothing is said twice.
[[nodiscard]] absl::Status AnnotatePath(const absl::Status& status,
                                        absl::string_view path);

// LevelDB's status as Abseil's, with a Printable message, as LevelDB quotes
// damaged files:
//   NotFound         kNotFound
//   Corruption       kDataLoss
//   NotSupported     kUnimplemented
//   InvalidArgument  kInvalidArgument
//   IOError          by the reason that the operating system gave, which
//                    LevelDB keeps as text only:
//                      kResourceExhausted   disk or quota full, no file or
//                                           memory left
//                      kPermissionDenied    no right, read-only file system
//                      kFailedPrecondition  the database is locked; a file is
//                                           where a folder should be
//                      kUnavailable         anything else
[[nodiscard]] absl::Status ToAbslStatus(const leveldb::Status& status);

// Abseil's status as LevelDB's: the inverse of the above where there is one;
// kAlreadyExists and kOutOfRange are InvalidArgument, all others IOError. The
// message starts with the name of the code where LevelDB has no such code.
[[nodiscard]] leveldb::Status ToLevelDbStatus(const absl::Status& status);

}  // namespace shardingdb

#endif  // SHARDINGDB_STATUS_H_
