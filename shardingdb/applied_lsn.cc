// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/applied_lsn.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "shardingdb/logged_batch.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

constexpr char kVersion = 1;
constexpr size_t kLogIdBytes = 16;

}  // namespace

std::string EncodeAppliedLsn(const AppliedLsn& applied) {
  std::string bytes(1, kVersion);
  bytes.append(applied.log);
  AppendFixed64(applied.lsn, &bytes);
  bytes.push_back(applied.closed ? 1 : 0);
  return bytes;
}

absl::StatusOr<AppliedLsn> ParseAppliedLsn(absl::string_view bytes) {
  if (!bytes.empty() && bytes.front() > kVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the record of the commit log has version ",
        static_cast<int>(bytes.front()), ", and this program knows ",
        static_cast<int>(kVersion), ": use a newer one"));
  }
  AppliedLsn applied;
  absl::string_view rest = bytes;
  if (rest.size() != 1 + kLogIdBytes + sizeof(uint64_t) + 1 ||
      rest.front() != kVersion || static_cast<uint8_t>(rest.back()) > 1) {
    return absl::DataLossError("the record of the commit log is damaged");
  }
  rest.remove_prefix(1);
  applied.log = std::string(rest.substr(0, kLogIdBytes));
  rest.remove_prefix(kLogIdBytes);
  if (!TakeFixed64(&rest, &applied.lsn))
    return absl::DataLossError("the record of the commit log is damaged");
  applied.closed = rest.front() == 1;
  return applied;
}

absl::StatusOr<std::optional<AppliedLsn>> ReadAppliedLsn(DbHandle* shard) {
  std::string bytes;
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  const leveldb::Status status = shard->Get(options, AppliedLsnKey(), &bytes);
  if (status.IsNotFound()) return std::optional<AppliedLsn>();
  if (!status.ok()) return ToAbslStatus(status);
  absl::StatusOr<AppliedLsn> applied = ParseAppliedLsn(bytes);
  if (!applied.ok()) return applied.status();
  return std::optional<AppliedLsn>(*std::move(applied));
}

}  // namespace shardingdb
