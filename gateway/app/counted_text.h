// A text that is counted among what is held for readers while it grows.
//
// Not thread-safe: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "gateway/net/reader_budget.h"

namespace parley::gateway {

// What counts until it is let go: null where nothing does.
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
  // Counts what was added since. False: all readers together hold more than they may, and it is to be
  // refused.
  bool Count() {
    const size_t bytes = text_.capacity();
    if (!readers_) return true;
    readers_->Add(bytes - counted_);
    counted_ = bytes;
    return readers_->Lacks(0) == 0;
  }
  // The text, which stays counted as long as what is returned lives.
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
