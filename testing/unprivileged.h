// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_TESTING_UNPRIVILEGED_H_
#define SHARDINGDB_TESTING_UNPRIVILEGED_H_

#include <cstdint>

namespace shardingdb {

// While it lives, the permissions of files hold for this thread, and for those
// that it starts, even where it runs as root. For everybody else it does
// nothing.
//
//   std::filesystem::permissions(folder, std::filesystem::perms::none);
//   const Unprivileged unprivileged;
//   EXPECT_THAT(Open(folder), StatusIs(absl::StatusCode::kPermissionDenied));
class Unprivileged {
 public:
  Unprivileged();
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;
  ~Unprivileged();

 private:
  uint32_t effective_[2] = {0, 0};  // what the thread could do before
};

}  // namespace shardingdb

#endif  // SHARDINGDB_TESTING_UNPRIVILEGED_H_
