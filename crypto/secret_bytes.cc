// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/secret_bytes.h"

#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "crypto/locked_memory.h"
#include "crypto/random.h"

namespace shardingdb {

SecretBytes::SecretBytes(absl::string_view bytes) : size_(bytes.size()) {
  if (size_ == 0) return;
  data_ = static_cast<char*>(crypto_internal::AllocateLocked(size_));
  std::memcpy(data_, bytes.data(), size_);
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this == &other) return *this;
  Clear();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

absl::StatusOr<SecretBytes> SecretBytes::Random(size_t size) {
  SecretBytes secret = Zeros(size);
  const absl::Status status =
      crypto_internal::RandomBytes(secret.data_, secret.size_);
  if (!status.ok()) return status;
  return secret;
}

SecretBytes SecretBytes::Zeros(size_t size) {
  SecretBytes secret;
  if (size == 0) return secret;
  secret.data_ = static_cast<char*>(crypto_internal::AllocateLocked(size));
  secret.size_ = size;
  return secret;
}

void SecretBytes::Clear() {
  if (size_ == 0) return;
  crypto_internal::FreeLocked(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

bool operator==(const SecretBytes& a, const SecretBytes& b) {
  if (a.size_ != b.size_) return false;
  // volatile: the loop must not be turned into one that stops early.
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size_; ++i) {
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(a.data_[i]) ^
                      static_cast<unsigned char>(b.data_[i])));
  }
  return difference == 0;
}

}  // namespace shardingdb
