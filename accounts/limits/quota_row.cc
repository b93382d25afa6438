#include "accounts/limits/quota_row.h"

#include <algorithm>

#include "protocol/base/varint.h"

namespace parley::accounts {

namespace {
constexpr char kPlaceTag = 3;  // WARNING: on disk, beside the numbers of Counted
}  // namespace

storage::PartitionKey QuotaPartition(const QuotaSubject& subject) {
  return storage::PartitionKey::OfText(subject.tenant, storage::TableTag::kQuotas, subject.who);
}

storage::SortKey QuotaKey(size_t executor) {
  return storage::KeyWriter().Number(executor).Sort();
}

bool ParseQuotaKey(std::string_view sort, size_t* executor) {
  storage::KeyReader reader(sort);
  uint64_t number = 0;
  if (!reader.Number(&number) || !reader.AtEnd()) return false;
  *executor = number;
  return true;
}

storage::PartitionKey QuotaDuePartition(const protocol::TenantId& tenant) {
  return QuotaPartition({tenant, protocol::KeyText::UpToNul(" due")});
}

storage::SortKey QuotaPlaceKey(const QuotaPlace& place) {
  return storage::KeyWriter()
      .Number(place.executor)
      .Number(static_cast<uint64_t>(place.at.ms))
      .Text(place.who)
      .Sort();
}

bool ParseQuotaPlaceKey(std::string_view sort, QuotaPlace* out) {
  storage::KeyReader reader(sort);
  uint64_t executor = 0, at_ms = 0;
  if (!reader.Number(&executor) || !reader.Number(&at_ms) || at_ms >> 62 || !reader.Text(&out->who) ||
      !reader.AtEnd())
    return false;
  out->executor = executor;
  out->at.ms = static_cast<int64_t>(at_ms);
  return true;
}

WindowCounts QuotaRow::*QuotaRow::MemberOf(Counted what) {
  switch (what) {
    case Counted::kStarts:
      return &QuotaRow::starts;
    case Counted::kSends:
      return &QuotaRow::sends;
    case Counted::kUploads:
      return &QuotaRow::uploads;
    case Counted::kUploadBytes:
      return &QuotaRow::upload_bytes;
    case Counted::kOpenUploads:
      return &QuotaRow::open_uploads;
    case Counted::kStoredBytes:
      break;
  }
  return &QuotaRow::stored_bytes;
}

int64_t QuotaRow::LastMs() const {
  int64_t last = first_ms;
  for (const Counted what : kAllCounted) last = std::max(last, Of(what).LastMs());
  return last;
}

std::string EncodeQuota(const QuotaRow& row) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.first_ms));
  for (const Counted what : kAllCounted) {
    if (what > Counted::kSends && row.Of(what).empty()) continue;
    out += static_cast<char>(what);
    row.Of(what).Append(&out);
  }
  if (row.due_ms > 0) {
    out += kPlaceTag;
    protocol::AppendVarint(&out, static_cast<uint64_t>(row.due_ms));
  }
  return out;
}

bool DecodeQuota(std::string_view bytes, QuotaRow* out) {
  uint64_t first = 0, due = 0;
  if (!protocol::TakeVarint(&bytes, &first) || first >> 62) return false;
  out->first_ms = static_cast<int64_t>(first);
  while (!bytes.empty()) {
    const char tag = bytes.front();
    const auto what = static_cast<Counted>(tag);
    const bool known =
        std::find(std::begin(kAllCounted), std::end(kAllCounted), what) != std::end(kAllCounted);
    if (tag != kPlaceTag && !known) return false;
    bytes.remove_prefix(1);
    const bool read =
        tag == kPlaceTag ? protocol::TakeVarint(&bytes, &due) && due >> 62 == 0 : out->Of(what).Take(&bytes);
    if (!read) return false;
  }
  out->due_ms = static_cast<int64_t>(due);
  return true;
}

}  // namespace parley::accounts
