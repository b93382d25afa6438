#include "storage/engine/page_builder.h"

#include "storage/declarations/sealing.h"

namespace parley::storage {
namespace {

constexpr size_t kPassedMax = 5'000;

}  // namespace

bool PageBuilder::Take(Item item) {
  const size_t size = ItemSize(item);
  if (request_.hide_secrets) StripSecrets(def_, &item);
  if (page_->scanned > 0 && page_->bytes + size > request_.page_bytes) {
    more_ = true;
    return false;
  }
  page_->bytes += size;
  ++page_->scanned;
  const bool passes = request_.filter.empty() || request_.filter.Holds(item);
  if (passes) ++page_->count;
  const bool is_told = passes && !request_.count_only;
  if (is_told) {
    page_->items.push_back(std::move(item));
    last_.reset();
  } else {
    last_ = std::move(item);
  }
  more_ = request_.limit != 0 && page_->scanned == request_.limit;
  return !more_;
}

bool PageBuilder::PassOver(Item item) {
  last_ = std::move(item);
  more_ = ++passed_ == kPassedMax;
  return !more_;
}

void PageBuilder::Finish() {
  if (!more_ || (!last_ && page_->items.empty())) return;
  const Item& last = last_ ? *last_ : page_->items.back();
  Item& key = page_->last.emplace();
  SetKey(def_.keys, *KeyOf(def_.keys, last), &key);
  if (request_.index) SetKey(request_.index->keys, *KeyOf(request_.index->keys, last), &key);
}

}  // namespace parley::storage
