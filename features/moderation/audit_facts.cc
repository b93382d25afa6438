#include "features/moderation/audit_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "accounts/audit/audit_row.h"
#include "fanout/verify/verify.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/json_text.h"
#include "protocol/base/varint.h"
#include "storage/engine/item_change.h"
#include "storage/engine/item_keys.h"
#include "threads/model/change.h"

namespace parley::features::facts {
namespace {

using Differs = std::function<void(const std::string&)>;
using protocol::Value;
using storage::Position;
using storage::Status;

constexpr std::string_view kCursorName = "audit";

// Canonical JSON (RFC 8785) for the types of value in entries, without some members of the outermost map.
std::string Canonical(const Value& value, std::initializer_list<std::string_view> without = {}) {
  if (const auto* text = value.as_text()) return protocol::JsonText(*text);
  if (const auto* number = value.as_int()) return std::to_string(*number);
  if (!value.as_map()) return "null";
  std::map<std::string, std::string> members;
  for (const auto& [name, member] : *value.as_map()) {
    if (std::find(without.begin(), without.end(), name) == without.end())
      members[std::string(name)] = Canonical(member);
  }
  std::string out;
  for (const auto& [name, member] : members)
    out += (out.empty() ? "" : ",") + protocol::JsonText(name) + ":" + member;
  return "{" + out + "}";
}

std::string TextOf(const Value& map, std::string_view name) {
  const Value* value = map.Find(name);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
int64_t NumberOf(const Value& map, std::string_view name) {
  const Value* value = map.Find(name);
  return value && value->as_int() ? *value->as_int() : -1;
}

protocol::Time TimeOf(const Value& entry) {
  return protocol::ParseTime(TextOf(entry, "at")).value_or(protocol::Time{});
}

bool Decode(std::string_view bytes, protocol::Document* out) {
  return !protocol::DecodeMsgpack(std::string(bytes), {}, out) && out->root.as_map();
}

// The entry that the chain must have for a look, as canonical JSON.
std::string LookText(const std::string& thread, const Value& look) {
  const auto of = [&](std::string_view name) {
    const Value* value = look.Find(name);
    return value ? Canonical(*value) : "null";
  };
  return R"({"action":)" + protocol::JsonText("look." + TextOf(look, "op")) + R"(,"actor":)" +
         of("actorUserId") + R"(,"actorRole":)" + protocol::JsonText(TextOf(look, "actorRole")) +
         R"(,"after":null,"at":)" + of("at") + R"(,"auditId":)" + of("auditId") +
         R"(,"before":null,"caseId":)" + of("caseId") + R"(,"messageId":)" + of("messageId") +
         R"(,"reason":)" + protocol::JsonText(TextOf(look, "reason")) + R"(,"threadId":)" +
         protocol::JsonText(thread) + R"(,"userId":null})";
}

// Returns true if the chain's writer derived the entry's id from its place in the chain. Such an entry
// records something outside of threads, so no thread has a row for it.
bool IsOwn(const std::string& tenant, const Value& entry) {
  const std::string id = TextOf(entry, "auditId");
  const auto ulid = protocol::Ulid::FromText(id.substr(std::min<size_t>(id.size(), 4)));
  if (!ulid) return false;
  const std::string drawn = protocol::Sha256(tenant + ' ' + std::to_string(NumberOf(entry, "seq") - 1) + ' ' +
                                             TextOf(entry, "prevHash"));
  return ulid->raw().substr(6) == std::string_view(drawn).substr(6, 10);
}

// Checks one chain, entry by entry.
class Links {
 public:
  Links(std::string tenant, AuditWalk walk, const Differs& differs)
      : tenant_(std::move(tenant)), at_(std::move(walk)), differs_(differs) {
    if (at_.entries == 0) at_.hash = std::string(64, '0');
  }

  // Returns false if the entry cannot be read.
  bool Add(std::string_view sort, std::string_view payload, protocol::Document* entry) {
    uint64_t seq = 0;
    if (!accounts::ParseAuditEntryKey(sort, &seq) || !Decode(payload, entry)) {
      Report(at_.entries + 1, "cannot be read");
      ++at_.entries;
      return false;
    }
    const Value& root = entry->root;
    if (seq != at_.entries + 1) Report(at_.entries + 1, "is missing");
    if (NumberOf(root, "seq") != static_cast<int64_t>(seq)) Report(seq, "has another number in its text");
    if (TextOf(root, "prevHash") != at_.hash) Report(seq, "does not name the hash before it");
    const std::string hash =
        protocol::Hex(protocol::Sha256(TextOf(root, "prevHash") + Canonical(root, {"prevHash", "hash"})));
    if (TextOf(root, "hash") != hash) Report(seq, "was changed: its hash does not match its text");
    at_ = {seq, TextOf(root, "hash")};
    return true;
  }
  // Compares with the stored head.
  void End(const std::optional<std::string>& head) {
    accounts::AuditHead read;
    if (head && !accounts::DecodeAuditHead(*head, &read)) return Say("its head cannot be read");
    if (read.entries != at_.entries)
      Say("it ends at entry " + std::to_string(at_.entries) + ", but its head names " +
          std::to_string(read.entries));
    else if (read.hash != at_.hash)
      Say("its last hash differs from its head's");
  }
  void Report(uint64_t seq, const std::string& what) { Say("entry " + std::to_string(seq) + " " + what); }
  void Say(const std::string& what) { differs_(tenant_ + ": the audit: " + what); }
  const AuditWalk& at() const { return at_; }

 private:
  const std::string tenant_;
  AuditWalk at_;
  const Differs& differs_;
};

// The keys of the entry's list rows. `latest` is the latest time of the entries up to this one, included.
std::vector<storage::SortKey> ListsOf(const Value& entry, protocol::Time latest) {
  const accounts::AuditPlace place{latest, static_cast<uint64_t>(NumberOf(entry, "seq"))};
  std::vector<storage::SortKey> out = {accounts::AuditTimeKey(place)};
  if (TimeOf(entry) < latest) out.push_back(accounts::AuditLateKey(place.seq));
  const std::pair<const char*, accounts::AuditFacet> facets[] = {{"threadId", accounts::AuditFacet::kThread},
                                                                 {"actor", accounts::AuditFacet::kActor},
                                                                 {"userId", accounts::AuditFacet::kUser},
                                                                 {"caseId", accounts::AuditFacet::kCase}};
  for (const auto& [name, facet] : facets) {
    if (const std::string value = TextOf(entry, name); !value.empty())
      out.push_back(accounts::AuditFacetKey(facet, value, place));
  }
  return out;
}

// How far acts in threads had been chained.
Status ReadAuditPlaceOf(const storage::Table& table, Position* out) {
  Position cursor = 0;
  if (Status status = table.ReadCursor(kCursorName, &cursor); !status.ok()) return status;
  std::optional<storage::Row> row;
  Status status = table.Get(storage::AuditRelayRecords(), storage::RecordKey("place"), &row);
  if (!status.ok()) return status;
  *out = 0;
  std::string_view rest = row ? std::string_view(row->payload) : std::string_view();
  if (row && !protocol::TakeVarint(&rest, out))
    return {storage::StatusCode::kCorrupt, "the place of the audit relay cannot be read"};
  *out = std::max(*out, cursor);
  return {};
}

class AuditCheck {
 public:
  AuditCheck(const storage::Reader& snapshot, std::function<void(const std::string&)> differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // Finds the acts after `place` in the log, which are not in a chain yet, and adds their threads to
  // `threads`.
  storage::Status FindPending(const storage::Table& table, storage::Position place,
                              std::set<fanout::ThreadName>* threads);
  // Expects an entry for each act and look of a thread.
  void ExpectActsOf(const fanout::ThreadFacts& facts);
  // Checks all chains. Call it last: it reports expected entries that no chain has.
  storage::Status CheckChains(size_t* entries);

 private:
  struct Expected {
    std::string thread;
    std::string said;  // SHA-256 of the expected entry
  };
  using Name = std::pair<std::string, std::string>;  // tenant, auditId
  void Meet(const std::string& tenant, const protocol::Value& entry, const std::string& id);

  const storage::Reader& snapshot_;
  const std::function<void(const std::string&)> differs_;
  std::map<Name, Expected> expected_;
  std::set<Name> pending_;
};

Status AuditCheck::FindPending(const storage::Table& table, Position place,
                               std::set<fanout::ThreadName>* threads) {
  for (bool more = true; more;) {
    more = false;
    auto status = table.ReadLog(place, 4096, [&](Position position, std::string_view bytes) {
      threads::ChangeEntry entry;
      place = position;
      more = true;
      if (storage::IsItemEntry(bytes) || !threads::DecodeChangeEntry(bytes, &entry) || !entry.acts.value)
        return true;
      threads->emplace(entry.tenant, entry.thread);
      for (const protocol::AuditId& id : entry.acts.value->items)
        pending_.emplace(entry.tenant.ToText(), id.ToText());
      return true;
    });
    if (!status.ok()) return status;
  }
  return {};
}

void AuditCheck::ExpectActsOf(const fanout::ThreadFacts& facts) {
  const std::string tenant = facts.tenant.ToText(), thread = facts.thread.ToText();
  for (const auto& [id, act] : facts.acts) {
    if (TextOf(act.root, "auditId") != id || TextOf(act.root, "threadId") != thread)
      differs_(facts.name() + ": " + id + " names another act or another thread");
    expected_[{tenant, id}] = {thread, protocol::Sha256(Canonical(act.root, {"seq"}))};
  }
  for (const auto& [id, look] : facts.looks) {
    const std::string said = TextOf(look.root, "auditId");
    if (said.empty()) continue;  // written by a release without chains
    if (said != id) differs_(facts.name() + ": " + id + " names another look");
    expected_[{tenant, id}] = {thread, protocol::Sha256(LookText(thread, look.root))};
  }
}

void AuditCheck::Meet(const std::string& tenant, const Value& entry, const std::string& id) {
  const auto tell = [&](const std::string& what) {
    differs_(tenant + ": the audit: entry " + std::to_string(NumberOf(entry, "seq")) + " " + what);
  };
  if (IsOwn(tenant, entry)) return;
  const auto expected = expected_.find({tenant, id});
  if (expected == expected_.end())
    return tell("records an act that is in no thread, or was recorded before: " + id);
  if (expected->second.said != protocol::Sha256(Canonical(entry, {"seq", "prevHash", "hash"})))
    tell("differs from its thread " + expected->second.thread);
  expected_.erase(expected);
}

Status AuditCheck::CheckChains(size_t* entries) {
  std::string tenant;
  std::optional<Links> links;
  std::optional<std::string> head;
  size_t lists = 0, listed = 0;
  protocol::Time latest;
  const auto finish = [&] {
    if (!links) return;
    links->End(head);
    if (accounts::AuditHead read; head && accounts::DecodeAuditHead(*head, &read) && read.last != latest)
      links->Say("its head does not have the latest time of its entries");
    if (lists != listed)
      links->Say("its lists have " + std::to_string(listed) + " rows, but its entries need " +
                 std::to_string(lists));
  };
  auto status = snapshot_.ScanAll(
      storage::TableTag::kAudit,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        if (!links || partition.tenant() != tenant) {
          finish();
          tenant = partition.tenant();
          links.emplace(tenant, AuditWalk(), differs_);
          head.reset();
          lists = listed = 0;
          latest = {};
        }
        const auto tag = static_cast<storage::AuditTag>(sort.bytes().front());
        if (tag == storage::AuditTag::kHead) {
          head = std::string(row.payload);
        } else if (tag != storage::AuditTag::kEntry) {
          ++listed;
        } else if (protocol::Document entry; links->Add(sort.bytes(), row.payload, &entry)) {
          ++*entries;
          Meet(tenant, entry.root, TextOf(entry.root, "auditId"));
          latest = std::max(latest, TimeOf(entry.root));
          for (const storage::SortKey& list : ListsOf(entry.root, latest)) {
            ++lists;
            std::optional<storage::Row> found;
            if (!snapshot_.Get(partition, list, &found).ok() || !found)
              links->Report(links->at().entries, "is missing from a list");
          }
        }
        return true;
      });
  if (!status.ok()) return status;
  finish();
  for (const auto& [name, expected] : expected_) {
    if (!pending_.contains(name))
      differs_(name.first + " " + expected.thread + ": " + name.second + " is not in the audit");
  }
  return {};
}

class AuditFacts final : public fanout::Facts {
 public:
  Status ReadPlace(const storage::Table& table) override { return ReadAuditPlaceOf(table, &place_); }
  Status FindPending(const fanout::VerifyInput& input, std::set<fanout::ThreadName>* pending) override {
    return CheckOf(input).FindPending(input.table, place_, pending);
  }
  void OnThread(const fanout::VerifyInput& input, const fanout::ThreadFacts& facts) override {
    CheckOf(input).ExpectActsOf(facts);
  }
  Status CheckRows(const fanout::VerifyInput& input, fanout::VerifyReport* report) override {
    return CheckOf(input).CheckChains(&report->audit_entries);
  }

 private:
  AuditCheck& CheckOf(const fanout::VerifyInput& input) {
    return check_ ? *check_ : check_.emplace(input.snapshot, input.differs);
  }

  Position place_ = 0;
  std::optional<AuditCheck> check_;
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeAuditFacts() {
  return std::make_unique<AuditFacts>();
}

bool WalkAudit(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit, AuditWalk* walk,
               const Differs& differs) {
  const auto partition = accounts::AuditPartition(tenant);
  Links links(tenant.ToText(), *walk, differs);
  size_t read = 0;
  auto status = reader.Scan(
      partition, {accounts::AuditEntryKey(walk->entries + 1), accounts::AuditEntryKey(UINT64_MAX)},
      storage::Direction::kForward, limit, [&](std::string_view sort, storage::RowView row) {
        protocol::Document entry;
        ++read;
        links.Add(sort, row.payload, &entry);
        return true;
      });
  if (!status.ok()) return false;
  *walk = links.at();
  if (read == limit) return false;
  std::optional<storage::Row> head;
  if (reader.Get(partition, accounts::AuditHeadKey(), &head).ok())
    links.End(head ? std::optional(head->payload) : std::nullopt);
  *walk = {};
  return true;
}

}  // namespace parley::features::facts
