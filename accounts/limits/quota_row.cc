#include "accounts/limits/quota_row.h"

#include "protocol/base/varint.h"

namespace parley::accounts {

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

std::string EncodeQuota(const QuotaRow& row) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.first_ms));
  for (const Counted what : {Counted::kStarts, Counted::kSends}) {
    out += static_cast<char>(what);
    row.Of(what).Append(&out);
  }
  return out;
}

bool DecodeQuota(std::string_view bytes, QuotaRow* out) {
  uint64_t first = 0;
  if (!protocol::TakeVarint(&bytes, &first) || first >> 62) return false;
  out->first_ms = static_cast<int64_t>(first);
  while (!bytes.empty()) {
    const auto what = static_cast<Counted>(bytes.front());
    if (what != Counted::kStarts && what != Counted::kSends) return false;
    bytes.remove_prefix(1);
    if (!out->Of(what).Take(&bytes)) return false;
  }
  return true;
}

}  // namespace parley::accounts
