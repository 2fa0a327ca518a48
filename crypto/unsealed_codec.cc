// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/unsealed_codec.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "crc32c/crc32c.h"
#include "crypto/envelope.h"

namespace shardingdb {
namespace {

using crypto_internal::kEnvelopeVersion;

constexpr absl::string_view kDomain = "sdb/unsealed:";
constexpr uint8_t kSealedFlag = 0x80;
constexpr uint8_t kCompressionMask = 0x07;
constexpr size_t kFieldsSize = 2;  // version and flags; the checksum follows

// CRC-32C (RFC 3720, appendix B.4).
class Crc32c {
 public:
  void Update(absl::string_view bytes) {
    value_ = crc32c::Extend(
        value_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  uint32_t value() const { return value_; }

 private:
  uint32_t value_ = 0;
};

void WriteLittleEndian(uint32_t number, char* bytes) {
  for (int i = 0; i < 4; ++i) {
    bytes[i] = static_cast<char>((number >> (8 * i)) & 0xff);
  }
}

// Of all but itself, and of the user key.
uint32_t ChecksumOf(absl::string_view envelope, absl::string_view user_key) {
  char key_size[4];
  WriteLittleEndian(static_cast<uint32_t>(user_key.size()), key_size);
  Crc32c crc;
  crc.Update(kDomain);
  crc.Update(envelope.substr(0, kFieldsSize));
  crc.Update(absl::string_view(key_size, sizeof(key_size)));
  crc.Update(user_key);
  crc.Update(envelope.substr(UnsealedCodec::kOverhead));
  return crc.value();
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("stored value: ", what));
}

// kNone, kSnappy or kZstd, once everything has been found right.
absl::Status Check(absl::string_view envelope, absl::string_view user_key,
                   Compression* compression) {
  if (envelope.empty()) return Damaged("too short: 0 bytes");
  const auto version = static_cast<uint8_t>(envelope[0]);
  if (version != kEnvelopeVersion) {
    return Damaged(absl::StrCat("unknown version ", version));
  }
  if (envelope.size() < UnsealedCodec::kOverhead) {
    return Damaged(absl::StrCat("too short: ", envelope.size(), " bytes"));
  }
  const auto flags = static_cast<uint8_t>(envelope[1]);
  if ((flags & kSealedFlag) != 0) return Damaged("is sealed");
  if ((flags & ~kCompressionMask) != 0) {
    return Damaged(
        absl::StrCat("unknown flags 0x", absl::Hex(flags, absl::kZeroPad2)));
  }
  *compression = static_cast<Compression>(flags);
  if (*compression > Compression::kZstd) {
    return Damaged(absl::StrCat("unknown compression ", flags));
  }
  char checksum[4];
  WriteLittleEndian(ChecksumOf(envelope, user_key), checksum);
  if (envelope.substr(kFieldsSize, sizeof(checksum)) !=
      absl::string_view(checksum, sizeof(checksum))) {
    return Damaged("the checksum is wrong");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status UnsealedCodec::Seal(absl::string_view plaintext,
                                 absl::string_view associated_data,
                                 std::string* sealed) const {
  std::string compressed;
  Compression compression = Compression::kNone;
  if (crypto_internal::CompressIfSmaller(compression_, plaintext,
                                         &compressed)) {
    compression = compression_;
    plaintext = compressed;
  }
  const size_t before = sealed->size();
  sealed->reserve(before + kOverhead + plaintext.size());
  sealed->push_back(static_cast<char>(kEnvelopeVersion));
  sealed->push_back(static_cast<char>(compression));
  sealed->append(kOverhead - kFieldsSize, '\0');
  sealed->append(plaintext.data(), plaintext.size());
  const absl::string_view envelope = absl::string_view(*sealed).substr(before);
  WriteLittleEndian(ChecksumOf(envelope, associated_data),
                    &(*sealed)[before + kFieldsSize]);
  return absl::OkStatus();
}

absl::Status UnsealedCodec::Open(absl::string_view sealed,
                                 absl::string_view associated_data,
                                 std::string* plaintext) const {
  Compression compression = Compression::kNone;
  absl::Status status = Check(sealed, associated_data, &compression);
  if (status.ok()) {
    const absl::string_view stored = sealed.substr(kOverhead);
    if (compression == Compression::kNone) {
      plaintext->assign(stored.data(), stored.size());
      return status;
    }
    status = crypto_internal::Decompress(compression, stored, plaintext);
    if (!status.ok()) status = Damaged("does not decompress");
  }
  if (!status.ok()) plaintext->clear();
  return status;
}

bool UnsealedCodec::HasMade(absl::string_view sealed,
                            absl::string_view associated_data) {
  Compression compression = Compression::kNone;
  return Check(sealed, associated_data, &compression).ok();
}

}  // namespace shardingdb
