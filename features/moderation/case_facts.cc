#include "features/moderation/case_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "accounts/audit/audit_row.h"
#include "fanout/verify/value_fields.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"
#include "protocol/value.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"

namespace parley::features::facts {
namespace {

using Differs = std::function<void(const std::string&)>;
using fanout::FlagField;
using fanout::NumberField;
using fanout::TextField;
using protocol::Value;
using storage::Item;

constexpr std::string_view kTable = "moderation-cases";

std::string ItemText(const Item& item, std::string_view name) {
  const storage::AttributeValue* value = item.Find(name);
  return value && value->text() ? *value->text() : "";
}

size_t SizeOf(const Value* map, std::string_view name) {
  const Value* value = map ? map->Find(name) : nullptr;
  const protocol::Array* list = value ? value->as_array() : nullptr;
  return list ? list->size() : 0;
}

bool ReadJson(const Item& item, std::string_view name, protocol::Document* out) {
  protocol::DecodeLimits limits;
  limits.max_bytes = storage::kItemBytesMax;
  return protocol::DecodeJson(ItemText(item, name), limits, out) == nullptr;
}

bool IsOpen(const std::string& status) {
  return status == "pending" || status == "awaiting_second_approval" || status == "escalated";
}

// The cases found, and the stored counts to compare with.
struct Count {
  std::map<std::string, int64_t> by_status;
  int64_t dual = 0;
  bool has_stats = false;
  protocol::Document stats;
};

// Collects the items of one tenant during the scan.
struct Tally {
  Count all;
  std::map<std::string, Count> about;                                 // by the user whom they concern
  std::map<std::string, int64_t> reports;                             // by pk: report items found
  std::map<std::string, int64_t> reported;                            // by pk: the case's report count
  std::map<std::string, std::set<std::string>> approvers, reporters;  // by pk, for cases with approvers
};

std::vector<std::string> ActorsOf(const Value* one) {
  std::vector<std::string> out;
  const Value* list = one ? one->Find("approvals") : nullptr;
  const protocol::Array* approvals = list ? list->as_array() : nullptr;
  if (!approvals) return out;
  for (const Value& approval : *approvals) out.push_back(TextField(&approval, "actorId"));
  return out;
}

// No user approves twice, and a case with dual approval is resolved by two users.
void CheckApprovals(const std::string& name, const Value* one, const Differs& differs) {
  std::set<std::string> actors;
  for (std::string& actor : ActorsOf(one)) {
    if (!actors.insert(std::move(actor)).second) differs(name + ": one user approved twice");
  }
  const Value* resolution = one->Find("resolution");
  const std::string status = TextField(one, "status");
  const bool by_people = resolution && !TextField(resolution, "resolvedBy").empty();
  if (status == "resolved" && by_people && FlagField(one, "requiresDualApproval") && actors.size() < 2)
    differs(name + ": needs two approvers to be resolved, but has fewer");
  if (!IsOpen(status) && !(resolution && resolution->as_map()))
    differs(name + ": ended without a resolution");
}

void CheckCase(const std::string& name, const Item& item, const Value& details, const Differs& differs) {
  const Value* one = details.Find("case");
  if (!one) return differs(name + ": does not contain a case");
  for (const char* field :
       {"caseId", "type", "origin", "status", "severity", "threadId", "messageId", "userId"}) {
    if (ItemText(item, field) != TextField(one, field)) differs(name + ": is listed under another " + field);
  }
  const bool open = IsOpen(TextField(one, "status"));
  const std::string thread = TextField(one, "threadId"), id = TextField(one, "caseId");
  const auto expect = [&](const char* attribute, const std::string& text) {
    if (ItemText(item, attribute) != text) differs(name + ": has a wrong " + attribute);
  };
  expect("pk", "cases/" + id);
  expect("openSubject", open ? TextField(&details, "subject") : "");
  expect("openThread", open && !thread.empty() ? thread + "#" + id : "");
  expect("openUser", open ? TextField(one, "userId") : "");
  expect("effectsDue", SizeOf(&details, "effects") > 0 ? "due" : "");
  if (!open && SizeOf(&details, "held") > 0) differs(name + ": has ended, but still holds sanctions");
  const auto at = protocol::ParseTime(TextField(one, "reportedAt"));
  expect("listedAs", (at ? std::to_string(at->ms) : "") + "#" + id);
  CheckApprovals(name, one, differs);
}

void CheckCount(const std::string& name, const Count& tally, const Differs& differs) {
  const auto of = [&](const char* status) {
    const auto found = tally.by_status.find(status);
    return found == tally.by_status.end() ? 0 : found->second;
  };
  if (!tally.by_status.empty() && !tally.has_stats) return differs(name + "cases are not counted");
  const std::pair<const char*, int64_t> counts[] = {
      {"pending", of("pending")},     {"awaitingSecondApproval", of("awaiting_second_approval")},
      {"escalated", of("escalated")}, {"resolved", of("resolved")},
      {"rejected", of("rejected")},   {"dualApproval", tally.dual}};
  for (const auto& [what, count] : counts) {
    if (tally.has_stats && NumberField(&tally.stats.root, what) != count)
      differs(name + "counts " + std::to_string(NumberField(&tally.stats.root, what)) + " " + what +
              " cases instead of " + std::to_string(count));
  }
}

void CheckTally(const std::string& tenant, const Tally& tally, const Differs& differs) {
  CheckCount(tenant + ": ", tally.all, differs);
  for (const auto& [user, count] : tally.about) CheckCount(tenant + ": about " + user + ": ", count, differs);
  for (const auto& [pk, count] : tally.reported) {
    const auto found = tally.reports.find(pk);
    if ((found == tally.reports.end() ? 0 : found->second) != count)
      differs(tenant + ": " + pk + ": does not have the " + std::to_string(count) +
              " reports that it counts");
  }
  for (const auto& [pk, actors] : tally.approvers) {
    const auto reporters = tally.reporters.find(pk);
    for (const std::string& actor : actors) {
      if (reporters != tally.reporters.end() && reporters->second.contains(actor))
        differs(tenant + ": " + pk + ": " + actor + " approved a decision on their own report");
    }
  }
  for (const auto& [pk, count] : tally.reports) {
    if (!tally.reported.contains(pk)) differs(tenant + ": " + pk + ": reports without a case");
  }
}

// The entry that the case names is in the chain and belongs to the case. It is missing if the chain was cut
// off, or rewritten without it.
void CheckEntry(const storage::Reader& snapshot, const std::string& tenant, const std::string& name,
                const Value* one, const Differs& differs) {
  const std::string id = TextField(one, "caseId"), entry = TextField(one, "auditId");
  const auto partition = accounts::AuditPartition(protocol::TenantId{protocol::KeyText::UpToNul(tenant)});
  const auto key = [&](const accounts::AuditPlace& place) {
    return accounts::AuditFacetKey(accounts::AuditFacet::kCase, id, place);
  };
  bool found = false;
  const auto look = [&](std::string_view sort, storage::RowView) {
    accounts::AuditPlace place;
    std::optional<storage::Row> row;
    protocol::Document link;
    found = accounts::ParseAuditPlace(sort, &place) &&
            snapshot.Get(partition, accounts::AuditEntryKey(place.seq), &row).ok() && row &&
            !protocol::DecodeMsgpack(std::string(row->payload), {}, &link) &&
            TextField(&link.root, "auditId") == entry && TextField(&link.root, "caseId") == id;
    return !found;
  };
  const storage::SortRange all{key({}), key({protocol::Time{INT64_MAX}, UINT64_MAX})};
  const auto status = snapshot.Scan(partition, all, storage::Direction::kForward, SIZE_MAX, look);
  if (!status.ok() || !found) differs(name + ": its entry is not in the audit");
}

void AddItem(const storage::Reader& snapshot, const std::string& tenant, const Item& item,
             const Differs& differs, Tally* tally) {
  const std::string pk = ItemText(item, "pk"), sk = ItemText(item, "sk");
  if (sk.starts_with("stats")) {
    Count& count = sk == "stats" ? tally->all : tally->about[ItemText(item, "aboutId")];
    count.has_stats = ReadJson(item, "counts", &count.stats);
    if (!count.has_stats) differs(tenant + ": the counts of cases cannot be read");
    return;
  }
  if (sk != "case") {
    ++tally->reports[pk];
    if (tally->approvers.contains(pk)) tally->reporters[pk].insert(ItemText(item, "reporterId"));
    return;
  }
  protocol::Document details;
  const std::string name = tenant + ": " + pk;
  if (!ReadJson(item, "details", &details)) return differs(name + ": cannot be read");
  CheckCase(name, item, details.root, differs);
  CheckEntry(snapshot, tenant, name, details.root.Find("case"), differs);
  const Value* one = details.root.Find("case");
  const std::string status = TextField(one, "status");
  std::vector<Count*> counts = {&tally->all};
  if (const std::string user = TextField(one, "userId"); !user.empty()) counts.push_back(&tally->about[user]);
  for (Count* count : counts) {
    ++count->by_status[status];
    if (IsOpen(status) && FlagField(one, "requiresDualApproval")) ++count->dual;
  }
  tally->reported[pk] = NumberField(one, "reportCount");
  for (std::string& actor : ActorsOf(one)) tally->approvers[pk].insert(std::move(actor));
}

storage::Status CheckCases(const storage::Reader& snapshot, const Differs& differs) {
  const auto& seeds = storage::SeedTables();
  const auto def =
      std::find_if(seeds.begin(), seeds.end(), [](const auto& one) { return one->name == kTable; });
  storage::PartitionKey current;
  Tally tally;
  const auto finish = [&] {
    if (!current.empty()) CheckTally(std::string(current.tenant()), tally, differs);
  };
  auto status = snapshot.ScanAll(
      storage::TableTag::kItems,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        if (sort.bytes().front() != static_cast<char>(storage::ItemTag::kItem)) return true;
        const std::string tenant(partition.tenant());
        const protocol::TenantId id{protocol::KeyText::UpToNul(tenant)};
        if (partition != storage::TablePartition(id, **def)) return true;
        if (partition != current) {
          finish();
          current = partition;
          tally = Tally();
        }
        Item item;
        if (storage::DecodeItem(row.payload, &item)) {
          AddItem(snapshot, tenant, item, differs, &tally);
        } else {
          differs(tenant + ": an item of " + std::string(kTable) + " cannot be read");
        }
        return true;
      });
  if (status.ok()) finish();
  return status;
}

class CaseFacts final : public fanout::Facts {
 public:
  storage::Status CheckRows(const fanout::VerifyInput& input, fanout::VerifyReport*) override {
    return CheckCases(input.snapshot, input.differs);
  }
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeCaseFacts() {
  return std::make_unique<CaseFacts>();
}

}  // namespace parley::features::facts
