// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/compression.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "snappy.h"
#include "zstd.h"

namespace shardingdb::crypto_internal {
namespace {

// The fastest level that is meant for general use: what stands behind it, in
// front of a seal, is a put.
constexpr int kZstdLevel = 1;

// What the formats can expand to at most. Snappy's densest element copies 64
// bytes by 3; zstd's densest block makes 128 KiB of 4.
constexpr uint64_t kSnappyExpansion = 22;
constexpr uint64_t kZstdExpansion = (uint64_t{128} << 10) / 4;

// No entry of LevelDB is longer.
constexpr uint64_t kMaxPlaintext = UINT32_MAX;

// What a frame of RFC 8878 begins with. The library reads skippable frames and
// those of old versions of zstd too.
constexpr absl::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// One for each thread: making one takes longer than most values do.
ZSTD_CCtx* CompressionContext() {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(
      ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* DecompressionContext() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(
      ZSTD_createDCtx());
  return context.get();
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the plaintext does not decompress: ", what));
}

// Makes room for the length that is declared.
absl::Status Resize(uint64_t declared, uint64_t reachable,
                    std::string* plaintext) {
  if (declared > reachable || declared > kMaxPlaintext)
    return Damaged("it declares too long a length");
  try {
    plaintext->resize(declared);
  } catch (const std::bad_alloc&) {
    return absl::InternalError(absl::StrCat(
        "no memory for the ", declared, " bytes that a value decompresses to"));
  }
  return absl::OkStatus();
}

bool SnappyCompress(absl::string_view plaintext, std::string* compressed) {
  size_t size = 0;
  compressed->resize(snappy::MaxCompressedLength(plaintext.size()));
  snappy::RawCompress(plaintext.data(), plaintext.size(), &(*compressed)[0],
                      &size);
  compressed->resize(size);
  return true;
}

bool ZstdCompress(absl::string_view plaintext, std::string* compressed) {
  ZSTD_CCtx* const context = CompressionContext();
  if (context == nullptr) return false;
  compressed->resize(ZSTD_compressBound(plaintext.size()));
  const size_t size =
      ZSTD_compressCCtx(context, &(*compressed)[0], compressed->size(),
                        plaintext.data(), plaintext.size(), kZstdLevel);
  if (ZSTD_isError(size)) return false;
  compressed->resize(size);
  return true;
}

absl::Status SnappyDecompress(absl::string_view compressed,
                              std::string* plaintext) {
  size_t declared = 0;
  if (!snappy::GetUncompressedLength(compressed.data(), compressed.size(),
                                     &declared)) {
    return Damaged("no length");
  }
  const absl::Status status =
      Resize(declared, kSnappyExpansion * compressed.size(), plaintext);
  if (!status.ok()) return status;
  return snappy::RawUncompress(compressed.data(), compressed.size(),
                               &(*plaintext)[0])
             ? absl::OkStatus()
             : Damaged("not what Snappy makes");
}

absl::Status ZstdDecompress(absl::string_view compressed,
                            std::string* plaintext) {
  ZSTD_DCtx* const context = DecompressionContext();
  if (context == nullptr) return absl::InternalError("zstd has no memory");
  if (!absl::StartsWith(compressed, kZstdMagic)) return Damaged("no frame");
  if (ZSTD_findFrameCompressedSize(compressed.data(), compressed.size()) !=
      compressed.size()) {
    return Damaged("not one whole frame");
  }
  const unsigned long long declared =  // NOLINT: zstd's own type
      ZSTD_getFrameContentSize(compressed.data(), compressed.size());
  if (declared == ZSTD_CONTENTSIZE_UNKNOWN ||
      declared == ZSTD_CONTENTSIZE_ERROR) {
    return Damaged("no length");
  }
  const absl::Status status =
      Resize(declared, kZstdExpansion * compressed.size(), plaintext);
  if (!status.ok()) return status;
  const size_t size =
      ZSTD_decompressDCtx(context, &(*plaintext)[0], plaintext->size(),
                          compressed.data(), compressed.size());
  if (ZSTD_isError(size) || size != declared)
    return Damaged("not what zstd makes");
  return absl::OkStatus();
}

}  // namespace

bool CompressIfSmaller(Compression compression, absl::string_view plaintext,
                       std::string* compressed) {
  if (plaintext.size() < kMinCompressedPlaintext) return false;
  bool done = false;
  switch (compression) {
    case Compression::kNone:
      break;
    case Compression::kSnappy:
      done = SnappyCompress(plaintext, compressed);
      break;
    case Compression::kZstd:
      done = ZstdCompress(plaintext, compressed);
      break;
  }
  return done && compressed->size() <= plaintext.size() / 8 * 7;
}

absl::Status Decompress(Compression compression, absl::string_view compressed,
                        std::string* plaintext) {
  switch (compression) {
    case Compression::kSnappy:
      return SnappyDecompress(compressed, plaintext);
    case Compression::kZstd:
      return ZstdDecompress(compressed, plaintext);
    case Compression::kNone:
      break;
  }
  return Damaged("unknown compression");
}

}  // namespace shardingdb::crypto_internal
