// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/raw_kek.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "crypto/hex.h"
#include "crypto/private_file.h"
#include "crypto/replace_file.h"
#include "crypto/wrap.h"

namespace shardingdb {
namespace {

constexpr size_t kKeySize = 32;
constexpr absl::string_view kPrefix = "raw ";

class RawKek final : public KekProvider {
 public:
  explicit RawKek(SecretBytes key) : key_(std::move(key)) {}

  absl::StatusOr<std::string> Wrap(const SecretBytes& secret,
                                   absl::string_view context) const override {
    const absl::StatusOr<std::string> wrapped =
        crypto_internal::WrapSecret(key_, context, secret);
    if (!wrapped.ok()) return wrapped.status();
    return absl::StrCat(kPrefix, crypto_internal::EncodeHex(*wrapped));
  }

  absl::StatusOr<SecretBytes> Unwrap(absl::string_view token,
                                     absl::string_view context) const override {
    if (!absl::ConsumePrefix(&token, kPrefix)) {
      return absl::PermissionDeniedError(
          "wrong key: a raw key is not what it was wrapped with");
    }
    const std::optional<std::string> wrapped =
        crypto_internal::DecodeHex(token);
    if (!wrapped.has_value() ||
        wrapped->size() < crypto_internal::kWrapOverhead) {
      return absl::DataLossError("not what a raw key wraps");
    }
    absl::StatusOr<SecretBytes> secret =
        crypto_internal::UnwrapSecret(key_, context, *wrapped);
    if (secret.ok() || !absl::IsDataLoss(secret.status())) return secret;
    return absl::PermissionDeniedError("wrong key");
  }

 private:
  const SecretBytes key_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<KekProvider>> NewRawKek(SecretBytes key) {
  if (key.size() != kKeySize) {
    return absl::InvalidArgumentError(
        absl::StrCat("a raw key has ", kKeySize, " bytes, not ", key.size()));
  }
  return std::make_unique<RawKek>(std::move(key));
}

absl::StatusOr<std::unique_ptr<KekProvider>> RawKekFromFile(
    const std::string& path) {
  // Enough to say how long a file is that somebody took for a key.
  constexpr size_t kMaxSize = 1 << 20;
  absl::StatusOr<SecretBytes> key =
      crypto_internal::ReadSecretFile(path, kMaxSize);
  if (!key.ok()) return key.status();
  if (key->size() != kKeySize) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": not a key: it holds ", key->size(),
                     " bytes, a key is ", kKeySize));
  }
  return NewRawKek(*std::move(key));
}

absl::StatusOr<std::unique_ptr<KekProvider>> RawKekFromEnvironment(
    const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("environment variable ", name, ": is not set"));
  }
  std::optional<SecretBytes> key = crypto_internal::DecodeSecretHex(value);
  if (!key.has_value() || key->size() != kKeySize) {
    return absl::FailedPreconditionError(
        absl::StrCat("environment variable ", name, ": not a key, which is ",
                     2 * kKeySize, " hexadecimal digits"));
  }
  return NewRawKek(*std::move(key));
}

absl::Status CreateRawKekFile(const std::string& path) {
  absl::StatusOr<SecretBytes> key = SecretBytes::Random(kKeySize);
  if (!key.ok()) return key.status();
  return crypto_internal::CreateFile(path, key->reveal());
}

}  // namespace shardingdb
