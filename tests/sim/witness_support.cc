#include "tests/sim/witness_support.h"

#include <set>

#include "accounts/tenants/demo.h"
#include "threads/model/keys.h"

namespace parley::sim {
namespace {

// Users of other tenants have the same names, and operator_support.h checks them.
std::optional<protocol::ThreadId> DemoThread(const storage::PartitionKey& partition) {
  if (partition.empty() || partition.tenant() != accounts::kDemoTenant) return std::nullopt;
  return threads::ThreadOfPartition(partition);
}

}  // namespace

void Witness::OnCommitted(std::span<const storage::CommitRequest> requests,
                          std::span<const storage::CommitResult> results) {
  std::set<Thread*> changed;
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto id = DemoThread(requests[i].partition);
    if (!id || results[i].code != storage::StatusCode::kOk) continue;
    Thread& thread = threads_[id->ToText()];
    thread.facts.thread = *id;
    for (const storage::RowWrite& write : requests[i].writes) {
      if (write.row) {
        fanout::AddRow(write.sort.bytes(), write.row->payload, &thread.facts);
      } else {
        thread.facts.items.erase(write.sort.bytes());
      }
    }
    changed.insert(&thread);
  }
  if (changed.empty()) return;
  ++moment_;
  for (Thread* thread : changed) Take(thread);
}

void Witness::Look(const storage::Reader& store) {
  for (auto& [name, thread] : threads_) {
    fanout::ThreadFacts none;
    none.thread = thread.facts.thread;
    thread.facts = std::move(none);
  }
  const auto status =
      store.ScanAll(storage::TableTag::kThreads, [&](const auto& partition, const auto& sort, auto row) {
        const auto id = DemoThread(partition);
        if (!id) return true;
        Thread& thread = threads_[id->ToText()];
        thread.facts.thread = *id;
        fanout::AddRow(sort.bytes(), row.payload, &thread.facts);
        return true;
      });
  if (!status.ok()) return;  // verify reports it
  ++moment_;
  for (auto& [name, thread] : threads_) Take(&thread);
}

void Witness::Take(Thread* thread) {
  fanout::ThreadFacts& facts = thread->facts;
  facts.participants.clear();
  facts.messages.clear();
  facts.cards.clear();
  facts.head.reset();
  fanout::Arrange(&facts);
  if (!facts.head) return;
  const int64_t last_seq = facts.head->Number("lastSeq");
  if (last_seq != thread->last_seq) thread->changed = moment_;
  thread->last_seq = last_seq;
  for (const fanout::RawItem* member : facts.participants) {
    std::optional<fanout::EntryFields> entry;
    if (member->IsNull("removedAt")) entry = fanout::ExpectedEntry(facts, *member, {}, protocol::Time{0});
    auto& versions = thread->versions[member->Text("userId")];
    if (versions.empty() || versions.back().entry != entry || versions.back().last_seq != last_seq)
      versions.push_back({moment_, last_seq, std::move(entry)});
  }
}

namespace {

// A mute with an end may be reported as over before the clock reached the end.
bool Same(const fanout::EntryFields& expected, fanout::EntryFields actual) {
  if (expected.at("mutedUntil") != "null" && actual["muted"] == "false") {
    actual["muted"] = expected.at("muted");
    actual["mutedUntil"] = expected.at("mutedUntil");
  }
  return actual == expected;
}

}  // namespace

bool Witness::Thread::Member(const std::string& user) const {
  const auto found = versions.find(user);
  return found != versions.end() && found->second.back().entry.has_value();
}

std::optional<size_t> Witness::Saw(const std::string& thread, const std::string& user,
                                   const fanout::EntryFields& entry, size_t from, std::string* why) const {
  *why = "no such thread";
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return std::nullopt;
  const auto versions = at->second.versions.find(user);
  *why = "never a member";
  if (versions == at->second.versions.end()) return std::nullopt;
  const auto last_seq = entry.find("lastSeq");
  *why = "no member at that lastSeq; the versions:";
  for (const auto& version : versions->second)
    *why += " " + std::to_string(version.last_seq) + "@" + std::to_string(version.moment) +
            (version.entry ? "" : "-");
  *why += ", from " + std::to_string(from);
  for (size_t i = 0; i < versions->second.size(); ++i) {
    const Thread::Version& version = versions->second[i];
    const bool over = i + 1 < versions->second.size() && versions->second[i + 1].moment <= from;
    if (over || !version.entry || last_seq == entry.end() || version.entry->at("lastSeq") != last_seq->second)
      continue;
    if (Same(*version.entry, entry)) return std::max(from, version.moment);
    for (const auto& [field, value] : *version.entry) {
      const auto actual = entry.find(field);
      if (actual == entry.end() || actual->second != value)
        *why = field + " is " + (actual == entry.end() ? "missing" : actual->second) + ", counted " + value;
    }
  }
  return std::nullopt;
}

bool Witness::MemberAbove(const std::string& thread, const std::string& user, int64_t seq) const {
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return false;
  const auto versions = at->second.versions.find(user);
  if (versions == at->second.versions.end()) return false;
  for (const Thread::Version& version : versions->second)
    if (version.entry && version.last_seq > seq) return true;
  return false;
}

int64_t Witness::RemovedAt(const std::string& thread, const std::string& user) const {
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return 0;
  for (const fanout::RawItem* member : at->second.facts.participants)
    if (member->Text("userId") == user && !member->IsNull("removedAt")) return member->seq;
  return 0;
}

bool Witness::EverRemoved(const std::string& thread, const std::string& user) const {
  const auto at = threads_.find(thread);
  if (at == threads_.end()) return false;
  const auto versions = at->second.versions.find(user);
  if (versions == at->second.versions.end()) return false;
  for (const Thread::Version& version : versions->second)
    if (!version.entry) return true;
  return false;
}

}  // namespace parley::sim
