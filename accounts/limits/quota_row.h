// The rows of quotas: a user's recent uses, or those of a tenant's bots together, of things limited by the
// hour or the day; a user's uploads, and the files of a tenant. One row for each executor that counted
// (quotas.h explains why). Each row has a place in order of time, at which it may be removed (quota_sweep.h).
//
//   key    tenant, kQuotas, subject | number of the executor
//   value  varint ms of the first | for each counted kind: its number (1), varint slots,
//          then for each slot: varint distance from the one before it, varint count (zigzag for kinds
//          that are given back)
//          | 3 (1), varint ms of its place; rows of earlier builds have none
//   place  tenant, kQuotas, " due" | number of the executor | ms | subject, without a value
#pragma once

#include "accounts/limits/window_counts.h"
#include "protocol/base/ids.h"
#include "storage/key.h"

namespace parley::accounts {

// The counted user, the tenant's bots, or its files. No user's id begins with a blank.
struct QuotaSubject {
  protocol::TenantId tenant;
  protocol::KeyText who;

  static QuotaSubject OfUser(const protocol::TenantId& tenant, const protocol::UserId& user) {
    return {tenant, user.value};
  }
  static QuotaSubject OfBots(const protocol::TenantId& tenant) {
    return {tenant, protocol::KeyText::UpToNul(" bots")};
  }
  // A subject of its own, because another object than that of messages counts it.
  static QuotaSubject OfUploads(const protocol::TenantId& tenant, const protocol::UserId& user) {
    return {tenant, protocol::KeyText::UpToNul(" files " + user.value.text())};
  }
  static QuotaSubject OfFiles(const protocol::TenantId& tenant) {
    return {tenant, protocol::KeyText::UpToNul(" files")};
  }
};
storage::PartitionKey QuotaPartition(const QuotaSubject& subject);
storage::SortKey QuotaKey(size_t executor);
bool ParseQuotaKey(std::string_view sort, size_t* executor);

// How long a row is kept after the last hour in which it counted. A user without a record counts as new again
// afterwards, but has been away that long.
inline constexpr int64_t kQuotaKeptMs = 30 * kDayMs;

struct QuotaPlace {
  size_t executor = 0;
  protocol::Time at;
  protocol::KeyText who;
};
storage::PartitionKey QuotaDuePartition(const protocol::TenantId& tenant);
storage::SortKey QuotaPlaceKey(const QuotaPlace& place);
[[nodiscard]] bool ParseQuotaPlaceKey(std::string_view sort, QuotaPlace* out);

struct QuotaRow {
  int64_t first_ms = 0;  // time of the subject's first count; 0: never
  int64_t due_ms = 0;    // its place; 0: it has none
  WindowCounts starts{Counted::kStarts}, sends{Counted::kSends};
  WindowCounts uploads{Counted::kUploads}, upload_bytes{Counted::kUploadBytes};
  WindowCounts open_uploads{Counted::kOpenUploads}, stored_bytes{Counted::kStoredBytes};

  WindowCounts& Of(Counted what) { return this->*MemberOf(what); }
  const WindowCounts& Of(Counted what) const { return this->*MemberOf(what); }
  bool HasLevel() const { return !open_uploads.empty() || !stored_bytes.empty(); }
  int64_t LastMs() const;  // the beginning of the latest slot, or the first count
  // The row may be removed from then on, if it has no level.
  protocol::Time IdleAt() const { return {LastMs() + kQuotaKeptMs}; }

 private:
  static WindowCounts QuotaRow::*MemberOf(Counted what);
};
std::string EncodeQuota(const QuotaRow& row);
[[nodiscard]] bool DecodeQuota(std::string_view bytes, QuotaRow* out);

}  // namespace parley::accounts
