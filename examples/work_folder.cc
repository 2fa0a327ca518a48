// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "examples/work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace shardingdb {
namespace {

namespace fs = std::filesystem;

std::string Environment(const char* name, const char* otherwise) {
  const char* value = ::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

absl::StatusOr<std::string> MakeFresh(absl::string_view program) {
  std::string path =
      absl::StrCat(Environment("TMPDIR", "/tmp"), "/", program, ".XXXXXX");
  if (::mkdtemp(path.data()) == nullptr)
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make ", path));
  return path;
}

// "bazel run" starts programs elsewhere, and says where the user is.
std::string AsTyped(const std::string& named) {
  const fs::path path =
      fs::path(Environment("BUILD_WORKING_DIRECTORY", ".")) / named;
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  std::string text = (error ? path : absolute).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

absl::StatusOr<std::string> MakeNamed(const std::string& named) {
  std::string path = AsTyped(named);
  std::error_code error;
  fs::create_directories(path, error);
  bool is_empty = false;
  if (!error) is_empty = fs::is_empty(path, error);
  if (error)
    return absl::ErrnoToStatus(error.value(),
                               absl::StrCat("cannot use ", path));
  if (!fs::is_directory(path, error))
    return absl::FailedPreconditionError(absl::StrCat(path, " is a file"));
  if (!is_empty) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, " is not empty: name a new folder"));
  }
  return path;
}

}  // namespace

absl::StatusOr<WorkFolder> WorkFolder::Make(const std::string& named,
                                            absl::string_view program) {
  const bool fresh = named.empty();
  absl::StatusOr<std::string> path =
      fresh ? MakeFresh(program) : MakeNamed(named);
  if (!path.ok()) return path.status();
  return WorkFolder(*std::move(path), fresh);
}

WorkFolder::~WorkFolder() {
  if (path_.empty() || !removed_at_end_) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string WorkFolder::Join(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

}  // namespace shardingdb
