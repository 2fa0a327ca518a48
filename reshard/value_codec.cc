// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reshard/value_codec.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "crypto/compressing_aead.h"
#include "crypto/unsealed_codec.h"
#include "leveldb/iterator.h"
#include "reshard/bulk_read.h"
#include "shardingdb/describe_key.h"
#include "shardingdb/encrypted_db_handle.h"
#include "shardingdb/opaque_keys_handle.h"
#include "shardingdb/reserved_keys.h"
#include "shardingdb/slice_view.h"
#include "shardingdb/status.h"

namespace shardingdb {
namespace {

// A form that values may have by mistake.
struct OtherForm {
  std::function<bool(absl::string_view stored, absl::string_view key)> has_made;
  absl::string_view what;     // "they are ..."
  absl::string_view why_not;  // to take them as what they are said to be
  absl::string_view flag;     // to say what they are
};

// What is authenticated can be decompressed without a doubt.
auto OpensWith(std::shared_ptr<const Aead> aead) {
  return [aead = std::move(aead)](absl::string_view stored,
                                  absl::string_view key) {
    std::string value;
    return aead->Open(stored, key, &value).ok();
  };
}

// Whether a value says that it is sealed with a key of `key_ring`, whatever the
// state of that key: one that is disabled opens nothing, and yet what it has
// sealed is sealed.
auto SaysSealedUnder(const KeyRing& key_ring) {
  std::set<uint32_t> ids;
  for (const KeyInfo& key : key_ring.ListKeys()) ids.insert(key.id);
  return [ids = std::move(ids)](absl::string_view stored, absl::string_view) {
    return ids.count(KeyRing::KeyIdOf(stored)) > 0;
  };
}

OtherForm AsCompressed() {
  return {UnsealedCodec::HasMade,
          "compressed, as WithValueCompression stores them",
          "to take them for plain ones is refused", "--in-compressed"};
}

// With opaque keys or without.
OtherForm AsSealed(const KeyRing& key_ring) {
  return {SaysSealedUnder(key_ring), "sealed under this key ring already",
          "sealing them twice is refused", "--in-key-ring too"};
}

OtherForm AsSealedUnderOpaqueKeys(const ValueCodec& codec) {
  return {OpensWith(AeadForOpaqueKeys(codec.key_ring, codec.key_prf)),
          "sealed under this key ring already, with opaque keys",
          "sealing them twice is refused", "--in-key-ring and --opaque-keys"};
}

// What nothing tells from values of `in`, and what they must not be if they are
// to become `out`.
std::vector<OtherForm> FormsToRefuse(const ValueCodec& in,
                                     const ValueCodec& out) {
  if (in.key_ring != nullptr || in.compressed || out.plain()) return {};
  std::vector<OtherForm> forms;
  if (out.key_ring != nullptr) {
    if (out.key_prf != nullptr) forms.push_back(AsSealedUnderOpaqueKeys(out));
    forms.push_back(AsSealed(*out.key_ring));
  }
  if (in.plain()) forms.push_back(AsCompressed());
  return forms;
}

// Reads values that are not in other forms.
class ReaderApart final : public Aead {
 public:
  ReaderApart(std::shared_ptr<const Aead> base, std::vector<OtherForm> forms)
      : base_(std::move(base)), forms_(std::move(forms)) {}

  absl::Status Seal(absl::string_view, absl::string_view,
                    std::string*) const override {
    return absl::InvalidArgumentError("values are only read in this form");
  }

  absl::Status Open(absl::string_view stored, absl::string_view key,
                    std::string* value) const override {
    value->clear();
    for (const OtherForm& form : forms_) {
      if (!form.has_made(stored, key)) continue;
      return absl::DataLossError(absl::StrCat("it is ", form.what));
    }
    if (base_ != nullptr) return base_->Open(stored, key, value);
    value->assign(stored.data(), stored.size());
    return absl::OkStatus();
  }

  bool NeedsReseal(absl::string_view) const override { return false; }

 private:
  const std::shared_ptr<const Aead> base_;  // null for plain values
  const std::vector<OtherForm> forms_;
};

// What values that are not `in` may be, and can be tried.
std::string Hint(DbHandle* handle, const ValueCodec& in) {
  std::vector<std::pair<OtherForm, absl::string_view>> forms;
  if (!in.compressed) {
    forms.push_back({AsCompressed(),
                     "they are compressed, as WithValueCompression stores "
                     "them: say --in-compressed"});
  }
  if (in.key_ring != nullptr && in.opaque_keys) {
    OtherForm sealed = AsSealed(*in.key_ring);
    sealed.has_made = OpensWith(in.key_ring);
    forms.push_back({std::move(sealed),
                     "the keys of this set are in clear: leave --opaque-keys "
                     "out"});
  }
  if (in.key_ring != nullptr && !in.opaque_keys && in.key_prf != nullptr) {
    forms.push_back({AsSealedUnderOpaqueKeys(in),
                     "the keys of this set are opaque: say --opaque-keys"});
  }
  const std::unique_ptr<leveldb::Iterator> iterator(
      handle->NewIterator(BulkReadOptions()));
  iterator->SeekToFirst();
  SkipReservedForward(iterator.get());
  if (!iterator->Valid()) return "";
  for (const auto& [form, hint] : forms) {
    if (form.has_made(View(iterator->value()), View(iterator->key()))) {
      return absl::StrCat("; ", hint);
    }
  }
  if (!in.compressed) return "";
  return KeyRing::KeyIdOf(View(iterator->value())) != 0
             ? "; they look sealed: say --in-key-ring"
             : "; values that are stored as they are need no --in-compressed";
}

}  // namespace

bool ValueCodec::SealedByPrimary(const leveldb::Slice& stored) const {
  return key_ring != nullptr &&
         KeyRing::KeyIdOf(View(stored)) == key_ring->primary_id();
}

bool ValueCodec::IsCurrent(const leveldb::Slice& key,
                           const leveldb::Slice& stored,
                           const std::string& value) const {
  if (key_ring != nullptr) return SealedByPrimary(stored);
  if (plain()) return true;
  std::string again;
  return aead->Seal(value, View(key), &again).ok() && again == View(stored);
}

ValueCodec SealedValues(const KeyRingFile& file, Compression compression) {
  ValueCodec codec;
  codec.name = absl::StrCat("key-ring ", file.ring_id());
  codec.aead = std::make_shared<CompressingAead>(file.ring(), compression);
  codec.key_ring = file.ring();
  codec.key_prf = file.key_prf();
  return codec;
}

ValueCodec UnderOpaqueKeys(ValueCodec sealed,
                           std::shared_ptr<const KeyPrf> key_prf) {
  absl::StrAppend(&sealed.name, " opaque-keys");
  sealed.aead = AeadForOpaqueKeys(std::move(sealed.aead), key_prf);
  sealed.opaque_keys = true;
  sealed.key_prf = std::move(key_prf);
  return sealed;
}

ValueCodec CompressedValues(Compression compression) {
  ValueCodec codec;
  codec.name = "compressed";
  codec.aead = std::make_shared<UnsealedCodec>(compression);
  codec.compressed = true;
  return codec;
}

ValueCodec LegacyValues(std::shared_ptr<const Aead> aead) {
  ValueCodec codec;
  codec.name = "legacy-aes-cbc";
  codec.aead = std::move(aead);
  return codec;
}

std::shared_ptr<const Aead> ReaderOf(const ValueCodec& in,
                                     const ValueCodec& out) {
  std::vector<OtherForm> forms = FormsToRefuse(in, out);
  if (forms.empty()) return in.aead;
  return std::make_shared<ReaderApart>(in.aead, std::move(forms));
}

std::shared_ptr<const Aead> DoubtingReaderOf(const ValueCodec& out,
                                             const ValueCodec& in) {
  if (!out.plain()) return out.aead;
  std::vector<OtherForm> forms;
  if (in.key_ring != nullptr) forms.push_back(AsSealed(*in.key_ring));
  if (in.compressed) forms.push_back(AsCompressed());
  if (forms.empty()) return nullptr;
  return std::make_shared<ReaderApart>(nullptr, std::move(forms));
}

absl::Status CheckFirstValues(DbHandle* handle, const ValueCodec& in,
                              const ValueCodec& out) {
  if (in.plain() && out.plain()) return absl::OkStatus();
  constexpr int kSample = 64;
  const std::vector<OtherForm> forms = FormsToRefuse(in, out);
  std::vector<int> found(forms.size());
  const std::unique_ptr<leveldb::Iterator> iterator(
      handle->NewIterator(BulkReadOptions()));
  int seen = 0;
  int look_sealed = 0;
  std::string value;
  for (iterator->SeekToFirst(); iterator->Valid() && seen < kSample;
       iterator->Next()) {
    if (IsReservedKey(iterator->key())) continue;
    ++seen;
    const absl::string_view stored = View(iterator->value());
    const absl::string_view key = View(iterator->key());
    for (size_t i = 0; i < forms.size(); ++i) {
      found[i] += forms[i].has_made(stored, key);
    }
    look_sealed += KeyRing::KeyIdOf(stored) != 0 ? 1 : 0;
    if (in.plain()) continue;
    const absl::Status status = in.aead->Open(stored, key, &value);
    if (absl::IsFailedPrecondition(status)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the value of key ", DescribeKey(iterator->key()),
                       " does not open: ", status.message()));
    }
  }
  if (!iterator->status().ok()) return ToAbslStatus(iterator->status());
  for (size_t i = 0; i < forms.size(); ++i) {
    if (found[i] == 0) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("of the first ", seen, " values ", found[i], " are ",
                     forms[i].what, "; ", forms[i].why_not,
                     " (for values that are, say ", forms[i].flag, ")"));
  }
  if (in.plain()) {
    if (in.may_look_sealed || seen == 0 || look_sealed < seen)
      return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(
        "all of the first ", seen,
        " values look sealed, under another key ring or a key that this one "
        "lacks; to take them for plain ones is refused (say --in-key-ring, or, "
        "if they are values that only look so, --in-plain)"));
  }
  const absl::Status status = CheckValuesOpen(handle, *in.aead);
  if (!absl::IsFailedPrecondition(status)) return status;
  return absl::FailedPreconditionError(
      absl::StrCat(status.message(), Hint(handle, in)));
}

}  // namespace shardingdb
