// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

absl::Status ErrorAt(const std::string& path, const std::error_code& error) {
  const std::string message = absl::StrCat(path, ": ", error.message());
  if (error == std::errc::permission_denied) {
    return absl::PermissionDeniedError(message);
  }
  return absl::UnavailableError(message);
}

absl::StatusOr<std::string> RealPath(const std::string& given) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(given, error);
  if (error) return ErrorAt(given, error);
  path = std::filesystem::weakly_canonical(path, error);
  // A file in the place of a folder above: found out when it is looked at.
  if (error == std::errc::not_a_directory) {
    path = std::filesystem::absolute(given, error).lexically_normal();
  } else if (error) {
    return ErrorAt(given, error);
  }
  std::string text = path.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

absl::StatusOr<Folder::Kind> KindOfContents(leveldb::Env* env,
                                            const std::string& path) {
  std::vector<std::string> names;
  const leveldb::Status status = env->GetChildren(path, &names);
  if (!status.ok()) return ToAbslStatus(status);
  Folder::Kind kind = Folder::Kind::kEmpty;
  for (const std::string& name : names) {
    if (name == "." || name == ".." || name == "LOCK" || IsMarkerFile(name)) {
      continue;
    }
    if (name == "CURRENT") return Folder::Kind::kDatabase;
    kind = Folder::Kind::kOther;
  }
  return kind;
}

// A log record takes 7 bytes, the head of a batch 12, and its smallest entry 3.
constexpr uint64_t kSmallestLogWithAnEntry = 22;

bool HasNoEntries(leveldb::Env* env, const std::string& path) {
  std::vector<std::string> names;
  if (!env->GetChildren(path, &names).ok()) return false;
  for (const std::string& name : names) {
    if (absl::EndsWith(name, ".ldb") || absl::EndsWith(name, ".sst")) {
      return false;
    }
    if (!absl::EndsWith(name, ".log")) continue;
    uint64_t size;
    if (!env->GetFileSize(absl::StrCat(path, "/", name), &size).ok() ||
        size >= kSmallestLogWithAnEntry) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<Folder> LookAtFolder(leveldb::Env* env,
                                    const std::string& given) {
  Folder folder;
  folder.given = given;
  absl::StatusOr<std::string> path = RealPath(given);
  if (!path.ok()) return path.status();
  folder.path = *std::move(path);

  struct ::stat found;
  if (::stat(folder.path.c_str(), &found) != 0) {
    if (errno == ENOTDIR) {
      folder.kind = Folder::Kind::kFile;
      return folder;
    }
    if (errno != ENOENT) {
      return ErrorAt(folder.path,
                     std::error_code(errno, std::generic_category()));
    }
    // A symbolic link that leads nowhere is something, but no folder.
    const bool link = ::lstat(folder.path.c_str(), &found) == 0;
    folder.kind = link ? Folder::Kind::kFile : Folder::Kind::kMissing;
    return folder;
  }
  folder.device = found.st_dev;
  folder.inode = found.st_ino;
  if (!S_ISDIR(found.st_mode)) {
    folder.kind = Folder::Kind::kFile;
    return folder;
  }
  absl::StatusOr<Folder::Kind> kind = KindOfContents(env, folder.path);
  if (!kind.ok()) return kind.status();
  folder.kind = *kind;
  folder.is_empty_database =
      folder.kind == Folder::Kind::kDatabase && HasNoEntries(env, folder.path);
  absl::StatusOr<std::optional<Marker>> marker = ReadMarker(env, folder.path);
  if (marker.ok()) {
    folder.marker = *std::move(marker);
  } else if (absl::IsDataLoss(marker.status())) {
    folder.marker_damage = marker.status();
  } else {
    return marker.status();
  }
  folder.record = ReadRecord(env, folder.path);
  return folder;
}

absl::StatusOr<std::vector<Folder>> LookAtFolders(
    leveldb::Env* env, const std::vector<std::string>& given) {
  std::vector<Folder> folders;
  for (const std::string& path : given) {
    absl::StatusOr<Folder> folder = LookAtFolder(env, path);
    if (!folder.ok()) return folder.status();
    folders.push_back(*std::move(folder));
  }
  return folders;
}

}  // namespace shardingdb
