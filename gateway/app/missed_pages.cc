#include "gateway/app/missed_pages.h"

#include <utility>

namespace parley::gateway {

MissedPages::MissedPages(Loop& loop, protocol::Metrics& metrics)
    : loop_(loop),
      shared_(metrics.AddCounter("parley_resume_pages_shared_total",
                                 "Pages of missed changes that had been encoded for another member")) {}

std::string MissedPages::NameOf(const Key& key) {
  // A tenant's name contains no NUL.
  return key.tenant.ToText() + '\0' + std::string(key.thread.ulid.raw()) + std::to_string(key.held) +
         (key.form.encoding == protocol::Encoding::kJson ? 'j' : 'm') + (key.form.compact ? 'c' : 'f');
}

std::shared_ptr<const MissedPages::Page> MissedPages::Find(const Key& key) const {
  if (pages_.empty()) return nullptr;
  const auto found = pages_.find(NameOf(key));
  return found == pages_.end() ? nullptr : found->second;
}

void MissedPages::Put(const Key& key, Page page) {
  const size_t size = FrameBytes(*page.frames);
  if (size > kLargest) return;
  if (pages_.size() >= kMost || bytes_ + size > kBytes) Clear();
  if (!end_) end_ = loop_.CallAfter(kKeptMs, [this] { Clear(); });
  std::shared_ptr<const Page>& place = pages_[NameOf(key)];
  if (place) bytes_ -= FrameBytes(*place->frames);
  bytes_ += size;
  place = std::make_shared<const Page>(std::move(page));
}

void MissedPages::Clear() {
  pages_.clear();
  bytes_ = 0;
  end_.reset();
}

}  // namespace parley::gateway
