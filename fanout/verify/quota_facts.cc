#include "fanout/verify/quota_facts.h"

#include <algorithm>
#include <map>

#include "accounts/limits/quota_row.h"
#include "accounts/tenants/settings.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"

namespace parley::fanout {
namespace {

using accounts::QuotaRow;
using protocol::TenantId;
using Differs = std::function<void(const std::string&)>;

// Duplicated on purpose.
constexpr int64_t kHour = 3'600'000, kDay = 24 * kHour, kKept = 30 * kDay;
// Tolerances: for a clock that was set, and for a server with much else that is due.
constexpr int64_t kAheadMs = kDay, kLateMs = 7 * kDay;
const char* const kDemo = "demo";  // has no record
const char* const kBots = " bots";
const char* const kFiles = " files";  // the tenant's; with a user's id: their uploads

const storage::TableDef& TenantsTable() {
  const auto& all = storage::SeedTables();
  return **std::find_if(all.begin(), all.end(), [](const auto& def) { return def->name == "tenants"; });
}

// The limits in one tenant's record.
struct Rules {
  bool exists = false;
  bool readable = false;
  accounts::EffectiveLimits limits;
  int64_t changed_ms = 0;  // other limits may have applied before
};

class QuotaCheck {
 public:
  QuotaCheck(const storage::Reader& snapshot, protocol::Time now, const Differs& differs)
      : snapshot_(snapshot), now_(now), differs_(differs) {}

  storage::Status Run() {
    auto status = snapshot_.ScanAll(
        storage::TableTag::kQuotas,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
          if (partition == accounts::QuotaDuePartition(TenantIn(partition)))
            return NotePlace(partition, sort);
          if (partition != current_) Finish();
          current_ = partition;
          Add(sort, row);
          return fault_.ok();
        });
    Finish();
    if (status.ok()) status = fault_;
    JudgePlaces();
    return status;
  }

 private:
  static TenantId TenantIn(const storage::PartitionKey& partition) {
    return {protocol::KeyText::UpToNul(partition.tenant())};
  }
  TenantId Tenant() const { return TenantIn(current_); }
  std::string Who() const { return std::string(current_.id().substr(0, current_.id().size() - 1)); }
  std::string Name() const { return Tenant().ToText() + (Who().starts_with(' ') ? "" : " ") + Who(); }

  void Add(const storage::SortKey& sort, const storage::RowView& stored) {
    size_t executor = 0;
    QuotaRow row;
    if (!accounts::ParseQuotaKey(sort.bytes(), &executor) || !accounts::DecodeQuota(stored.payload, &row)) {
      return differs_(Name() + ": a quota cannot be read");
    }
    const int64_t last_ms = std::max({row.first_ms, row.starts.LastMs(), row.sends.LastMs(),
                                      row.uploads.LastMs(), row.upload_bytes.LastMs()});
    if (last_ms > now_.ms + kAheadMs) differs_(Name() + ": the quota counts something in the future");
    newest_ms_ = std::max(newest_ms_, std::min(last_ms, now_.ms));
    starts_.Merge(row.starts);
    sends_.Merge(row.sends);
    // Rows of earlier releases have no due row.
    if (row.due_ms == 0) return;
    // A level keeps a row, however long ago it counted.
    if (row.due_ms > last_ms + kKept + kAheadMs && !Who().starts_with(kFiles))
      differs_(Name() + ": the quota's due time is too late");
    RequirePlace(executor, row.due_ms);
  }

  void RequirePlace(size_t executor, int64_t due_ms) {
    const accounts::QuotaPlace place{executor, {due_ms}, protocol::KeyText::UpToNul(Who())};
    std::optional<storage::Row> row;
    Get(accounts::QuotaDuePartition(Tenant()), accounts::QuotaPlaceKey(place), &row);
    if (fault_.ok() && !row) differs_(Name() + ": the quota has no due row");
  }

  // Checks one subject, after all its rows.
  void Finish() {
    if (current_.empty()) return;
    const Rules& rules = RulesOf(Tenant());
    if (!rules.exists && Tenant().ToText() != kDemo) {
      differs_(Name() + ": the quota belongs to an unknown tenant");
    } else if (rules.readable && rules.limits.enabled) {
      CheckSums(rules);
    }
    starts_ = accounts::WindowCounts(accounts::Counted::kStarts);
    sends_ = accounts::WindowCounts(accounts::Counted::kSends);
  }

  void CheckSums(const Rules& rules) {
    const accounts::EffectiveLimits& l = rules.limits;
    const auto check = [&](const accounts::WindowCounts& counts, int64_t window_ms, int64_t most,
                           int64_t more, const char* what) {
      // Skips if there is no limit, or if older counts were made under another limit.
      if (most == 0 || more == 0 || counts.LastMs() - window_ms <= rules.changed_ms) return;
      if (counts.Sum(counts.LastMs(), window_ms) > std::max(most, more))
        differs_(Name() + ": more " + what + " were counted than the tenant allows");
    };
    check(starts_, kHour, l.starts_per_hour, l.new_user_starts_per_hour, "starts in an hour");
    check(starts_, kDay, l.starts_per_day, l.new_user_starts_per_day, "starts in a day");
    const int64_t sends = Who() == kBots ? l.messages_per_day : l.sends_per_user_per_day;
    check(sends_, kDay, sends, sends, "messages in a day");
  }

  const Rules& RulesOf(const TenantId& tenant) {
    const auto [found, made] = rules_.try_emplace(tenant.ToText());
    if (made) Read(tenant, &found->second);
    return found->second;
  }
  void Read(const TenantId& tenant, Rules* out) {
    const storage::TableDef& def = TenantsTable();
    const storage::KeyValues key{"TENANT#" + tenant.ToText(), storage::AttributeValue("META")};
    std::optional<storage::Row> row;
    Get(storage::TablePartition(tenant, def), storage::ItemKey(def, key), &row);
    storage::Item item;
    out->exists = row.has_value();
    if (!fault_.ok() || !row || !storage::DecodeItem(row->payload, &item)) return;
    const auto text = [&](std::string_view name) {
      const auto* value = item.Find(name);
      return value && value->text() ? *value->text() : std::string();
    };
    const auto settings = accounts::ParseSettings(text("settings").empty() ? "{}" : text("settings"));
    const auto changed = protocol::ParseTime(text(item.Find("updated_at") ? "updated_at" : "created_at"));
    if (!settings.ok() || !changed) return;
    out->readable = true;
    out->changed_ms = changed->ms;
    if (settings->messages_per_day.value)
      out->limits.messages_per_day = settings->messages_per_day.value->value;
    if (settings->limits.value) out->limits = accounts::LimitsBy(*settings->limits.value, out->limits);
  }

  void Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
           std::optional<storage::Row>* out) {
    if (fault_.ok()) fault_ = snapshot_.Get(partition, sort, out);
  }

  // A due row may be left without its quota until its time comes, so check only its key and that time.
  bool NotePlace(const storage::PartitionKey& partition, const storage::SortKey& sort) {
    accounts::QuotaPlace place;
    const std::string tenant = TenantIn(partition).ToText();
    if (!accounts::ParseQuotaPlaceKey(sort.bytes(), &place)) {
      differs_(tenant + ": a quota's due row cannot be read");
    } else if (!first_due_ || place.at < first_due_->second) {
      first_due_ = {tenant + " " + place.who.text(), place.at};
    }
    return true;
  }
  // A later count proves that the server has run since, so it should have removed the row.
  void JudgePlaces() {
    if (first_due_ && first_due_->second.ms + kLateMs < newest_ms_)
      differs_(first_due_->first + ": the quota has been due for too long");
  }

  const storage::Reader& snapshot_;
  const protocol::Time now_;
  const Differs& differs_;
  storage::PartitionKey current_;
  accounts::WindowCounts starts_{accounts::Counted::kStarts};
  accounts::WindowCounts sends_{accounts::Counted::kSends};
  std::map<std::string, Rules> rules_;
  int64_t newest_ms_ = 0;
  std::optional<std::pair<std::string, protocol::Time>> first_due_;
  storage::Status fault_;
};

}  // namespace

storage::Status CheckQuotas(const storage::Reader& snapshot, protocol::Time now, const Differs& differs) {
  return QuotaCheck(snapshot, now, differs).Run();
}

}  // namespace parley::fanout
