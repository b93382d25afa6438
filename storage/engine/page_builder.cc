#include "storage/engine/page_builder.h"

#include "storage/declarations/sealing.h"

namespace parley::storage {
namespace {

constexpr size_t kPassedMax = 5'000;

}  // namespace

// Whether the item passes the filter; sets more_ if the page has too few steps left.
bool PageBuilder::Passes(const Item& item, size_t size) {
  const bool is_first = page_->scanned == 0;
  const uint64_t most = is_first ? kFirstItemStepsMax : request_.page_steps;
  Effort effort(most > page_->steps ? most - page_->steps : 0);
  effort.Spend(size * kStepsPerByteRead);
  const bool passes = request_.filter.empty() || request_.filter.Holds(item, &effort);
  if (passes) effort.Spend(request_.steps_each);
  page_->steps += effort.spent();
  more_ = effort.exhausted();
  too_much_ = more_ && is_first;
  return passes;
}

bool PageBuilder::Take(Item item) {
  const size_t size = ItemSize(item);
  if (request_.hide_secrets) StripSecrets(def_, &item);
  if (page_->scanned > 0 && page_->bytes + size > request_.page_bytes) {
    more_ = true;
    return false;
  }
  const bool passes = Passes(item, size);
  if (more_) return false;
  page_->bytes += size;
  ++page_->scanned;
  if (passes) ++page_->count;
  const bool is_returned = passes && !request_.count_only;
  if (is_returned) {
    page_->items.push_back(std::move(item));
    last_.reset();
  } else {
    last_ = std::move(item);
  }
  more_ = (request_.limit != 0 && page_->scanned == request_.limit) || page_->steps >= request_.page_steps;
  return !more_;
}

bool PageBuilder::PassOver(Item item) {
  last_ = std::move(item);
  more_ = ++passed_ == kPassedMax || page_->steps >= request_.page_steps;
  return !more_;
}

MaybeFault PageBuilder::Finish() {
  if (too_much_ && !last_)
    return EngineFault{FaultKind::kLimitExceeded,
                       "The expressions of the request take more work for one item than a page may take"};
  if (!more_ || (!last_ && page_->items.empty())) return {};
  const Item& last = last_ ? *last_ : page_->items.back();
  Item& key = page_->last.emplace();
  SetKey(def_.keys, *KeyOf(def_.keys, last), &key);
  if (request_.index) SetKey(request_.index->keys, *KeyOf(request_.index->keys, last), &key);
  return {};
}

}  // namespace parley::storage
