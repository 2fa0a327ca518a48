// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/wrap.h"

#include "crypto/random.h"
#include "crypto/xaes_gcm.h"

namespace shardingdb::crypto_internal {

static_assert(kWrapOverhead == kXaesNonceSize + kXaesTagSize);

absl::StatusOr<std::string> WrapSecret(const SecretBytes& key,
                                       absl::string_view associated_data,
                                       const SecretBytes& secret) {
  std::string wrapped(secret.size() + kWrapOverhead, '\0');
  absl::Status status = RandomBytes(&wrapped[0], kXaesNonceSize);
  if (!status.ok()) return status;
  status = XaesSeal(key.reveal(),
                    absl::string_view(wrapped).substr(0, kXaesNonceSize),
                    associated_data, secret.reveal(), &wrapped[kXaesNonceSize]);
  if (!status.ok()) return status;
  return wrapped;
}

absl::StatusOr<SecretBytes> UnwrapSecret(const SecretBytes& key,
                                         absl::string_view associated_data,
                                         absl::string_view wrapped) {
  if (wrapped.size() < kWrapOverhead) {
    return absl::DataLossError("wrapped secret: too short");
  }
  SecretBytes secret = SecretBytes::Zeros(wrapped.size() - kWrapOverhead);
  const absl::Status status =
      XaesOpen(key.reveal(), wrapped.substr(0, kXaesNonceSize), associated_data,
               wrapped.substr(kXaesNonceSize), secret.mutable_data());
  if (!status.ok()) return status;
  return secret;
}

}  // namespace shardingdb::crypto_internal
