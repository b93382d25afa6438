// Runs the executor with the audit relay, and the item writer that chains its entries.
#pragma once

#include "accounts/audit/audit_chain.h"
#include "fanout/verify/verify.h"
#include "features/moderation/audit_facts.h"
#include "features/moderation/audit_relay.h"
#include "protocol/base/crypto.h"
#include "tests/features/events/relay_scene.h"
#include "threads/model/record_act.h"
#include "threads/staff/access_log.h"

namespace parley::features {

class AuditScene : public RelaySceneOf<AuditRelay> {
 public:
  explicit AuditScene(fanout::RelaySettings settings = {}) : RelaySceneOf({}, settings) {}

  storage::PartitionKey ThreadOfT() {
    return threads::ThreadPartition(tenant, *protocol::ThreadId::FromText(core.names.IdOf("T")));
  }
  // Ann, a supporter, reads T.
  void Look(std::string_view op) {
    threads::Caller ann;
    ann.tenant = tenant;
    ann.user = protocol::UserId{"ann"};
    ann.role = threads::Role::kSupport;
    threads::Job job;
    job.tenant = tenant;
    job.thread = *protocol::ThreadId::FromText(core.names.IdOf("T"));
    job.decide = [ann, thread = *job.thread, op](threads::Transaction& tx) {
      return threads::RecordAccess(tx, ann, thread, op);
    };
    job.done = [](threads::Answer answer) { EXPECT_TRUE(answer.ok()); };
    core.executor->Submit(std::move(job));
    core.Step();
  }
  // An act that the item writer decides itself.
  void RecordOwn(std::string action) {
    const auto done = Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) -> protocol::Status {
      accounts::AuditAct act;
      act.actor_role = "admin";
      act.action = action;
      PARLEY_CHECK_OK(RecordAct(tx, std::move(act)));
      return tx.Commit();
    });
    EXPECT_TRUE(done.ok());
  }
  std::vector<protocol::ChainEntry> Entries() {
    std::vector<protocol::ChainEntry> out;
    const auto status = core.table->Scan(
        accounts::AuditPartition(tenant), storage::SortRange::All(), storage::Direction::kForward, SIZE_MAX,
        [&](std::string_view sort, storage::RowView row) {
          uint64_t seq = 0;
          if (!accounts::ParseAuditEntryKey(sort, &seq)) return true;
          EXPECT_TRUE(accounts::DecodeChainEntry(row.payload, &out.emplace_back()));
          return true;
        });
    EXPECT_TRUE(status.ok());
    return out;
  }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort,
             std::optional<storage::Row> row) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back({sort, std::move(row)});
    std::vector<storage::CommitResult> results;
    EXPECT_TRUE(core.table->Commit({&request, 1}, &results).ok());
  }
  // The faults that verify finds in the audit.
  std::vector<std::string> Verify() {
    std::vector<std::string> out;
    const auto proof = facts::MakeAuditFacts();
    EXPECT_TRUE(proof->ReadPlace(*core.table).ok());
    const auto snapshot = core.table->NewSnapshot();
    const std::function<void(const std::string&)> differs = [&](const std::string& what) {
      out.push_back(what);
    };
    const fanout::VerifyInput input{*core.table, *snapshot, differs};
    std::set<fanout::ThreadName> pending;
    EXPECT_TRUE(proof->FindPending(input, &pending).ok());
    fanout::ThreadFacts facts;
    facts.tenant = tenant;
    facts.thread = *protocol::ThreadId::FromText(core.names.IdOf("T"));
    EXPECT_TRUE(snapshot
                    ->Scan(ThreadOfT(), storage::SortRange::All(), storage::Direction::kForward, SIZE_MAX,
                           [&](std::string_view sort, storage::RowView row) {
                             fanout::AddRow(std::string(sort), row.payload, &facts);
                             return true;
                           })
                    .ok());
    proof->OnThread(input, facts);
    fanout::VerifyReport report;
    EXPECT_TRUE(proof->CheckRows(input, &report).ok());
    return out;
  }
};

}  // namespace parley::features
