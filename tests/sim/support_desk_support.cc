#include "tests/sim/support_desk_support.h"

#include <algorithm>

#include "gateway/ops/router.h"
#include "threads/cards/machine.h"

namespace parley::sim {
namespace {

using threads::ErrorCode;

const protocol::TenantId kTenant{protocol::KeyText::UpToNul(accounts::kDemoTenant)};

// The intents of support, written down a second time on purpose.
std::vector<std::string> IntentsOf(const std::string& type, const std::string& state) {
  if (state == "ESCALATED") return {"resolve"};
  if (type == "DEPOSIT_CLAIM_OPEN" && state == "PENDING") return {"approve", "deny"};
  if (type == "SAFETY" && state == "OPEN") return {"resolve", "escalate"};
  return {};
}

// The case is over, the card moved on, or the server rejects writes: no promise was broken.
bool MayRefuse(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kThreadNotMember ||
         code == ErrorCode::kVersionConflict || code == ErrorCode::kActionInvalidState ||
         code == ErrorCode::kCardExpired;
}

int64_t NumberIn(const protocol::Value& map, std::string_view field) {
  const protocol::Value* value = map.Find(field);
  return value && value->as_int() ? *value->as_int() : -1;
}

}  // namespace

threads::Caller SupportDesk::Self() const {
  threads::Caller caller{kTenant, protocol::UserId{"usr_support"}, threads::Role::kSupport};
  caller.by_case = by_case_;
  return caller;
}

std::vector<SupportDesk::Case> SupportDesk::Cases(Process& process) {
  std::vector<Case> out;
  const storage::Snapshot snapshot = process.table().NewSnapshot();
  const threads::RowReader rows(*snapshot, kTenant);
  const auto look = [&](const storage::PartitionKey& partition, const storage::SortKey& sort,
                        storage::RowView row) {
    threads::ThreadRow head;
    if (sort != threads::ThreadKey() || !threads::DecodeItem(row.payload, &head)) return true;
    const auto thread = threads::ThreadOfPartition(partition);
    for (const threads::OpenCard& open : threads::OpenCardsOf(head)) {
      const auto intents = IntentsOf(open.type.value, open.state.value);
      if (open.awaiting || intents.empty()) continue;
      const auto card = rows.Card(*thread, open.message_id);
      if (card.ok() && *card)
        out.push_back({thread->ToText(), open.message_id.ToText(), (*card)->item.version, intents});
    }
    return true;
  };
  if (!snapshot->ScanAll(storage::TableTag::kThreads, look).ok())
    complaints_->push_back("support reads nothing");
  return out;
}

void SupportDesk::Work(Process& process, bool all) {
  for (const size_t which : std::exchange(unanswered_, {})) Press(process, which);
  for (const Case& one : Cases(process)) {
    if (!all && (*random_)() % 2 == 0) continue;
    if (!all && (*random_)() % 4 != 0) Look(process, one.thread);
    const std::string& intent = all ? one.intents.front() : one.intents[(*random_)() % one.intents.size()];
    acts_.push_back({one.thread, one.message, intent, "support-" + std::to_string(acts_.size()), one.version,
                     false, "", 0});
    Press(process, acts_.size() - 1);
  }
}

void SupportDesk::Press(Process& process, size_t which) {
  unanswered_.push_back(which);
  const Act& act = acts_[which];
  protocol::Writer w;
  w.BeginMap(6);
  for (const auto& [name, text] : {std::pair<const char*, std::string>{"threadId", act.thread},
                                   {"messageId", act.message},
                                   {"intent", act.intent},
                                   {"clientId", act.client_id},
                                   {"reason", "as the rules say"}}) {
    w.Text(name);
    w.Text(text);
  }
  w.Text("version");
  w.Int(act.version);
  protocol::Document args;
  if (protocol::DecodeMsgpack(w.bytes(), {}, &args)) return complaints_->push_back("args of ours are bad");
  gateway::Route(
      process.node().io(), "card.act", Self(), args.root, [this, which](const gateway::Answer& answer) {
        std::erase(unanswered_, which);
        Act& target = acts_[which];
        if (!answer.ok()) {
          if (answer.error().code == ErrorCode::kUnavailable) unanswered_.push_back(which);
          if (!MayRefuse(answer.error().code))
            complaints_->push_back("support, card.act " + target.intent + ": " + answer.error().message);
          return;
        }
        protocol::Document reply;
        if (protocol::DecodeMsgpack(*answer, {}, &reply))
          return complaints_->push_back("a reply of card.act is bad");
        const protocol::Value& card = *reply.root.Find("card");
        target.acknowledged = true;
        target.state = *card.Find("state")->as_text();
        target.to_version = NumberIn(card, "version");
      });
}

void SupportDesk::Look(Process& process, const std::string& thread) {
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("threadId");
  w.Text(thread);
  protocol::Document args;
  if (protocol::DecodeMsgpack(w.bytes(), {}, &args)) return complaints_->push_back("args of ours are bad");
  gateway::Route(process.node().io(), "thread.audit", Self(), args.root,
                 [this, thread](const gateway::Answer& answer) {
                   if (answer.ok()) {
                     ++looks_[thread];
                   } else if (!MayRefuse(answer.error().code)) {
                     complaints_->push_back("support, thread.audit: " + answer.error().message);
                   }
                 });
}

}  // namespace parley::sim
