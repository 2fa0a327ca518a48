// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/posix_error.h"

#include <cerrno>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb::crypto_internal {
namespace {

TEST(PosixErrorTest, EachKindHasItsCodeAndThePath) {
  const struct {
    int error;
    absl::StatusCode code;
  } kCases[] = {
      {ENOENT, absl::StatusCode::kNotFound},
      {EACCES, absl::StatusCode::kPermissionDenied},
      {EROFS, absl::StatusCode::kPermissionDenied},
      {EISDIR, absl::StatusCode::kFailedPrecondition},
      {ENOSPC, absl::StatusCode::kResourceExhausted},
      {EFBIG, absl::StatusCode::kResourceExhausted},
      {EIO, absl::StatusCode::kUnavailable},
  };
  for (const auto& test : kCases) {
    EXPECT_THAT(PosixError("/a/path", test.error),
                StatusIs(test.code, ::testing::StartsWith("/a/path: ")));
  }
}

}  // namespace
}  // namespace shardingdb::crypto_internal
