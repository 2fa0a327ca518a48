// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/envelope.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "crypto/xaes_gcm.h"

namespace shardingdb::crypto_internal {
namespace {

// Flags. All bits that are not named are zero.
constexpr uint8_t kCompressionMask = 0x07;
constexpr uint8_t kSealedFlag = 0x80;

// With the header, one block of AES: the shortest that GCM can authenticate.
constexpr char kDomain[] = "sdb/value:";
constexpr size_t kDomainSize = sizeof(kDomain) - 1;
static_assert(kDomainSize + kEnvelopeHeaderSize == 16);

// What is authenticated with a value: domain, header, user key. The first two
// have fixed lengths, so no other three of them join to the same bytes.
class AssociatedData {
 public:
  AssociatedData(const char* header, absl::string_view user_key)
      : size_(kDomainSize + kEnvelopeHeaderSize + user_key.size()) {
    char* to = stack_;
    if (size_ > sizeof(stack_)) {
      heap_.resize(size_);
      to = &heap_[0];
    }
    std::memcpy(to, kDomain, kDomainSize);
    std::memcpy(to + kDomainSize, header, kEnvelopeHeaderSize);
    if (!user_key.empty()) {
      std::memcpy(to + kDomainSize + kEnvelopeHeaderSize, user_key.data(),
                  user_key.size());
    }
  }

  absl::string_view view() const {
    return {size_ > sizeof(stack_) ? heap_.data() : stack_, size_};
  }

 private:
  const size_t size_;
  char stack_[256];
  std::string heap_;
};

void WriteHeader(const EnvelopeHeader& header, char* bytes) {
  bytes[0] = static_cast<char>(kEnvelopeVersion);
  bytes[1] =
      static_cast<char>(kSealedFlag | static_cast<uint8_t>(header.compression));
  for (int i = 0; i < 4; ++i) {
    bytes[2 + i] = static_cast<char>((header.key_id >> (8 * i)) & 0xff);
  }
}

}  // namespace

absl::StatusOr<EnvelopeHeader> ReadEnvelopeHeader(absl::string_view envelope) {
  if (envelope.empty()) {
    return absl::DataLossError("sealed value: too short: 0 bytes");
  }
  const auto byte = [envelope](size_t i) {
    return static_cast<uint8_t>(envelope[i]);
  };
  if (byte(0) != kEnvelopeVersion) {
    return absl::DataLossError(
        absl::StrCat("sealed value: unknown version ", byte(0)));
  }
  if (envelope.size() < kEnvelopeOverhead) {
    return absl::DataLossError(
        absl::StrCat("sealed value: too short: ", envelope.size(), " bytes"));
  }
  const uint8_t flags = byte(1);
  if ((flags & kSealedFlag) == 0) {
    return absl::DataLossError("sealed value: not sealed");
  }
  if ((flags & ~(kSealedFlag | kCompressionMask)) != 0) {
    return absl::DataLossError(absl::StrCat("sealed value: unknown flags 0x",
                                            absl::Hex(flags, absl::kZeroPad2)));
  }
  EnvelopeHeader header;
  header.compression = static_cast<Compression>(flags & kCompressionMask);
  if (header.compression > Compression::kZstd) {
    return absl::DataLossError(absl::StrCat(
        "sealed value: unknown compression ", flags & kCompressionMask));
  }
  for (int i = 0; i < 4; ++i) {
    header.key_id |= static_cast<uint32_t>(byte(2 + i)) << (8 * i);
  }
  return header;
}

absl::Status SealEnvelope(const XaesKey& key, const EnvelopeHeader& header,
                          absl::string_view user_key,
                          absl::string_view plaintext, char* envelope) {
  WriteHeader(header, envelope);
  const AssociatedData associated_data(envelope, user_key);
  return key.Seal(associated_data.view(), plaintext,
                  envelope + kEnvelopeHeaderSize);
}

absl::Status OpenEnvelope(const XaesKey& key, absl::string_view user_key,
                          absl::string_view envelope, char* plaintext) {
  const AssociatedData associated_data(envelope.data(), user_key);
  absl::Status status = key.Open(
      associated_data.view(), envelope.substr(kEnvelopeHeaderSize), plaintext);
  if (absl::IsDataLoss(status)) {
    return absl::DataLossError("sealed value: authentication failed");
  }
  return status;
}

absl::Status SealEnvelopeWithNonceForTest(absl::string_view key,
                                          const EnvelopeHeader& header,
                                          absl::string_view nonce,
                                          absl::string_view user_key,
                                          absl::string_view plaintext,
                                          char* envelope) {
  WriteHeader(header, envelope);
  const AssociatedData associated_data(envelope, user_key);
  char* sealed = envelope + kEnvelopeHeaderSize + kXaesNonceSize;
  absl::Status status =
      XaesSeal(key, nonce, associated_data.view(), plaintext, sealed);
  if (!status.ok()) return status;
  std::memcpy(envelope + kEnvelopeHeaderSize, nonce.data(), kXaesNonceSize);
  return absl::OkStatus();
}

}  // namespace shardingdb::crypto_internal
