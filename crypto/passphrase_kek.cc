// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/passphrase_kek.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "crypto/decimal.h"
#include "crypto/hex.h"
#include "crypto/random.h"
#include "crypto/wrap.h"

namespace shardingdb {
namespace {

constexpr absl::string_view kName = "scrypt";
constexpr size_t kSaltSize = 16;
constexpr size_t kKeySize = 32;

struct Token {
  ScryptParameters parameters;
  std::string salt;
  std::string wrapped;
};

std::string EncodeToken(const Token& token) {
  const auto& [n, r, p] = token.parameters;
  return absl::StrCat(kName, " ", n, " ", r, " ", p, " ",
                      crypto_internal::EncodeHex(token.salt), " ",
                      crypto_internal::EncodeHex(token.wrapped));
}

absl::StatusOr<Token> ParseToken(absl::string_view text) {
  const std::vector<absl::string_view> fields = absl::StrSplit(text, ' ');
  if (fields[0] != kName) {
    return absl::PermissionDeniedError(
        "wrong key: a passphrase is not what it was wrapped with");
  }
  const absl::Status damaged =
      absl::DataLossError("not what a passphrase wraps");
  if (fields.size() != 6) return damaged;
  std::optional<uint64_t> numbers[3];
  for (int i = 0; i < 3; ++i) {
    numbers[i] = crypto_internal::DecodeDecimal(fields[i + 1], UINT64_MAX);
    if (!numbers[i].has_value()) return damaged;
  }
  std::optional<std::string> salt = crypto_internal::DecodeHex(fields[4]);
  std::optional<std::string> wrapped = crypto_internal::DecodeHex(fields[5]);
  if (!salt.has_value() || salt->size() != kSaltSize || !wrapped.has_value() ||
      wrapped->size() < crypto_internal::kWrapOverhead) {
    return damaged;
  }
  Token token;
  token.parameters = {*numbers[0], *numbers[1], *numbers[2]};
  const absl::Status bounded =
      crypto_internal::CheckScryptParameters(token.parameters);
  if (!bounded.ok()) return absl::DataLossError(bounded.message());
  token.salt = *std::move(salt);
  token.wrapped = *std::move(wrapped);
  return token;
}

class PassphraseKek final : public KekProvider {
 public:
  PassphraseKek(SecretBytes passphrase, const ScryptParameters& parameters)
      : passphrase_(std::move(passphrase)), parameters_(parameters) {}

  absl::StatusOr<std::string> Wrap(const SecretBytes& secret,
                                   absl::string_view context) const override {
    Token token;
    token.parameters = parameters_;
    token.salt.resize(kSaltSize);
    absl::Status status =
        crypto_internal::RandomBytes(&token.salt[0], token.salt.size());
    if (!status.ok()) return status;
    const absl::StatusOr<SecretBytes> key = Derive(token);
    if (!key.ok()) return key.status();
    absl::StatusOr<std::string> wrapped =
        crypto_internal::WrapSecret(*key, context, secret);
    if (!wrapped.ok()) return wrapped.status();
    token.wrapped = *std::move(wrapped);
    return EncodeToken(token);
  }

  absl::StatusOr<SecretBytes> Unwrap(absl::string_view text,
                                     absl::string_view context) const override {
    const absl::StatusOr<Token> token = ParseToken(text);
    if (!token.ok()) return token.status();
    const absl::StatusOr<SecretBytes> key = Derive(*token);
    if (!key.ok()) return key.status();
    absl::StatusOr<SecretBytes> secret =
        crypto_internal::UnwrapSecret(*key, context, token->wrapped);
    if (secret.ok() || !absl::IsDataLoss(secret.status())) return secret;
    return absl::PermissionDeniedError("wrong key: not this passphrase");
  }

 private:
  absl::StatusOr<SecretBytes> Derive(const Token& token) const {
    return crypto_internal::Scrypt(passphrase_, token.salt, token.parameters,
                                   kKeySize);
  }

  const SecretBytes passphrase_;
  const ScryptParameters parameters_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<KekProvider>> NewPassphraseKek(
    SecretBytes passphrase, const ScryptParameters& parameters) {
  if (passphrase.empty()) {
    return absl::InvalidArgumentError("the passphrase is empty");
  }
  const absl::Status status =
      crypto_internal::CheckScryptParameters(parameters);
  if (!status.ok()) return status;
  return std::make_unique<PassphraseKek>(std::move(passphrase), parameters);
}

absl::StatusOr<std::unique_ptr<KekProvider>> PassphraseKekFromEnvironment(
    const std::string& name, const ScryptParameters& parameters) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("environment variable ", name, ": is not set"));
  }
  SecretBytes passphrase{absl::string_view(value)};
  if (passphrase.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("environment variable ", name, ": is empty"));
  }
  return NewPassphraseKek(std::move(passphrase), parameters);
}

}  // namespace shardingdb
