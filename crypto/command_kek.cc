// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/command_kek.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "crypto/hex.h"
#include "crypto/run_command.h"
#include "crypto/secret_bytes.h"

namespace shardingdb {
namespace {

constexpr absl::string_view kPrefix = "command ";
constexpr size_t kMaxSize = 4096;  // of a secret, and of a wrapped one
constexpr int kWrongKey = 3;       // exit code
static_assert(kPrefix.size() + 2 * kMaxSize <= KekProvider::kMaxTokenSize);

class CommandKek final : public KekProvider {
 public:
  CommandKek(std::vector<std::string> command, absl::Duration timeout)
      : command_(std::move(command)), timeout_(timeout) {}

  absl::StatusOr<std::string> Wrap(const SecretBytes& secret,
                                   absl::string_view context) const override {
    const absl::StatusOr<SecretBytes> wrapped =
        Run("wrap", context, secret.reveal());
    if (!wrapped.ok()) return wrapped.status();
    return absl::StrCat(kPrefix, crypto_internal::EncodeHex(wrapped->reveal()));
  }

  absl::StatusOr<SecretBytes> Unwrap(absl::string_view token,
                                     absl::string_view context) const override {
    if (!absl::ConsumePrefix(&token, kPrefix)) {
      return absl::PermissionDeniedError(
          "wrong key: a command is not what it was wrapped with");
    }
    const std::optional<std::string> wrapped =
        crypto_internal::DecodeHex(token);
    if (!wrapped.has_value() || wrapped->empty() ||
        wrapped->size() > kMaxSize) {
      return absl::DataLossError("not what a command wraps");
    }
    return Run("unwrap", context, *wrapped);
  }

 private:
  absl::StatusOr<SecretBytes> Run(const char* what, absl::string_view context,
                                  absl::string_view input) const {
    if (input.size() > kMaxSize) {
      return absl::InvalidArgumentError("too long for a command to wrap");
    }
    std::vector<std::string> arguments = command_;
    arguments.push_back(what);
    arguments.push_back(crypto_internal::EncodeHex(context));
    absl::StatusOr<crypto_internal::CommandResult> result =
        crypto_internal::RunCommand(arguments, input, kMaxSize, timeout_);
    if (!result.ok()) return result.status();
    if (result->exit_code == kWrongKey) {
      return absl::PermissionDeniedError(
          absl::StrCat("wrong key: ", command_[0], " refuses to ", what));
    }
    if (result->exit_code != 0) {
      return absl::UnavailableError(absl::StrCat(
          command_[0], " ", what, ": exit code ", result->exit_code));
    }
    if (result->output.empty()) {
      return absl::UnavailableError(
          absl::StrCat(command_[0], " ", what, ": wrote nothing"));
    }
    return std::move(result->output);
  }

  const std::vector<std::string> command_;
  const absl::Duration timeout_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<KekProvider>> NewCommandKek(
    std::vector<std::string> command, absl::Duration timeout) {
  if (command.empty() || command[0].empty() || command[0][0] != '/') {
    return absl::InvalidArgumentError(
        "a command is a list that begins with an absolute path");
  }
  return std::make_unique<CommandKek>(std::move(command), timeout);
}

}  // namespace shardingdb
