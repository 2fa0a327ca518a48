// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Authenticated encryption with associated data, as this project uses it.

#ifndef SHARDINGDB_CRYPTO_AEAD_H_
#define SHARDINGDB_CRYPTO_AEAD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace shardingdb {

// An Aead seals a plaintext so that only the same Aead (or another one with the
// same keys) opens it, and only together with the same associated data.
//
// What it is not: there is no nonce and no key in this interface. Both are an
// implementation's own business, so no caller can reuse a nonce. The length of
// a plaintext is not hidden, and sealing the same plaintext twice gives
// different bytes.
//
// Thread safety: every method may be called from any number of threads at once,
// without a lock around it. An implementation has to keep to that.
//
// Lifetime: held as std::shared_ptr<const Aead>; nothing that it returns refers
// to it.
//
// An implementation of one's own is welcome: derive from this class, keep the
// contract below, and give it wherever an Aead is taken.
class Aead {
 public:
  virtual ~Aead() = default;
  Aead(const Aead&) = delete;
  Aead& operator=(const Aead&) = delete;

  // Appends to `*sealed` the sealed form of `plaintext`, bound to
  // `associated_data`. What `*sealed` held before stays in front, so many
  // values can be sealed into one buffer. Both arguments may be empty: an empty
  // plaintext is sealed like any other.
  //
  // REQUIRES: neither argument points into `*sealed`.
  //
  // Errors, after each of which `*sealed` is as it was before the call:
  //   kInvalidArgument  the plaintext is longer than the algorithm can seal
  //   kUnavailable      the system gave no randomness
  //   kInternal         the implementation failed in a way it cannot explain
  [[nodiscard]] virtual absl::Status Seal(absl::string_view plaintext,
                                          absl::string_view associated_data,
                                          std::string* sealed) const = 0;

  // Replaces `*plaintext` with what was sealed into `sealed`.
  //
  // REQUIRES: neither argument points into `*plaintext`.
  //
  // Errors, after each of which `*plaintext` is empty:
  //   kDataLoss            the bytes do not open: too short, of an unknown
  //                        version, of a key that is not known, changed, sealed
  //                        with other associated data or by another key. The
  //                        message says which of these where it can be told,
  //                        and shows no secret and no plaintext
  //   kFailedPrecondition  the key that sealed the bytes is known, but it has
  //                        been disabled
  //   kInternal            as above
  [[nodiscard]] virtual absl::Status Open(absl::string_view sealed,
                                          absl::string_view associated_data,
                                          std::string* plaintext) const = 0;

  // Whether Seal() would now use another key than `sealed` names, so that
  // sealing the value again makes sense after a rotation. Says nothing about
  // whether `sealed` opens. False for an Aead with one key.
  virtual bool NeedsReseal(absl::string_view sealed) const = 0;

 protected:
  Aead() = default;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_CRYPTO_AEAD_H_
