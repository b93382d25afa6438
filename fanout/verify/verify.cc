#include "fanout/verify/verify.h"

#include <algorithm>
#include <set>

#include "fanout/inbox_projection.h"
#include "fanout/keys.h"
#include "fanout/verify/thread_facts.h"
#include "threads/change.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using ThreadName = std::pair<TenantId, ThreadId>;

// Where the thread stands in an inbox, from its text fields.
protocol::Time PlaceOf(const ThreadFacts& facts) {
  const std::string at =
      facts.head->IsNull("lastMessageAt") ? facts.head->Text("createdAt") : facts.head->Text("lastMessageAt");
  return protocol::ParseTime(at).value_or(protocol::Time{0});
}

bool ArchivedNow(const ThreadFacts& facts, const RawItem& member) {
  const auto at_no = member.HiddenNumber("archivedAtNo");
  return at_no && facts.head->Number("lastMsgNo") <= *at_no;
}

class Verifier {
 public:
  Verifier(const storage::Table& table, protocol::Time now, const Differs& differs, VerifyReport* report)
      : table_(table), snapshot_(table.NewSnapshot()), now_(now), report_(report) {
    differs_ = [&differs, report](const std::string& what) {
      ++report->differences;
      differs(what);
    };
  }

  storage::Status Run() {
    if (auto status = FindPending("inbox", &inbox_pending_); !status.ok()) return status;
    if (auto status = FindPending("project", &project_pending_); !status.ok()) return status;
    std::set<ThreadName> pending = inbox_pending_;
    pending.insert(project_pending_.begin(), project_pending_.end());
    report_->pending = pending.size();
    if (auto status = CheckThreads(); !status.ok()) return status;
    if (auto status = CheckInboxRows(); !status.ok()) return status;
    return CheckProjectRows();
  }

 private:
  // Threads with log entries beyond the projection's cursor.
  storage::Status FindPending(std::string_view projection, std::set<ThreadName>* out) {
    storage::Position at = 0;
    if (auto status = table_.ReadCursor(projection, &at); !status.ok()) return status;
    for (bool more = true; more;) {
      more = false;
      auto status = table_.ReadLog(at, 4096, [&](storage::Position position, std::string_view bytes) {
        threads::ChangeEntry entry;
        if (threads::DecodeChangeEntry(bytes, &entry)) {
          out->emplace(entry.tenant, entry.thread);
        } else {
          differs_("change log: entry " + std::to_string(position) + " can not be read");
        }
        if (position != at + 1 && at != 0)
          differs_("change log: entry " + std::to_string(at + 1) + " is missing");
        at = position;
        return more = true;
      });
      if (!status.ok()) return status;
    }
    return {};
  }

  storage::Status CheckThreads() {
    ThreadFacts facts;
    storage::PartitionKey current;
    const auto finish = [&] {
      if (current.empty()) return;
      Arrange(&facts);
      CheckThread(facts, differs_);
      ++report_->threads;
      report_->messages += facts.messages.size();
      if (facts.head) ExpectIndexRows(facts);
    };
    auto status = snapshot_->ScanAll(
        storage::TableTag::kThreads,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
          if (partition != current) {
            finish();
            current = partition;
            facts = ThreadFacts();
            facts.tenant = TenantId{std::string(partition.tenant())};
            facts.thread = threads::ThreadOfPartition(partition).value_or(ThreadId{});
          }
          AddRow(sort.bytes(), row.payload, &facts);
          return true;
        });
    if (status.ok()) finish();
    return status;
  }

  void ExpectIndexRows(const ThreadFacts& facts) {
    const ThreadName name{facts.tenant, facts.thread};
    if (!inbox_pending_.contains(name)) {
      for (const RawItem* member : facts.participants) {
        if (member->IsNull("removedAt")) ExpectInboxRow(facts, *member);
      }
    }
    if (project_pending_.contains(name)) return;
    const auto created = protocol::ParseTime(facts.head->Text("createdAt")).value_or(protocol::Time{0});
    const storage::SortKey sort = ProjectKey(created, facts.thread);
    if (!facts.head->IsNull("lbgId"))
      ExpectProjectRow(facts, LbgPartition(facts.tenant, {facts.head->Text("lbgId")}), sort, "LBG");
    if (!facts.head->IsNull("legId"))
      ExpectProjectRow(facts, LegPartition(facts.tenant, {facts.head->Text("legId")}), sort, "LEG");
  }

  void ExpectInboxRow(const ThreadFacts& facts, const RawItem& member) {
    const UserId user{member.Text("userId")};
    const auto differ = [&](const std::string& what) {
      differs_(facts.name() + ": inbox of " + user.value + ": " + what);
    };
    const Box box = ArchivedNow(facts, member) ? Box::kArchived : Box::kMain;
    std::optional<storage::Row> row;
    const auto status =
        snapshot_->Get(InboxPartition(facts.tenant, user), InboxKey(box, PlaceOf(facts), facts.thread), &row);
    if (!status.ok()) return differ("can not be read");
    if (!row) return differ("the row is missing where it belongs");
    InboxRow stored;
    protocol::Document entry;
    if (!DecodeInboxRow(row->payload, &stored) ||
        protocol::DecodeMsgpack(std::string(stored.entry), {}, &entry)) {
      return differ("the row can not be read");
    }
    CompareEntry(facts, member, stored, entry, differ);
  }

  void CompareEntry(const ThreadFacts& facts, const RawItem& member, const InboxRow& stored,
                    const protocol::Document& entry, const Differs& differ) {
    const auto number = [&](std::string_view field, int64_t expected) {
      const protocol::Value* value = entry.root.Find(field);
      const int64_t found = value && value->as_int() ? *value->as_int() : -1;
      if (found != expected) {
        differ(std::string(field) + " is " + std::to_string(found) + ", counted " + std::to_string(expected));
      }
    };
    const auto text = [&](std::string_view field, const std::string& expected) {
      const protocol::Value* value = entry.root.Find(field);
      const std::string found = value && value->as_text() ? std::string(*value->as_text()) : "";
      if (found != expected) differ(std::string(field) + " differs");
    };
    const auto flag = [&](std::string_view field, bool expected) {
      const protocol::Value* value = entry.root.Find(field);
      if (!value || !value->as_bool() || *value->as_bool() != expected)
        differ(std::string(field) + " differs");
    };
    const int64_t unread = CountUnread(facts, member);
    number("unread", unread);
    number("lastSeq", static_cast<int64_t>(facts.log.size()));
    text("threadId", facts.thread.ToText());
    text("kind", facts.head->Text("kind"));
    text("subject", facts.head->Text("subject"));
    text("lastMessageAt", facts.messages.empty() ? "" : facts.messages.back()->Text("createdAt"));
    text("label", member.HiddenText("label"));
    flag("pinned", member.HiddenFlag("pinned"));
    flag("archived", ArchivedNow(facts, member));
    const auto until = protocol::ParseTime(member.HiddenText("mutedUntil"));
    if (!until || *until > now_) flag("muted", member.HiddenFlag("muted"));
    if (stored.unread != (unread > 0)) differ("the unread mark differs");
    if (stored.pinned != member.HiddenFlag("pinned")) differ("the pinned mark differs");
    const protocol::Value* last = entry.root.Find("lastMessage");
    const protocol::Value* last_id = last ? last->Find("messageId") : nullptr;
    const std::string newest = facts.messages.empty() ? "" : facts.messages.back()->Text("messageId");
    if ((last_id && last_id->as_text() ? *last_id->as_text() : "") != newest)
      differ("lastMessage is not the newest");
  }

  void ExpectProjectRow(const ThreadFacts& facts, const storage::PartitionKey& partition,
                        const storage::SortKey& sort, const char* kind) {
    std::optional<storage::Row> row;
    const auto status = snapshot_->Get(partition, sort, &row);
    if (!status.ok() || !row) return differs_(facts.name() + ": the " + kind + " row is missing");
  }

  // What a head or a participant row says now; nullopt when there is none.
  std::optional<RawItem> Item(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort) {
    std::optional<storage::Row> row;
    if (!snapshot_->Get(threads::ThreadPartition(tenant, thread), sort, &row).ok() || !row)
      return std::nullopt;
    ThreadFacts facts;
    AddRow(sort.bytes(), row->payload, &facts);
    if (facts.items.empty()) return std::nullopt;
    return std::move(facts.items.begin()->second);
  }

  // Rows that nothing asks for: each is traced back to the thread and the member it should come from.
  storage::Status CheckInboxRows() {
    return snapshot_->ScanAll(
        storage::TableTag::kInboxIndex,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView) {
          ++report_->inbox_rows;
          const TenantId tenant{std::string(partition.tenant())};
          const UserId user{std::string(partition.id().substr(0, partition.id().size() - 1))};
          Box box;
          protocol::Time place;
          ThreadId thread;
          const std::string where = tenant.value + ": inbox of " + user.value + ": ";
          if (!ParseInboxKey(sort.bytes(), &box, &place, &thread)) {
            differs_(where + "a key can not be read");
            return true;
          }
          if (inbox_pending_.contains({tenant, thread})) return true;
          ThreadFacts facts;
          facts.head = Item(tenant, thread, threads::ThreadKey());
          const auto member = Item(tenant, thread, threads::ParticipantKey(user));
          const bool belongs = facts.head && member && member->IsNull("removedAt") &&
                               PlaceOf(facts) == place &&
                               (box == Box::kArchived) == ArchivedNow(facts, *member);
          if (!belongs) differs_(where + "an extra row for " + thread.ToText());
          return true;
        });
  }

  storage::Status CheckProjectRows() {
    return snapshot_->ScanAll(
        storage::TableTag::kProjectIndex,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView) {
          ++report_->project_rows;
          const TenantId tenant{std::string(partition.tenant())};
          const bool is_lbg = partition.id()[0] == static_cast<char>(storage::ProjectTag::kLbg);
          const std::string id(partition.id().substr(1, partition.id().size() - 2));
          protocol::Time created_at;
          ThreadId thread;
          if (!ParseProjectKey(sort.bytes(), &created_at, &thread)) {
            differs_(tenant.value + ": project index: a key can not be read");
            return true;
          }
          if (project_pending_.contains({tenant, thread})) return true;
          const auto head = Item(tenant, thread, threads::ThreadKey());
          const bool belongs = head && head->Text(is_lbg ? "lbgId" : "legId") == id &&
                               head->Text("createdAt") == protocol::FormatTime(created_at);
          if (!belongs)
            differs_(tenant.value + ": " + (is_lbg ? "LBG#" : "LEG#") + id + ": an extra row for " +
                     thread.ToText());
          return true;
        });
  }

  const storage::Table& table_;
  const storage::Snapshot snapshot_;
  const protocol::Time now_;
  VerifyReport* report_;
  Differs differs_;
  std::set<ThreadName> inbox_pending_, project_pending_;
};

}  // namespace

storage::Status VerifyStore(const storage::Table& table, protocol::Time now, const Differs& differs,
                            VerifyReport* report) {
  return Verifier(table, now, differs, report).Run();
}

}  // namespace parley::fanout
