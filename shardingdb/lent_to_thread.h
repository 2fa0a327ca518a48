// Copyright 2026 The ShardingDB Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef SHARDINGDB_LENT_TO_THREAD_H_
#define SHARDINGDB_LENT_TO_THREAD_H_

#include <memory>
#include <utility>

namespace shardingdb {

// Lends a T whose buffers are kept from one use on this thread to the next.
// T has a default constructor, and a Clear() that gives up what is in it, and
// buffers that are too large to be kept.
//
// Who is lent one while another is in use on the same thread (a shard may be a
// router itself) gets one of its own. Destructors of static and thread_local
// objects may still ask for one when the thread's own has been destroyed:
// nothing is kept then.
template <typename T>
class LentToThread {
 public:
  LentToThread() {
    if (!kept_gone_) object_ = std::move(KeptOfThisThread());
    if (object_ == nullptr) object_ = std::make_unique<T>();
  }
  LentToThread(const LentToThread&) = delete;
  LentToThread& operator=(const LentToThread&) = delete;
  ~LentToThread() {
    object_->Clear();
    if (!kept_gone_) KeptOfThisThread() = std::move(object_);
  }

  T* operator->() { return object_.get(); }
  T& operator*() { return *object_; }

 private:
  struct Kept {
    ~Kept() { kept_gone_ = true; }
    std::unique_ptr<T> object;
  };
  static std::unique_ptr<T>& KeptOfThisThread() {
    thread_local Kept kept;
    return kept.object;
  }

  inline static thread_local bool kept_gone_ = false;

  std::unique_ptr<T> object_;
};

}  // namespace shardingdb

#endif  // SHARDINGDB_LENT_TO_THREAD_H_
