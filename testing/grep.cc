// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "testing/grep.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace shardingdb {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

absl::StatusOr<bool> FileContains(const std::string& path,
                                  absl::string_view needle) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::UnavailableError(absl::StrCat(path, ": cannot open"));
  // Each window starts with the end of the one before, so that a needle which
  // lies over the border is in one of them.
  std::string window;
  std::string chunk(kChunk, '\0');
  do {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    window.append(chunk.data(), static_cast<size_t>(file.gcount()));
    if (absl::StrContains(window, needle)) return true;
    const size_t kept = std::min(window.size(), needle.size() - 1);
    window.erase(0, window.size() - kept);
  } while (file);
  if (!file.eof()) {
    return absl::UnavailableError(absl::StrCat(path, ": cannot read"));
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FilesContaining(
    const std::string& folder, absl::string_view needle) {
  if (needle.empty()) return absl::InvalidArgumentError("empty needle");
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return absl::NotFoundError(absl::StrCat(folder, ": not a folder"));
  }
  std::vector<std::string> found;
  std::filesystem::recursive_directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::recursive_directory_iterator();
       it.increment(error)) {
    if (!it->is_regular_file(error) || error) continue;
    absl::StatusOr<bool> contains = FileContains(it->path().string(), needle);
    if (!contains.ok()) return contains.status();
    if (*contains) found.push_back(it->path().string());
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string PlantedMarker(uint64_t seed, size_t size) {
  static constexpr char kLetters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::mt19937_64 random(seed);
  std::string marker;
  marker.reserve(size);
  while (marker.size() < size) {
    marker.push_back(kLetters[random() % (sizeof(kLetters) - 1)]);
  }
  return marker;
}

}  // namespace shardingdb
