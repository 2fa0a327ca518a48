// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/gcm_vector_check.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/aes_gcm.h"
#include "crypto/any_size_gcm.h"

namespace shardingdb::crypto_internal {
namespace {

absl::StatusOr<std::string> Seal(const GcmVector& vector) {
  absl::StatusOr<AesGcmSealer> sealer = AesGcmSealer::New(vector.key);
  if (!sealer.ok()) return sealer.status();
  std::string sealed(vector.plaintext.size() + kAesGcmTagSize, '\0');
  const absl::Status status = sealer->Seal(vector.nonce, vector.associated_data,
                                           vector.plaintext, &sealed[0]);
  if (!status.ok()) return status;
  return sealed;
}

absl::StatusOr<std::string> Open(const GcmVector& vector,
                                 absl::string_view sealed) {
  absl::StatusOr<AesGcmOpener> opener = AesGcmOpener::New(vector.key);
  if (!opener.ok()) return opener.status();
  std::string plaintext(sealed.size() - std::min(sealed.size(), kAesGcmTagSize),
                        '\0');
  const absl::Status status =
      opener->Open(vector.nonce, vector.associated_data, sealed, &plaintext[0]);
  if (!status.ok()) return status;
  return plaintext;
}

// "" where both are the same.
std::string Compare(absl::string_view what,
                    const absl::StatusOr<std::string>& got,
                    absl::string_view wanted) {
  if (!got.ok()) {
    return absl::StrCat("does not ", what, ": ", got.status().message());
  }
  return *got == wanted ? "" : absl::StrCat(what, "s to other bytes");
}

// What the two directions did, against the verdict.
std::string Judge(const GcmVector& vector, absl::string_view sealed,
                  const absl::StatusOr<std::string>& seal,
                  const absl::StatusOr<std::string>& open) {
  // That is no refusal.
  for (const absl::Status& status : {seal.status(), open.status()}) {
    if (absl::IsInternal(status)) return std::string(status.message());
  }
  switch (vector.verdict) {
    case GcmVerdict::kInvalid:
      if (open.ok()) return "opens, and must be refused";
      return seal.ok() && *seal == sealed ? "seals to bytes that are invalid"
                                          : "";
    case GcmVerdict::kAcceptable:
      if (!seal.ok() && !open.ok()) return "";
      break;
    case GcmVerdict::kValid:
      break;
  }
  const std::string error = Compare("seal", seal, sealed);
  return error.empty() ? Compare("open", open, vector.plaintext) : error;
}

// The file contradicts itself where they differ.
std::string CheckSize(absl::string_view name, absl::string_view bytes,
                      size_t bits) {
  if (8 * bytes.size() == bits) return "";
  return absl::StrCat("has a ", name, " of ", 8 * bytes.size(),
                      " bits in a group of ", bits);
}

}  // namespace

GcmVectorResult CheckGcmVector(const GcmVector& vector) {
  GcmVectorResult result;
  const bool has_our_sizes = vector.key_bits == 8 * kAesGcmKeySize &&
                             vector.nonce_bits == 8 * kAesGcmNonceSize &&
                             vector.tag_bits == 8 * kAesGcmTagSize;
  result.path = has_our_sizes ? GcmPath::kAes256Gcm : GcmPath::kLibrary;
  for (const std::string& error :
       {CheckSize("key", vector.key, vector.key_bits),
        CheckSize("nonce", vector.nonce, vector.nonce_bits),
        CheckSize("tag", vector.tag, vector.tag_bits)}) {
    if (result.error.empty()) result.error = error;
  }
  if (!result.error.empty()) return result;

  const std::string sealed = vector.ciphertext + vector.tag;
  const absl::StatusOr<std::string> seal = Seal(vector);
  const absl::StatusOr<std::string> open = Open(vector, sealed);
  if (has_our_sizes) {
    result.error = Judge(vector, sealed, seal, open);
    return result;
  }
  if (open.ok() || (seal.ok() && *seal == sealed)) {
    result.error = "has sizes that AES-256-GCM must refuse, and does not";
    return result;
  }
  const absl::StatusOr<AnySizeGcm> gcm =
      AnySizeGcm::New(vector.key, vector.nonce, vector.tag.size());
  if (!gcm.ok()) {
    result.error = Judge(vector, sealed, gcm.status(), gcm.status());
    return result;
  }
  if (gcm->has_own_counter()) result.path = GcmPath::kOwnCounter;
  result.error =
      Judge(vector, sealed, gcm->Seal(vector.associated_data, vector.plaintext),
            gcm->Open(vector.associated_data, sealed));
  return result;
}

}  // namespace shardingdb::crypto_internal
