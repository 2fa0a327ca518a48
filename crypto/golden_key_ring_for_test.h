// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

// Key ring files of fixed keys, which this format has for good. They were
// computed with another implementation (Python, OpenSSL).

#ifndef SHARDINGDB_CRYPTO_GOLDEN_KEY_RING_FOR_TEST_H_
#define SHARDINGDB_CRYPTO_GOLDEN_KEY_RING_FOR_TEST_H_

#include <string>

namespace shardingdb::crypto_internal {

// `size` bytes that count upwards from `first`, as all of these keys do.
inline std::string CountingBytes(int first, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(first + i));
  return bytes;
}

// Under the raw KEK CountingBytes(0xe0, 32). The ring key begins with 0x40, the
// data keys with 0x01, 0x00 and 0x80.
inline constexpr char kGoldenRawRing[] =
    R"(shardingdb-keyring 1
ring a0a1a2a3a4a5a6a7a8a9aaabacadaeaf
kek raw 101112131415161718191a1b1c1d1e1f2021222324252627150d7c638803efbf6ff5c830c3ac3f92717583d25330ecfa2da817ba584c9bd69e99bf7e13dcf2408db1cb38a774674a
check 2c9cf903e1887a50a1afd01a55abe09e29db13ed00c374a65871eb650ab3988a
key 1 1700000000 disabled 101112131415161718191a1b1c1d1e1f2021222324252627d9580144e3e460ab4610acbe53e17dd8f80e6c01a29b135c493d6a8917c79245f1dcda8c87b644a26565dc320feb0640
key 67305985 1750000000 enabled 202122232425262728292a2b2c2d2e2f3031323334353637ae38874a8373e14bce570f6bd489a44bb55fdf9ee453a19f48383a57c41488a2cb1e11799a7a85cd041451884c547263
key 4294967295 1800000000 primary 303132333435363738393a3b3c3d3e3f404142434445464700fc51b3c25349083a73ba7bb1228eea8f702d23fe15cdf6d26ae8005b6ffeccba9ec906e7595cc06b8eaf7161f289ea
seal 707172737475767778797a7b7c7d7e7f8081828384858687ff3c2175fce4ea1a561bd7c4c59846b6
checksum 32dbaea1d409ff6b8a7535a4a662b8381c4fb9e0b52784cf3630865f31c5b27e
)";

// The same ring under the passphrase.
inline constexpr char kGoldenPassphrase[] = "correct horse battery staple";
inline constexpr char kGoldenPassphraseRing[] =
    R"(shardingdb-keyring 1
ring a0a1a2a3a4a5a6a7a8a9aaabacadaeaf
kek scrypt 1024 8 2 b0b1b2b3b4b5b6b7b8b9babbbcbdbebf 202122232425262728292a2b2c2d2e2f30313233343536373c53399d1402784fafc2829b9dc73f5c841c01aecad548906fd5b98a8b3fc8348b2e92a0b38fec40c7272057f78fd03f
check 2c9cf903e1887a50a1afd01a55abe09e29db13ed00c374a65871eb650ab3988a
key 1 1700000000 disabled 101112131415161718191a1b1c1d1e1f2021222324252627d9580144e3e460ab4610acbe53e17dd8f80e6c01a29b135c493d6a8917c79245f1dcda8c87b644a26565dc320feb0640
key 67305985 1750000000 enabled 202122232425262728292a2b2c2d2e2f3031323334353637ae38874a8373e14bce570f6bd489a44bb55fdf9ee453a19f48383a57c41488a2cb1e11799a7a85cd041451884c547263
key 4294967295 1800000000 primary 303132333435363738393a3b3c3d3e3f404142434445464700fc51b3c25349083a73ba7bb1228eea8f702d23fe15cdf6d26ae8005b6ffeccba9ec906e7595cc06b8eaf7161f289ea
seal 707172737475767778797a7b7c7d7e7f8081828384858687cff706f9bf21556994f145567f88516c
checksum 100820e6b9d347be39e8b0dabb8cdb04ff34c4c51e5253e69a7caf801432cced
)";

}  // namespace shardingdb::crypto_internal

#endif  // SHARDINGDB_CRYPTO_GOLDEN_KEY_RING_FOR_TEST_H_
