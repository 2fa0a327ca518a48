// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Sealing and opening beside AES-GCM of Crypto++ with a kept context, which is
// what nothing built on it can beat:
//
//   bazel run //crypto:aead_benchmark
//
// Every message is bound to a user key of 16 bytes.

#include <cryptopp/aes.h>
#include <cryptopp/gcm.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "crypto/aead.h"
#include "crypto/key_ring.h"
#include "crypto/xaes_gcm.h"

namespace shardingdb {
namespace {

using CryptoPP::byte;
using Gcm = CryptoPP::GCM<CryptoPP::AES>;

constexpr size_t kTagSize = 16;
constexpr size_t kNonceSize = 12;
constexpr byte kKey[32] = {1, 2, 3};
constexpr byte kNonce[kNonceSize] = {4, 5, 6};
const char kUserKey[] = "user-key-0000042";

const byte* Bytes(const char* data) {
  return reinterpret_cast<const byte*>(data);
}
byte* Bytes(char* data) { return reinterpret_cast<byte*>(data); }

// Ciphertext and tag, into `*sealed`, which has the size.
void RawSeal(Gcm::Encryption* gcm, const std::string& plaintext,
             std::string* sealed) {
  gcm->EncryptAndAuthenticate(Bytes(&(*sealed)[0]),
                              Bytes(&(*sealed)[plaintext.size()]), kTagSize,
                              kNonce, kNonceSize, Bytes(kUserKey), 16,
                              Bytes(plaintext.data()), plaintext.size());
}

void SetSize(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void BM_RawGcmSeal(benchmark::State& state) {
  Gcm::Encryption gcm;
  gcm.SetKeyWithIV(kKey, sizeof(kKey), kNonce, kNonceSize);
  const std::string plaintext(state.range(0), 'v');
  std::string sealed(plaintext.size() + kTagSize, '\0');
  for (auto _ : state) {
    RawSeal(&gcm, plaintext, &sealed);
    benchmark::DoNotOptimize(sealed.data());
  }
  SetSize(state);
}

void BM_RawGcmSealWithKeySetup(benchmark::State& state) {
  const std::string plaintext(state.range(0), 'v');
  std::string sealed(plaintext.size() + kTagSize, '\0');
  for (auto _ : state) {
    Gcm::Encryption gcm;
    gcm.SetKeyWithIV(kKey, sizeof(kKey), kNonce, kNonceSize);
    RawSeal(&gcm, plaintext, &sealed);
    benchmark::DoNotOptimize(sealed.data());
  }
  SetSize(state);
}

void BM_RawGcmOpen(benchmark::State& state) {
  const std::string plaintext(state.range(0), 'v');
  std::string sealed(plaintext.size() + kTagSize, '\0');
  Gcm::Encryption sealing;
  sealing.SetKeyWithIV(kKey, sizeof(kKey), kNonce, kNonceSize);
  RawSeal(&sealing, plaintext, &sealed);
  Gcm::Decryption gcm;
  gcm.SetKeyWithIV(kKey, sizeof(kKey), kNonce, kNonceSize);
  std::string opened(plaintext.size(), '\0');
  for (auto _ : state) {
    if (!gcm.DecryptAndVerify(Bytes(&opened[0]),
                              Bytes(sealed.data() + plaintext.size()), kTagSize,
                              kNonce, kNonceSize, Bytes(kUserKey), 16,
                              Bytes(sealed.data()), plaintext.size())) {
      state.SkipWithError("does not open");
      break;
    }
  }
  SetSize(state);
}

// XAES-256-GCM as its specification has it, deriving a key for each message.
void BM_XaesSealWithKeySetup(benchmark::State& state) {
  const std::string key(32, 'k');
  const std::string nonce(24, 'n');
  const std::string plaintext(state.range(0), 'v');
  std::string sealed(plaintext.size() + kTagSize, '\0');
  for (auto _ : state) {
    if (!crypto_internal::XaesSeal(key, nonce, kUserKey, plaintext, &sealed[0])
             .ok()) {
      state.SkipWithError("does not seal");
      break;
    }
  }
  SetSize(state);
}

std::shared_ptr<const Aead> NewAead() {
  absl::StatusOr<std::shared_ptr<KeyRing>> ring = KeyRing::Generate();
  if (!ring.ok()) return nullptr;
  return *std::move(ring);
}

void BM_KeyRingSeal(benchmark::State& state) {
  static const std::shared_ptr<const Aead>* const aead =
      new std::shared_ptr<const Aead>(NewAead());
  if (*aead == nullptr) {
    state.SkipWithError("no key ring");
    return;
  }
  const std::string plaintext(state.range(0), 'v');
  std::string sealed;
  for (auto _ : state) {
    sealed.clear();
    if (!(*aead)->Seal(plaintext, kUserKey, &sealed).ok()) {
      state.SkipWithError("does not seal");
      break;
    }
  }
  SetSize(state);
}

void BM_KeyRingOpen(benchmark::State& state) {
  const std::shared_ptr<const Aead> aead = NewAead();
  const std::string plaintext(state.range(0), 'v');
  std::string sealed;
  if (aead == nullptr || !aead->Seal(plaintext, kUserKey, &sealed).ok()) {
    state.SkipWithError("does not seal");
    return;
  }
  std::string opened;
  for (auto _ : state) {
    if (!aead->Open(sealed, kUserKey, &opened).ok()) {
      state.SkipWithError("does not open");
      break;
    }
  }
  SetSize(state);
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  for (int size : {16, 100, 256, 1024, 4096, 10240, 65536}) {
    benchmark->Arg(size);
  }
}

BENCHMARK(BM_RawGcmSeal)->Apply(Sizes);
BENCHMARK(BM_KeyRingSeal)->Apply(Sizes);
BENCHMARK(BM_RawGcmOpen)->Apply(Sizes);
BENCHMARK(BM_KeyRingOpen)->Apply(Sizes);
BENCHMARK(BM_RawGcmSealWithKeySetup)->Arg(100)->Arg(1024);
BENCHMARK(BM_XaesSealWithKeySetup)->Arg(100)->Arg(1024);
BENCHMARK(BM_KeyRingSeal)->Arg(100)->Threads(2);

}  // namespace
}  // namespace shardingdb
