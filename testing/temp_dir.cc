// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/temp_dir.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace shardingdb {

TempDir::TempDir() {
  std::error_code error;
  const std::filesystem::path parent =
      std::filesystem::absolute(::testing::TempDir(), error);
  path_ = (parent / "dir.XXXXXX").string();
  if (error || mkdtemp(path_.data()) == nullptr) {
    ADD_FAILURE() << "cannot make a folder below " << parent << ": "
                  << (error ? error.message() : std::strerror(errno));
  }
}

TempDir::~TempDir() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error)
    ADD_FAILURE() << "cannot remove " << path_ << ": " << error.message();
}

std::string TempDir::Join(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace shardingdb
