// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_flags.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/compression.h"
#include "crypto/kek.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring_file.h"
#include "crypto/legacy_aes_cbc.h"

namespace shardingdb {
namespace {

using crypto_internal::AskForPassphrase;
using crypto_internal::CountOf;
using crypto_internal::KekFlags;
using crypto_internal::PathIn;

std::optional<Compression> CompressionOf(absl::string_view name) {
  if (name == "none") return Compression::kNone;
  if (name == "snappy") return Compression::kSnappy;
  if (name == "zstd") return Compression::kZstd;
  return std::nullopt;
}

// As an answer to the person who gave the flags: all that is no trouble with a
// disk is a refusal.
absl::Status Refusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kInternal:
      return status;
    default:
      return absl::FailedPreconditionError(status.message());
  }
}

// `flags` say that the keys of the set are opaque.
absl::Status CheckOpaqueKeys(const ValueFlags& flags, bool digest) {
  if (digest && (flags.key_ring.empty() != flags.in_key_ring.empty())) {
    return absl::OkStatus();
  }
  if (digest) {
    return absl::InvalidArgumentError(
        "--opaque-keys: is for a digest of opened values, with --key-ring");
  }
  if (!flags.in_key_ring.empty() && !flags.key_ring.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "--opaque-keys: is for sealing anew, with --in-key-ring and --key-ring, "
      "a set whose keys are opaque and stay so; to move one, no flag is "
      "needed. "
      "To make the keys of a set opaque, or opaque keys clear, copy it through "
      "a program that opens the one set with WithOpaqueKeys and the other "
      "without, and puts what an iterator shows of the first into the second");
}

// Opens rings, each one and its KEK once.
class Rings {
 public:
  Rings(const std::string& working_folder, const AskForPassphrase& ask)
      : working_folder_(working_folder), ask_(ask) {}

  // With `kek`, or, if that is none, with `other`.
  absl::StatusOr<const KeyRingFile*> Open(const std::string& path,
                                          const KekFlags& kek,
                                          const KekFlags& other) {
    const bool own = CountOf(kek) > 0;
    std::unique_ptr<KekProvider>& provider =
        &(own ? kek : other) == first_ || first_ == nullptr ? first_kek_
                                                            : second_kek_;
    if (first_ == nullptr) first_ = own ? &kek : &other;
    if (provider == nullptr) {
      absl::StatusOr<std::unique_ptr<KekProvider>> opened =
          crypto_internal::KekOf(own ? kek : other, working_folder_, ask_,
                                 absl::StrCat("Passphrase of ", path, ": "));
      if (!opened.ok()) return Refusal(opened.status());
      provider = *std::move(opened);
    }
    absl::StatusOr<std::unique_ptr<KeyRingFile>> file =
        KeyRingFile::Open(PathIn(working_folder_, path), *provider);
    if (!file.ok()) return Refusal(file.status());
    if (files_[0] != nullptr && files_[0]->path() == (*file)->path()) {
      return files_[0].get();
    }
    std::unique_ptr<KeyRingFile>& place = files_[files_[0] != nullptr];
    place = *std::move(file);
    return place.get();
  }

 private:
  const std::string& working_folder_;
  const AskForPassphrase& ask_;
  const KekFlags* first_ = nullptr;
  std::unique_ptr<KekProvider> first_kek_;
  std::unique_ptr<KekProvider> second_kek_;
  std::unique_ptr<KeyRingFile> files_[2];
};

}  // namespace

absl::Status CheckValueFlags(const ValueFlags& flags, bool digest) {
  const auto wrong = [](absl::string_view what) {
    return absl::InvalidArgumentError(what);
  };
  const int in_forms = static_cast<int>(!flags.in_key_ring.empty()) +
                       static_cast<int>(flags.in_compressed) +
                       static_cast<int>(flags.in_plain) +
                       static_cast<int>(!flags.in_legacy_key_file.empty());
  if (in_forms > 1) {
    return wrong(
        "--in-key-ring, --in-compressed, --in-plain and "
        "--in-legacy-aes-cbc-key-file: values are in one form only");
  }
  if (digest && !flags.key_ring.empty() && in_forms > 0) {
    return wrong(
        "--digest: takes one of --key-ring, --in-key-ring, --in-compressed, "
        "--in-plain and --in-legacy-aes-cbc-key-file");
  }
  if (CountOf(flags.kek) > 1) {
    return wrong(
        "only one of --kek-file, --kek-env, --passphrase-env and "
        "--passphrase may be given");
  }
  if (CountOf(flags.in_kek) > 1) {
    return wrong(
        "only one of --in-kek-file, --in-kek-env and "
        "--in-passphrase-env may be given");
  }
  if (CountOf(flags.in_kek) > 0 && flags.in_key_ring.empty()) {
    return wrong("a key for --in-key-ring is given, and no --in-key-ring");
  }
  const bool ring = !flags.key_ring.empty() || !flags.in_key_ring.empty();
  if (CountOf(flags.kek) > 0 && !ring) {
    return wrong("a key for a key ring is given, and no --key-ring");
  }
  if (ring && CountOf(flags.kek) + CountOf(flags.in_kek) == 0) {
    return wrong(
        "the key ring needs one of --kek-file, --kek-env, "
        "--passphrase-env and --passphrase");
  }
  if (flags.opaque_keys) {
    const absl::Status status = CheckOpaqueKeys(flags, digest);
    if (!status.ok()) return status;
  }
  if (!flags.compression.has_value()) return absl::OkStatus();
  if (digest) return wrong("--value-compression: --digest writes nothing");
  if (!CompressionOf(*flags.compression).has_value()) {
    return wrong("--value-compression: must be snappy, zstd or none");
  }
  return absl::OkStatus();
}

absl::StatusOr<ValueCodecs> OpenValueCodecs(const ValueFlags& flags,
                                            bool digest,
                                            const std::string& working_folder,
                                            const AskForPassphrase& ask) {
  ValueCodecs codecs;
  Rings rings(working_folder, ask);
  if (!flags.key_ring.empty()) {
    const absl::StatusOr<const KeyRingFile*> file =
        rings.Open(flags.key_ring, flags.kek, flags.in_kek);
    if (!file.ok()) return file.status();
    (digest ? codecs.in : codecs.out) = SealedValues(
        **file, *CompressionOf(flags.compression.value_or("snappy")));
  } else if (flags.compression.value_or("none") != "none") {
    codecs.out = CompressedValues(*CompressionOf(*flags.compression));
  }
  if (!flags.in_key_ring.empty()) {
    const absl::StatusOr<const KeyRingFile*> file =
        rings.Open(flags.in_key_ring, flags.in_kek, flags.kek);
    if (!file.ok()) return file.status();
    codecs.in = SealedValues(**file);
  }
  if (flags.in_compressed) codecs.in = CompressedValues();
  codecs.in.may_look_sealed = flags.in_plain;
  if (!flags.in_legacy_key_file.empty()) {
    absl::StatusOr<std::shared_ptr<const Aead>> legacy =
        LegacyAesCbcFromFile(PathIn(working_folder, flags.in_legacy_key_file));
    if (!legacy.ok()) return Refusal(legacy.status());
    codecs.in = LegacyValues(*std::move(legacy));
  }
  if (flags.opaque_keys) {
    const std::shared_ptr<const KeyPrf> key_prf = codecs.in.key_prf;
    if (key_prf == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(
          flags.in_key_ring.empty() ? flags.key_ring : flags.in_key_ring,
          ": has no secret of opaque keys"));
    }
    codecs.in = UnderOpaqueKeys(std::move(codecs.in), key_prf);
    if (!digest) codecs.out = UnderOpaqueKeys(std::move(codecs.out), key_prf);
  }
  return codecs;
}

}  // namespace shardingdb
