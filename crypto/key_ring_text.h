// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// The text of a key ring file, of docs/formats/keyring.md: to and from fields.

#ifndef SHARDINGDB_CRYPTO_KEY_RING_TEXT_H_
#define SHARDINGDB_CRYPTO_KEY_RING_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/key_ring.h"

namespace shardingdb::crypto_internal {

inline constexpr char kKeyRingVersion = 1;
inline constexpr size_t kRingIdSize = 16;
inline constexpr size_t kRingCheckSize = 32;
inline constexpr size_t kWrappedKeySize = 72;
inline constexpr size_t kRingSealSize = 40;
// More than any ring needs (20,000 keys), and a bound for reading.
inline constexpr size_t kMaxKeyRingTextSize = size_t{4} << 20;
// Within the year 9999.
inline constexpr int64_t kMaxCreated = 253402300799;

// The fields, as bytes. Nothing in it is secret.
struct KeyRingText {
  struct Key {
    uint32_t id = 0;
    int64_t created = 0;  // seconds since 1970
    KeyState state = KeyState::kEnabled;
    bool primary = false;
    std::string wrapped;  // empty if it is dropped
  };

  std::string ring_id;
  std::string kek;  // what a KekProvider made of the ring key
  std::string check;
  std::vector<Key> keys;
  std::string prf;  // the wrapped secret of opaque keys; empty if there is none
  std::string seal;
};

// The line of the key `id`, or null.
KeyRingText::Key* FindKey(uint32_t id, KeyRingText* text);

// REQUIRES: a key is the primary, as in each text that ParseKeyRingText() takes
const KeyRingText::Key& PrimaryOf(const KeyRingText& text);

// In which line of the text keys[index], the secret of opaque keys, or the seal
// stands.
size_t LineOfKey(size_t index);
size_t LineOfPrf(const KeyRingText& text);
size_t LineOfSeal(const KeyRingText& text);

// What the seal is over: all lines before it.
//
// REQUIRES: every field is as ParseKeyRingText() would take it
std::string EncodeUnsealed(const KeyRingText& text);

// The whole text.
//
// REQUIRES: the same
std::string EncodeKeyRingText(const KeyRingText& text);

// The fields of a text. Each text that is accepted has one spelling: encoding
// the fields gives it back, byte by byte. It is authentic only once the seal
// has been verified.
//
// Errors:
//   kDataLoss       damaged, with the line; also where it is no key ring at all
//   kUnimplemented  of a newer version than this program
[[nodiscard]] absl::StatusOr<KeyRingText> ParseKeyRingText(
    absl::string_view text);

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_KEY_RING_TEXT_H_
