// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#include "crypto/xaes_key.h"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "crypto/secret_bytes.h"
#include "crypto/xaes_gcm.h"
#include "gtest/gtest.h"

namespace shardingdb::crypto_internal {
namespace {

std::unique_ptr<XaesKey> NewKey(
    char byte = 'k', uint64_t seals_per_session = WriterSession::kMaxSeals) {
  absl::StatusOr<std::unique_ptr<XaesKey>> key = XaesKey::New(
      SecretBytes(std::string(kXaesKeySize, byte)), seals_per_session);
  EXPECT_TRUE(key.ok()) << key.status();
  return *std::move(key);
}

// Empty where it fails; no sealed text is.
std::string Seal(const XaesKey& key, absl::string_view associated_data,
                 absl::string_view plaintext) {
  std::string sealed(plaintext.size() + XaesKey::kOverhead, '?');
  const absl::Status status = key.Seal(associated_data, plaintext, &sealed[0]);
  EXPECT_TRUE(status.ok()) << status;
  return status.ok() ? sealed : "";
}

absl::StatusOr<std::string> Open(const XaesKey& key,
                                 absl::string_view associated_data,
                                 absl::string_view sealed) {
  std::string plaintext(sealed.size(), '?');
  absl::Status status = key.Open(associated_data, sealed, &plaintext[0]);
  if (!status.ok()) return status;
  plaintext.resize(sealed.size() - XaesKey::kOverhead);
  return plaintext;
}

std::string NonceOf(const std::string& sealed) {
  return sealed.substr(0, kXaesNonceSize);
}
std::string PrefixOf(const std::string& sealed) {
  return sealed.substr(0, kXaesPrefixSize);
}

TEST(XaesKeyTest, OpensWhatItSealed) {
  const std::unique_ptr<XaesKey> key = NewKey();
  for (size_t size : {0, 1, 16, 100, 4096, 1 << 20}) {
    const std::string plaintext(size, 'p');
    absl::StatusOr<std::string> opened =
        Open(*key, "data", Seal(*key, "data", plaintext));
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_TRUE(*opened == plaintext) << size;
  }
}

TEST(XaesKeyTest, IsPlainXaesThatAnyoneWithTheKeyOpens) {
  const std::unique_ptr<XaesKey> key = NewKey();
  const std::string sealed = Seal(*key, "data", "plaintext");
  std::string opened(9, '?');
  const absl::Status status =
      XaesOpen(std::string(kXaesKeySize, 'k'), NonceOf(sealed), "data",
               sealed.substr(kXaesNonceSize), &opened[0]);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(opened, "plaintext");
}

TEST(XaesKeyTest, AnotherKeyDoesNotOpen) {
  const std::unique_ptr<XaesKey> key = NewKey('k');
  const std::unique_ptr<XaesKey> other = NewKey('o');
  const std::string sealed = Seal(*key, "data", "plaintext");
  EXPECT_EQ(Open(*other, "data", sealed).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(Open(*key, "Data", sealed).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_TRUE(Open(*key, "data", sealed).ok());
}

TEST(XaesKeyTest, WrongSizesAreRefused) {
  for (size_t size : {0, 16, 31, 33}) {
    EXPECT_EQ(XaesKey::New(SecretBytes(std::string(size, 'k'))).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  const std::unique_ptr<XaesKey> key = NewKey();
  for (size_t size = 0; size < XaesKey::kOverhead; ++size) {
    EXPECT_EQ(Open(*key, "", std::string(size, 's')).status().code(),
              absl::StatusCode::kDataLoss);
  }
}

TEST(XaesKeyTest, NoncesAreOneSessionAndACounter) {
  const std::unique_ptr<XaesKey> key = NewKey();
  const std::string first = NonceOf(Seal(*key, "", "x"));
  EXPECT_EQ(first.substr(kXaesPrefixSize), std::string(12, '\0'));
  for (int i = 1; i < 1000; ++i) {
    const std::string nonce = NonceOf(Seal(*key, "", "x"));
    ASSERT_EQ(PrefixOf(nonce), PrefixOf(first));
    std::string counter(10, '\0');
    counter.push_back(static_cast<char>(i >> 8));
    counter.push_back(static_cast<char>(i));
    ASSERT_EQ(nonce.substr(kXaesPrefixSize), counter);
  }
}

TEST(XaesKeyTest, EveryKeyObjectHasASessionOfItsOwn) {
  const std::unique_ptr<XaesKey> a = NewKey('k');
  const std::unique_ptr<XaesKey> b = NewKey('k');
  const std::string of_a = Seal(*a, "", "x");
  const std::string of_b = Seal(*b, "", "x");
  EXPECT_NE(PrefixOf(of_a), PrefixOf(of_b));
  EXPECT_TRUE(Open(*a, "", of_b).ok());
  EXPECT_TRUE(Open(*b, "", of_a).ok());
}

TEST(XaesKeyTest, ANewSessionStartsWhenOneEnds) {
  const std::unique_ptr<XaesKey> key = NewKey('k', 100);
  std::set<std::string> nonces;
  std::set<std::string> prefixes;
  for (int i = 0; i < 1000; ++i) {
    const std::string sealed = Seal(*key, "data", "x");
    EXPECT_TRUE(nonces.insert(NonceOf(sealed)).second);
    prefixes.insert(PrefixOf(sealed));
    ASSERT_TRUE(Open(*key, "data", sealed).ok());
  }
  EXPECT_EQ(prefixes.size(), 10);
}

TEST(XaesKeyTest, ThreadsNeverShareANonce) {
  // Sessions end often, so that threads meet there.
  const std::unique_ptr<XaesKey> key = NewKey('k', 1000);
  constexpr int kThreads = 8;
  constexpr int kSeals = 5000;
  std::vector<std::vector<std::string>> nonces(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<std::string>& mine : nonces) {
    threads.emplace_back([&key, &mine] {
      for (int i = 0; i < kSeals; ++i) {
        const std::string sealed = Seal(*key, "data", "plaintext");
        mine.push_back(NonceOf(sealed));
        if (i % 50 == 0) {
          ASSERT_TRUE(Open(*key, "data", sealed).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const std::vector<std::string>& mine : nonces) {
    all.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(all.size(), kThreads * kSeals);
}

TEST(XaesKeyTest, OpensFromMoreSessionsThanAThreadKeeps) {
  const std::unique_ptr<XaesKey> key = NewKey('k', 1);
  std::vector<std::string> sealed;
  for (int i = 0; i < 200; ++i) {
    sealed.push_back(Seal(*key, "data", std::string(1, static_cast<char>(i))));
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 200; ++i) {
      absl::StatusOr<std::string> opened = Open(*key, "data", sealed[i]);
      ASSERT_TRUE(opened.ok()) << opened.status();
      EXPECT_EQ(*opened, std::string(1, static_cast<char>(i)));
    }
  }
}

// Contexts of keys that are gone must not be taken for those of a new one.
TEST(XaesKeyTest, KeysComeAndGo) {
  for (int i = 0; i < 300; ++i) {
    const std::unique_ptr<XaesKey> key = NewKey(static_cast<char>(i));
    absl::StatusOr<std::string> opened =
        Open(*key, "data", Seal(*key, "data", "plaintext"));
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(*opened, "plaintext");
  }
}

// Hands nonces of sealed texts from a child to its parent.
std::vector<std::string> NoncesOfAChild(const XaesKey& key, int count) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < count; ++i) {
      std::string sealed(1 + XaesKey::kOverhead, '?');
      if (!key.Seal("", "c", &sealed[0]).ok()) _exit(1);
      if (write(ends[1], sealed.data(), kXaesNonceSize) !=
          static_cast<ssize_t>(kXaesNonceSize)) {
        _exit(2);
      }
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<std::string> nonces;
  std::string nonce(kXaesNonceSize, '\0');
  while (read(ends[0], &nonce[0], nonce.size()) ==
         static_cast<ssize_t>(nonce.size())) {
    nonces.push_back(nonce);
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return nonces;
}

TEST(XaesKeyTest, AChildNeverRepeatsANonceOfItsParentOrSibling) {
  const std::unique_ptr<XaesKey> key = NewKey();
  std::set<std::string> nonces;
  std::set<std::string> prefixes;
  int sealed = 0;
  const auto take = [&](const std::string& nonce) {
    nonces.insert(nonce);
    prefixes.insert(PrefixOf(nonce));
    ++sealed;
  };
  // In the middle of a block of counters that this thread has reserved.
  for (int i = 0; i < 5; ++i) take(NonceOf(Seal(*key, "", "p")));
  for (int children = 0; children < 2; ++children) {
    const std::vector<std::string> theirs = NoncesOfAChild(*key, 100);
    EXPECT_EQ(theirs.size(), 100);
    for (const std::string& nonce : theirs) take(nonce);
  }
  for (int i = 0; i < 100; ++i) take(NonceOf(Seal(*key, "", "p")));
  EXPECT_EQ(nonces.size(), sealed);
  EXPECT_EQ(prefixes.size(), 3);
}

// Destructors that run after the thread's contexts are gone seal all the same:
// an object made before them is destroyed after them.
struct SealsWhenDestroyed {
  ~SealsWhenDestroyed() {
    if (key == nullptr) return;
    for (int i = 0; i < 3; ++i) {
      std::string sealed(4 + XaesKey::kOverhead, '?');
      if (!key->Seal("data", "text", &sealed[0]).ok()) return;
      std::string opened(4, '?');
      if (!key->Open("data", sealed, &opened[0]).ok()) return;
      if (opened == "text") nonces->insert(NonceOf(sealed));
    }
  }
  const XaesKey* key = nullptr;
  std::set<std::string>* nonces = nullptr;
};

TEST(XaesKeyTest, SealsWhileAThreadEnds) {
  const std::unique_ptr<XaesKey> key = NewKey();
  std::set<std::string> nonces;
  std::thread([&] {
    thread_local SealsWhenDestroyed last;
    last.key = key.get();
    last.nonces = &nonces;
    nonces.insert(NonceOf(Seal(*key, "data", "text")));
  }).join();
  EXPECT_EQ(nonces.size(), 4);
}

}  // namespace
}  // namespace shardingdb::crypto_internal
