// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/test_rings.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "crypto/compression.h"
#include "crypto/raw_kek.h"
#include "gtest/gtest.h"
#include "testing/status_matchers.h"

namespace shardingdb {
namespace {

constexpr char kPlain[] = "plain";
constexpr absl::string_view kOpaque = "opaque:";

// The codec of a form that needs no ring; nothing for others.
std::optional<ValueCodec> CodecWithoutRing(absl::string_view form) {
  if (form == kPlain) return ValueCodec();
  if (form == "compressed") return CompressedValues();
  if (form == "zstd") return CompressedValues(Compression::kZstd);
  return std::nullopt;
}

}  // namespace

TestRings::TestRings() {
  EXPECT_OK(CreateRawKekFile(KekPath()));
  absl::StatusOr<std::unique_ptr<KekProvider>> kek = RawKekFromFile(KekPath());
  EXPECT_OK(kek.status());
  if (!kek.ok()) return;
  kek_ = *std::move(kek);
  for (const char* name : {"ring", "other"}) {
    absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
        KeyRingFile::Create(dir_.Join(name), *kek_);
    EXPECT_OK(file.status());
    if (file.ok()) files_[name] = *std::move(file);
  }
}

KeyRingFile* TestRings::File(const std::string& form) const {
  return files_.at(std::string(absl::StripPrefix(form, kOpaque))).get();
}

ValueCodec TestRings::Codec(const std::string& form) const {
  const std::optional<ValueCodec> codec = CodecWithoutRing(form);
  if (codec.has_value()) return *codec;
  const KeyRingFile& file = *File(form);
  ValueCodec sealed = SealedValues(file);
  return absl::StartsWith(form, kOpaque)
             ? UnderOpaqueKeys(std::move(sealed), file.key_prf())
             : sealed;
}

std::string TestRings::Path(const std::string& form) const {
  if (CodecWithoutRing(form).has_value()) return form;
  const std::string path =
      dir_.Join(std::string(absl::StripPrefix(form, kOpaque)));
  return absl::StartsWith(form, kOpaque) ? absl::StrCat(kOpaque, path) : path;
}

void TestRings::Rotate() {
  for (const auto& [name, file] : files_)
    EXPECT_OK(file->RotateDataKey().status());
}

Entries TestRings::Stored(const std::string& form,
                          const Entries& entries) const {
  if (form == kPlain) return entries;
  const ValueCodec codec = Codec(form);
  Entries stored;
  for (const auto& [key, value] : entries) {
    EXPECT_OK(codec.aead->Seal(value, key, &stored[key]));
  }
  return stored;
}

std::string TestRings::Opened(const std::string& key,
                              const std::string& stored) const {
  std::string value;
  std::vector<ValueCodec> codecs = {CompressedValues()};
  for (const auto& [name, file] : files_) {
    codecs.push_back(SealedValues(*file));
    codecs.push_back(UnderOpaqueKeys(codecs.back(), file->key_prf()));
  }
  for (const ValueCodec& codec : codecs) {
    if (codec.aead->Open(stored, key, &value).ok()) return value;
  }
  return stored;
}

ValueCodec TestCodec(const std::string& path) {
  const std::optional<ValueCodec> codec = CodecWithoutRing(path);
  if (codec.has_value()) return *codec;
  const std::string ring(absl::StripPrefix(path, kOpaque));
  const std::string kek_path =
      (std::filesystem::path(ring).parent_path() / "kek").string();
  const auto kek = RawKekFromFile(kek_path);
  if (!kek.ok()) return ValueCodec();
  const auto file = KeyRingFile::Open(ring, **kek);
  if (!file.ok()) return ValueCodec();
  return absl::StartsWith(path, kOpaque)
             ? UnderOpaqueKeys(SealedValues(**file), (*file)->key_prf())
             : SealedValues(**file);
}

}  // namespace shardingdb
