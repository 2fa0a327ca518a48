// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_RESHARD_VALUE_CODEC_H_
#define SHARDINGDB_RESHARD_VALUE_CODEC_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "crypto/aead.h"
#include "crypto/compression.h"
#include "crypto/key_prf.h"
#include "crypto/key_ring.h"
#include "crypto/key_ring_file.h"
#include "leveldb/slice.h"
#include "reshard/marker.h"
#include "shardingdb/db_handle.h"

namespace shardingdb {

// How the values of a set are stored. By default plain: as they are.
struct ValueCodec {
  // As in ValueForms.
  std::string name = ValueForms::kPlain;

  // Null for plain values.
  std::shared_ptr<const Aead> aead;

  // The ring that `aead` seals under; null for other forms.
  std::shared_ptr<const KeyRing> key_ring;

  // True if the keys of the set are opaque: its values are bound to them in
  // another way.
  bool opaque_keys = false;

  // What has made the opaque keys; where keys are in clear, what would under
  // this ring. Null if there is none.
  std::shared_ptr<const KeyPrf> key_prf;

  // True for plain values that are taken for plain also if all of them look
  // sealed.
  bool may_look_sealed = false;

  // True for values in unsealed envelopes.
  bool compressed = false;

  bool plain() const { return aead == nullptr; }

  // False for forms that are only read.
  bool writable() const { return plain() || compressed || key_ring != nullptr; }

  // True for a value that is sealed under the primary of the ring.
  bool SealedByPrimary(const leveldb::Slice& stored) const;

  // True if `value`, which is stored in this form as `stored` under `key`, need
  // not be stored anew: it is sealed under the primary, or compressed as it
  // would be now. REQUIRES: writable().
  bool IsCurrent(const leveldb::Slice& key, const leveldb::Slice& stored,
                 const std::string& value) const;
};

// Values that are sealed under `file`. What is sealed from now on is compressed
// before.
ValueCodec SealedValues(const KeyRingFile& file,
                        Compression compression = Compression::kSnappy);

// The same for a set whose keys are opaque, made by `key_prf`: for both sides
// of a run the one that the set is opened with, whatever the rings. `sealed` is
// of SealedValues; `key_prf` is not null.
ValueCodec UnderOpaqueKeys(ValueCodec sealed,
                           std::shared_ptr<const KeyPrf> key_prf);

// Values in unsealed envelopes, as ShardingDbBuilder::WithValueCompression
// stores them without encryption. What is stored from now on is compressed so.
ValueCodec CompressedValues(Compression compression = Compression::kSnappy);

// The Go shardingdb's legacy values, for reading: `aead` is one of
// NewLegacyAesCbc.
ValueCodec LegacyValues(std::shared_ptr<const Aead> aead);

// What opens the values of `in` that are to become `out`; null if nothing has
// to. Where `in` is a form that nothing authenticates, a value that is stored
// as `out` already does not open, so that nothing is sealed or compressed
// twice; nor does a compressed one that is said to be plain.
std::shared_ptr<const Aead> ReaderOf(const ValueCodec& in,
                                     const ValueCodec& out);

// What opens values of `out` that should have been `in` before; null if nothing
// has to. Where `out` is plain, a value that still is as `in` does not open.
std::shared_ptr<const Aead> DoubtingReaderOf(const ValueCodec& out,
                                             const ValueCodec& in);

// Looks at the first values of `handle`, as they are stored, before anything is
// written: are they what `in` says, and not `out` already? FailedPrecondition
// if none is the one, or some are the other, or all look sealed where they
// should be plain, or a key that is needed is disabled; with the flag to give,
// where the values tell it.
[[nodiscard]] absl::Status CheckFirstValues(DbHandle* handle,
                                            const ValueCodec& in,
                                            const ValueCodec& out);

}  // namespace shardingdb

#endif  // SHARDINGDB_RESHARD_VALUE_CODEC_H_
