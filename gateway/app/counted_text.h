// Builds a text that counts against the readers' budget while it grows.
//
// Not thread-safe: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "gateway/net/reader_budget.h"

namespace parley::gateway {

// Counts bytes for its lifetime; null if nothing is counted.
using HeldBytes = std::shared_ptr<const ReaderShare>;

class CountedText {
 public:
  explicit CountedText(std::shared_ptr<ReaderBudget> readers) : readers_(std::move(readers)) {}
  ~CountedText() {
    if (readers_) readers_->Remove(counted_);
  }
  CountedText(const CountedText&) = delete;
  CountedText& operator=(const CountedText&) = delete;

  std::string& text() { return text_; }
  // Counts the bytes added since the last call. Returns false if the readers' budget is exceeded; then the
  // answer must be rejected.
  bool Count() {
    const size_t bytes = text_.capacity();
    if (!readers_) return true;
    readers_->Add(bytes - counted_);
    counted_ = bytes;
    return readers_->Lacks(0) == 0;
  }
  // Moves the text out. It counts for the lifetime of the returned share.
  HeldBytes TakeText(std::string* out) {
    auto held = std::make_shared<const ReaderShare>(readers_, text_.capacity());
    *out = std::move(text_);
    text_ = {};
    Count();
    return held;
  }

 private:
  const std::shared_ptr<ReaderBudget> readers_;
  std::string text_;
  size_t counted_ = 0;
};

}  // namespace parley::gateway
