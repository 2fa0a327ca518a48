// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/gcm_vector_file.h"

#include <exception>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "crypto/hex.h"
#include "nlohmann/json.hpp"

namespace shardingdb::crypto_internal {
namespace {

using Json = nlohmann::json;

absl::Status Bad(absl::string_view place, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(place, ": ", what));
}

// Reads the members of one JSON object. The first that is not what it must be
// is remembered, and all later ones are taken for empty.
class Members {
 public:
  Members(const Json& object, std::string place)
      : object_(object), place_(std::move(place)) {
    if (!object.is_object()) status_ = Bad(place_, "must be an object");
  }

  // The member `name`, null where there is none.
  const Json* Find(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  std::string Text(const char* name) {
    const Json* const member = Find(name);
    if (member != nullptr && member->is_string()) {
      return member->get_ref<const std::string&>();
    }
    Fail(name, "must be a string");
    return "";
  }

  std::string Bytes(const char* name) {
    const std::string text = Text(name);
    std::optional<std::string> bytes = DecodeHex(absl::AsciiStrToLower(text));
    if (bytes.has_value()) return *std::move(bytes);
    Fail(name, "must be bytes in hexadecimal digits");
    return "";
  }

  uint64_t Number(const char* name) {
    const Json* const member = Find(name);
    if (member != nullptr && member->is_number_unsigned()) {
      return member->get<uint64_t>();
    }
    Fail(name, "must be a number that is not negative");
    return 0;
  }

  const Json::array_t& Array(const char* name) {
    static const auto* const kEmpty = new Json::array_t;
    const Json* const member = Find(name);
    if (member != nullptr && member->is_array()) {
      return member->get_ref<const Json::array_t&>();
    }
    Fail(name, "must be an array");
    return *kEmpty;
  }

  void Fail(const char* name, absl::string_view what) {
    if (!status_.ok()) return;
    status_ =
        Bad(place_.empty() ? name : absl::StrCat(place_, ".", name), what);
  }

  const absl::Status& status() const { return status_; }

 private:
  const Json& object_;
  const std::string place_;  // empty for the whole file
  absl::Status status_;
};

// `vector` comes with what the group says.
absl::StatusOr<GcmVector> VectorOf(const Json& test, std::string place,
                                   GcmVector vector) {
  Members members(test, std::move(place));
  vector.id = static_cast<int64_t>(members.Number("tcId"));
  if (members.Find("comment") != nullptr) {
    vector.comment = members.Text("comment");
  }
  vector.key = members.Bytes("key");
  vector.nonce = members.Bytes("iv");
  vector.associated_data = members.Bytes("aad");
  vector.plaintext = members.Bytes("msg");
  vector.ciphertext = members.Bytes("ct");
  vector.tag = members.Bytes("tag");
  const std::string result = members.Text("result");
  if (result == "valid") {
    vector.verdict = GcmVerdict::kValid;
  } else if (result == "invalid") {
    vector.verdict = GcmVerdict::kInvalid;
  } else if (result == "acceptable") {
    vector.verdict = GcmVerdict::kAcceptable;
  } else {
    members.Fail("result", "must be valid, invalid or acceptable");
  }
  if (!members.status().ok()) return members.status();
  return vector;
}

absl::Status AppendGroup(const Json& group, const std::string& place,
                         std::vector<GcmVector>* vectors) {
  Members members(group, place);
  GcmVector sizes;
  sizes.key_bits = members.Number("keySize");
  sizes.nonce_bits = members.Number("ivSize");
  sizes.tag_bits = members.Number("tagSize");
  size_t index = 0;
  for (const Json& test : members.Array("tests")) {
    absl::StatusOr<GcmVector> vector =
        VectorOf(test, absl::StrCat(place, ".tests[", index++, "]"), sizes);
    if (!vector.ok()) return vector.status();
    vectors->push_back(*std::move(vector));
  }
  return members.status();
}

absl::StatusOr<std::vector<GcmVector>> VectorsOf(const Json& file) {
  if (!file.is_object()) {
    return absl::InvalidArgumentError("must be a JSON object");
  }
  Members members(file, "");
  const std::string algorithm = members.Text("algorithm");
  if (algorithm != "AES-GCM") members.Fail("algorithm", "must be AES-GCM");
  std::vector<GcmVector> vectors;
  size_t index = 0;
  for (const Json& group : members.Array("testGroups")) {
    if (!members.status().ok()) return members.status();
    const absl::Status status =
        AppendGroup(group, absl::StrCat("testGroups[", index++, "]"), &vectors);
    if (!status.ok()) return status;
  }
  // Old files, and ones cut from a larger one, do without.
  if (members.Find("numberOfTests") != nullptr &&
      members.Number("numberOfTests") != vectors.size()) {
    members.Fail("numberOfTests",
                 absl::StrCat("there are ", vectors.size(), " tests"));
  }
  if (!members.status().ok()) return members.status();
  return vectors;
}

}  // namespace

absl::StatusOr<std::vector<GcmVector>> ParseGcmVectors(absl::string_view text) {
  try {
    return VectorsOf(Json::parse(text.begin(), text.end()));
  } catch (const std::exception& error) {
    // It has the line and the column.
    return absl::InvalidArgumentError(absl::StrCat("not JSON: ", error.what()));
  }
}

}  // namespace shardingdb::crypto_internal
