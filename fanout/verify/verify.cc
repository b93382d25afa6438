#include "fanout/verify/verify.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "fanout/keys.h"
#include "fanout/projection_id.h"
#include "fanout/upkeep.h"
#include "fanout/verify/card_facts.h"
#include "fanout/verify/inbox_check.h"
#include "fanout/verify/index_facts.h"
#include "fanout/verify/member_facts.h"
#include "fanout/verify/quota_facts.h"
#include "fanout/verify/thread_facts.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_change.h"
#include "threads/model/change.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;
using FactsList = std::vector<std::unique_ptr<Facts>>;

struct Cursors {
  storage::Position inbox = 0, project = 0, cards = 0;
};

class Verifier {
 public:
  // `cursors` and the places of `features` were read before this takes its snapshot. A running projection may
  // be ahead of them, so threads with later log entries are pending.
  Verifier(const storage::Table& table, const Cursors& cursors, FactsList features, protocol::Time now,
           const Differs& differs, VerifyReport* report)
      : table_(table),
        cursors_(cursors),
        now_(now),
        snapshot_(table.NewSnapshot()),
        report_(report),
        differs_([&differs, report](const std::string& what) {
          ++report->differences;
          differs(what);
        }),
        inbox_(*snapshot_, now, inbox_pending_, differs_),
        features_(std::move(features)) {}

  storage::Status Run() {
    if (auto status = FindPending(cursors_.inbox, &inbox_pending_); !status.ok()) return status;
    if (auto status = FindPending(cursors_.project, &project_pending_); !status.ok()) return status;
    if (auto status = FindPending(cursors_.cards, &cards_pending_); !status.ok()) return status;
    std::set<ThreadName> pending = inbox_pending_;
    pending.insert(cards_pending_.begin(), cards_pending_.end());
    pending.insert(project_pending_.begin(), project_pending_.end());
    for (const auto& feature : features_) {
      if (auto status = feature->FindPending(input_, &pending); !status.ok()) return status;
    }
    report_->pending = pending.size();
    if (auto status = CheckThreads(); !status.ok()) return status;
    if (auto status = inbox_.CheckRows(&report_->inbox_rows); !status.ok()) return status;
    if (auto status = inbox_.CheckSeats(); !status.ok()) return status;
    if (auto status = inbox_.CheckWakes(); !status.ok()) return status;
    if (auto status = CheckProjectRows(); !status.ok()) return status;
    if (auto status = CheckSafetyRows(); !status.ok()) return status;
    if (auto status = CheckReservations(); !status.ok()) return status;
    if (auto status = CheckCardRows(); !status.ok()) return status;
    for (const auto& feature : features_) {
      if (auto status = feature->CheckRows(input_, report_); !status.ok()) return status;
    }
    if (auto status = CheckQuotas(*snapshot_, now_, differs_); !status.ok()) return status;
    return storage::CheckItems(*snapshot_, storage::SeedTables(), now_, differs_, &report_->items);
  }

 private:
  // Adds the threads with log entries after the projection's cursor.
  storage::Status FindPending(storage::Position at, std::set<ThreadName>* out) {
    for (bool more = true; more;) {
      more = false;
      auto status = table_.ReadLog(at, 4096, [&](storage::Position position, std::string_view bytes) {
        threads::ChangeEntry entry;
        if (storage::IsItemEntry(bytes)) {
          storage::ItemEntry items;
          if (!storage::DecodeItemEntry(bytes, &items))
            differs_("change log: entry " + std::to_string(position) + " cannot be read");
        } else if (threads::DecodeChangeEntry(bytes, &entry)) {
          out->emplace(entry.tenant, entry.thread);
        } else {
          differs_("change log: entry " + std::to_string(position) + " cannot be read");
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
      for (const auto& feature : features_) feature->OnThread(input_, facts);
      ++report_->threads;
      report_->messages += facts.messages.size();
      if (facts.head) ExpectIndexRows(facts);
    };
    auto status = snapshot_->ScanAll(
        storage::TableTag::kThreads,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
          if (partition != current) {
            finish();
            if (current.empty() || partition.tenant() != current.tenant())
              ReadUpkeepOf(TenantId{protocol::KeyText::UpToNul(partition.tenant())});
            current = partition;
            facts = ThreadFacts();
            facts.tenant = TenantId{protocol::KeyText::UpToNul(partition.tenant())};
            facts.thread = threads::ThreadOfPartition(partition).value_or(ThreadId{});
          }
          AddRow(sort.bytes(), row.payload, &facts);
          return true;
        });
    if (status.ok()) finish();
    return status;
  }

  // The SAFETY# row through which the pair's other threads find a safety report.
  void ExpectSafetyRow(const ThreadFacts& facts) {
    const std::string buyer = facts.head->Text("buyerUserId"), seller = facts.head->Text("sellerUserId");
    if (buyer == seller || !HoldsReport(facts)) return;
    const auto partition =
        threads::UserPartition(facts.tenant, UserId{protocol::KeyText::UpToNul(std::min(buyer, seller))});
    const auto sort =
        threads::SafetyKey(UserId{protocol::KeyText::UpToNul(std::max(buyer, seller))}, facts.thread);
    std::optional<storage::Row> row;
    if (!snapshot_->Get(partition, sort, &row).ok() || !row)
      differs_(facts.name() + ": the SAFETY# row of its parties is missing");
    expected_.insert(SafetyName(partition, sort));
  }
  static std::string SafetyName(const storage::PartitionKey& partition, const storage::SortKey& sort) {
    return "safety " + partition.bytes() + '\0' + sort.bytes();
  }
  storage::Status CheckSafetyRows() {
    return snapshot_->ScanAll(storage::TableTag::kUsers, [&](const storage::PartitionKey& partition,
                                                             const storage::SortKey& sort, storage::RowView) {
      UserId other;
      ThreadId thread;
      if (threads::ParseSafetyKey(sort.bytes(), &other, &thread) &&
          !expected_.contains(SafetyName(partition, sort)))
        differs_(std::string(partition.tenant()) + ": an extra SAFETY# row for " + thread.ToText());
      return true;
    });
  }

  void ExpectIndexRows(const ThreadFacts& facts) {
    ExpectSafetyRow(facts);
    CheckDirectRow(*snapshot_, facts, differs_);
    inbox_.ExpectRowsOf(facts);
    if (!cards_pending_.contains({facts.tenant, facts.thread})) {
      CheckEffectRows(*snapshot_, facts, differs_);
      for (const auto& [seq, effect] : facts.effects)
        expected_.insert("out " + facts.name() + " " + std::to_string(seq));
    }
    if (!project_pending_.contains({facts.tenant, facts.thread}))
      CheckProjectRowsOf(*snapshot_, facts, differs_);
  }

  std::set<ThreadName>& PendingOf(ProjectionId id) {
    switch (id) {
      case ProjectionId::kInbox:
        return inbox_pending_;
      case ProjectionId::kProject:
        return project_pending_;
      case ProjectionId::kCards:
        break;
    }
    return cards_pending_;
  }

  // Reads the upkeep records of the tenant whose threads come next. Reports each thread that a projection has
  // set aside, and does not check its rows there.
  void ReadUpkeepOf(const TenantId& tenant) {
    Upkeep upkeep;
    if (!ReadUpkeep(*snapshot_, tenant, &upkeep).ok())
      return differs_(tenant.value + ": its upkeep records cannot be read");
    for (const AsideThread& one : upkeep.aside) {
      differs_(one.tenant.value + " " + one.thread.ToText() + ": set aside by the projection " +
               one.projection + ": " + one.why);
      if (const auto id = protocol::EnumFromName<ProjectionId>(one.projection))
        PendingOf(*id).emplace(one.tenant, one.thread);
    }
    for (const auto& [of, repair] : upkeep.repairs)
      report_->repairs.push_back(of.value + ": " + protocol::FormatTime(repair.at) + ": " + repair.what);
  }

  // Reports rows of the effect feed that no thread needs.
  storage::Status CheckCardRows() {
    const auto extra = [&](const TenantId& tenant, const ThreadId& thread, const std::string& row) {
      if (!cards_pending_.contains({tenant, thread}) && !expected_.contains(row))
        differs_("an extra row: " + row);
    };
    return snapshot_->ScanAll(
        storage::TableTag::kEffectFeed,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView) {
          const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
          protocol::Time at;
          ThreadId thread;
          int64_t seq = 0;
          if (!ParseEffectFeedKey(sort.bytes(), &at, &thread, &seq)) {
            differs_(tenant.value + ": the effect feed: a key cannot be read");
          } else {
            extra(tenant, thread, "out " + tenant.value + " " + thread.ToText() + " " + std::to_string(seq));
          }
          return true;
        });
  }

  // A DIRECT# row leads to the direct thread of its pair, or to a thread that a crash prevented from being
  // created.
  void CheckLeads(const storage::PartitionKey& partition, const storage::SortKey& sort,
                  storage::RowView row) {
    const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
    const std::string lower(partition.id().substr(0, partition.id().size() - 1));
    UserId higher;
    threads::ReservationRow leads;
    if (!threads::ParseDirectKey(sort.bytes(), &higher)) return;
    if (!threads::DecodeReservation(row.payload, &leads))
      return differs_(tenant.value + ": a DIRECT# row cannot be read");
    const auto head = Item(tenant, leads.thread, threads::ThreadKey());
    if (!head) return;
    const protocol::Value* members = head->wire.root.Find("participants");
    const protocol::Array* both = members ? members->as_array() : nullptr;
    if (head->Text("kind") != "direct" || !both || both->size() != 2 || (*both)[0].as_text() == nullptr ||
        *(*both)[0].as_text() != lower || (*both)[1].as_text() == nullptr ||
        *(*both)[1].as_text() != higher.value)
      differs_(tenant.value + ": DIRECT# of " + lower + " and " + higher.value.text() + " leads to " +
               leads.thread.ToText() + ", which is not theirs");
  }

  // Each DUE# row has its reservation, since both are added and removed together. (A role may be reserved
  // again before the DUE# row of its previous reservation is due.)
  storage::Status CheckReservations() {
    return snapshot_->ScanAll(storage::TableTag::kUsers, [&](const storage::PartitionKey& partition,
                                                             const storage::SortKey& sort,
                                                             storage::RowView row_view) {
      const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
      CheckLeads(partition, sort, row_view);
      if (partition != threads::DuePartition(tenant)) return true;
      protocol::Time at;
      UserId owner;
      storage::SortKey reservation;
      std::optional<storage::Row> row;
      if (!threads::ParseDueKey(sort.bytes(), &at, &owner, &reservation)) {
        differs_(tenant.value + ": a DUE# key cannot be read");
      } else if (reservation.bytes().front() != static_cast<char>(storage::UserTag::kInquiry) &&
                 (!snapshot_->Get(threads::UserPartition(tenant, owner), reservation, &row).ok() || !row)) {
        differs_(tenant.value + ": a DUE# row of " + owner.value + " names no reservation");
      }
      return true;
    });
  }

  // Returns the current content of a head or a participant row, or nullopt.
  std::optional<RawItem> Item(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort) {
    std::optional<storage::Row> row;
    if (!snapshot_->Get(threads::ThreadPartition(tenant, thread), sort, &row).ok() || !row)
      return std::nullopt;
    ThreadFacts facts;
    AddRow(sort.bytes(), row->payload, &facts);
    if (facts.items.empty()) return std::nullopt;
    return std::move(facts.items.begin()->second);
  }

  storage::Status CheckProjectRows() {
    return snapshot_->ScanAll(
        storage::TableTag::kProjectIndex,
        [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView) {
          ++report_->project_rows;
          const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
          const bool is_lbg = partition.id()[0] == static_cast<char>(storage::ProjectTag::kLbg);
          const std::string id(partition.id().substr(1, partition.id().size() - 2));
          protocol::Time created_at;
          ThreadId thread;
          if (!ParseProjectKey(sort.bytes(), &created_at, &thread)) {
            differs_(tenant.value + ": project index: a key cannot be read");
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
  const Cursors cursors_;
  const protocol::Time now_;
  const storage::Snapshot snapshot_;
  VerifyReport* report_;
  const Differs differs_;
  std::set<ThreadName> inbox_pending_, project_pending_, cards_pending_;
  InboxCheck inbox_;
  const FactsList features_;
  const VerifyInput input_{table_, *snapshot_, differs_};
  std::set<std::string> expected_;  // rows that threads need, by name
};

}  // namespace

storage::Status VerifyStore(const storage::Table& table, protocol::Time now,
                            std::span<const MakeFacts> features, const Differs& differs,
                            VerifyReport* report) {
  Cursors cursors;
  const auto read = [&table](ProjectionId id, storage::Position* out) {
    return table.ReadCursor(protocol::NameOf(id), out);
  };
  if (auto status = read(ProjectionId::kInbox, &cursors.inbox); !status.ok()) return status;
  if (auto status = read(ProjectionId::kProject, &cursors.project); !status.ok()) return status;
  if (auto status = read(ProjectionId::kCards, &cursors.cards); !status.ok()) return status;
  FactsList facts;
  for (const MakeFacts make : features) {
    facts.push_back(make());
    if (auto status = facts.back()->ReadPlace(table); !status.ok()) return status;
  }
  return Verifier(table, cursors, std::move(facts), now, differs, report).Run();
}

}  // namespace parley::fanout
