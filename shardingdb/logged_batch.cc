// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "shardingdb/logged_batch.h"

#include <cstddef>

#include "leveldb/slice.h"

namespace shardingdb {
namespace {

constexpr char kDelete = 0;
constexpr char kPut = 1;

template <typename Number>
void AppendFixed(Number number, std::string* bytes) {
  char buffer[sizeof(Number)];
  for (char& byte : buffer) {
    byte = static_cast<char>(number & 0xff);
    number >>= 8;
  }
  bytes->append(buffer, sizeof(buffer));
}

template <typename Number>
bool TakeFixed(absl::string_view* bytes, Number* number) {
  if (bytes->size() < sizeof(Number)) return false;
  *number = 0;
  for (size_t i = sizeof(Number); i > 0; --i)
    *number = (*number << 8) | static_cast<uint8_t>((*bytes)[i - 1]);
  bytes->remove_prefix(sizeof(Number));
  return true;
}

void AppendSlice(const leveldb::Slice& slice, std::string* bytes) {
  AppendFixed32(static_cast<uint32_t>(slice.size()), bytes);
  bytes->append(slice.data(), slice.size());
}

bool TakeSlice(absl::string_view* bytes, leveldb::Slice* slice) {
  uint32_t size;
  if (!TakeFixed32(bytes, &size) || bytes->size() < size) return false;
  *slice = leveldb::Slice(bytes->data(), size);
  bytes->remove_prefix(size);
  return true;
}

class Encoder final : public leveldb::WriteBatch::Handler {
 public:
  explicit Encoder(std::string* bytes) : bytes_(bytes) {}

  void Put(const leveldb::Slice& key, const leveldb::Slice& value) override {
    bytes_->push_back(kPut);
    AppendSlice(key, bytes_);
    AppendSlice(value, bytes_);
  }
  void Delete(const leveldb::Slice& key) override {
    bytes_->push_back(kDelete);
    AppendSlice(key, bytes_);
  }

 private:
  std::string* const bytes_;
};

}  // namespace

leveldb::Status EncodeBatch(const leveldb::WriteBatch& batch,
                            std::string* bytes) {
  bytes->clear();
  bytes->reserve(batch.ApproximateSize() + 64);
  Encoder encoder(bytes);
  return batch.Iterate(&encoder);
}

leveldb::Status DecodeBatch(absl::string_view bytes,
                            leveldb::WriteBatch* batch) {
  batch->Clear();
  while (!bytes.empty()) {
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    leveldb::Slice key, value;
    if (kind == kPut && TakeSlice(&bytes, &key) && TakeSlice(&bytes, &value)) {
      batch->Put(key, value);
    } else if (kind == kDelete && TakeSlice(&bytes, &key)) {
      batch->Delete(key);
    } else {
      batch->Clear();
      return leveldb::Status::Corruption("no batch of updates");
    }
  }
  return leveldb::Status::OK();
}

void AppendFixed32(uint32_t number, std::string* bytes) {
  AppendFixed(number, bytes);
}
void AppendFixed64(uint64_t number, std::string* bytes) {
  AppendFixed(number, bytes);
}
bool TakeFixed32(absl::string_view* bytes, uint32_t* number) {
  return TakeFixed(bytes, number);
}
bool TakeFixed64(absl::string_view* bytes, uint64_t* number) {
  return TakeFixed(bytes, number);
}

}  // namespace shardingdb
