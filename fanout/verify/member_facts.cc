#include "fanout/verify/member_facts.h"

#include <algorithm>

#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

using Differs = std::function<void(const std::string&)>;

std::vector<const RawItem*> Present(const ThreadFacts& facts) {
  std::vector<const RawItem*> out;
  for (const RawItem* member : facts.participants) {
    if (member->IsNull("removedAt")) out.push_back(member);
  }
  return out;
}

size_t TabsOf(const ThreadFacts& facts) {
  return static_cast<size_t>(std::count_if(facts.items.begin(), facts.items.end(), [](const auto& item) {
    return item.first[0] == static_cast<char>(storage::ThreadTag::kTab);
  }));
}

void CheckSides(const ThreadFacts& facts, const std::string& kind, const Differs& differs) {
  const bool sides = kind == "inquiry" || kind == "project";
  for (const char* field : {"buyerUserId", "sellerUserId"}) {
    if (facts.head->IsNull(field) == sides) differs(std::string(field) + " does not fit the kind " + kind);
  }
  if (sides) return;
  for (const char* field : {"lbgId", "legId", "meetingAt"}) {
    if (!facts.head->IsNull(field)) differs(std::string(field) + " does not fit the kind " + kind);
  }
  for (const RawItem* member : facts.participants) {
    const std::string role = member->Text("roleContext");
    if (role == "buyer" || role == "seller")
      differs(member->Text("userId") + " is " + role + " in a " + kind);
  }
}

void CheckKind(const ThreadFacts& facts, const std::vector<const RawItem*>& present, const Differs& differs) {
  const std::string kind = facts.head->Text("kind");
  CheckSides(facts, kind, differs);
  // A case opens its card in a thread of any kind.
  const bool own = std::any_of(facts.cards.begin(), facts.cards.end(),
                               [](const RawItem* card) { return card->HiddenText("ofCase").empty(); });
  if (kind != "project" && own) differs("has cards, but is of the kind " + kind);
  const size_t tabs = TabsOf(facts), allowed = kind == "inquiry" ? 1 : 0;
  if (kind != "project" && tabs > allowed) differs("has tabs, but is of the kind " + kind);
  if (kind == "direct" && (present.size() != 2 || facts.participants.size() != 2))
    differs("is a direct thread with " + std::to_string(present.size()) + " members");
  const bool owned = std::any_of(present.begin(), present.end(),
                                 [](const RawItem* member) { return member->Text("permission") == "owner"; });
  if (kind == "group" && !present.empty() && !owned) differs("is a group without an owner");
  if (kind == "direct" && owned) differs("is a direct thread with an owner");
}

// Returns true if a block between the two parties applies: not in groups, and not while a booking is live.
// The booking of a project bound by a service is live from the start.
bool DoBlocksHold(const RawItem& head, const std::string& kind) {
  if (kind != "project") return kind != "group";
  const std::string booking = head.HiddenText("booking");
  const bool bound = !head.HiddenFlag("unbound") && (!head.IsNull("lbgId") || !head.IsNull("legId"));
  return booking.empty() ? !bound : booking == "closed";
}

void CheckBlocks(const ThreadFacts& facts, const std::vector<const RawItem*>& present,
                 const Differs& differs) {
  const RawItem& head = *facts.head;
  const std::string kind = head.Text("kind");
  if (kind != "project" && !head.HiddenText("booking").empty())
    differs("has a booking, but is of the kind " + kind);
  const bool holds = DoBlocksHold(head, kind);
  for (const RawItem* member : present) {
    if (member->HiddenText("blockedUntil").empty()) continue;
    const std::string user = member->Text("userId");
    const bool party =
        kind == "direct" || user == head.Text("buyerUserId") || user == head.Text("sellerUserId");
    if (!holds || !party) differs(user + " is shown a block that does not apply");
  }
}

}  // namespace

void CheckMembers(const ThreadFacts& facts, const Differs& differs) {
  const std::vector<const RawItem*> members = Present(facts);
  std::vector<std::string> present;
  present.reserve(members.size());
  for (const RawItem* member : members) present.push_back(member->Text("userId"));
  if (facts.head->Number("participantCount") != static_cast<int64_t>(present.size())) {
    differs("participantCount is " + std::to_string(facts.head->Number("participantCount")) +
            ", but there are " + std::to_string(present.size()) + " members");
  }
  if (present.size() > protocol::kListedParticipants) present.resize(protocol::kListedParticipants);
  std::vector<std::string> listed;
  if (const protocol::Value* value = facts.head->wire.root.Find("participants"); value && value->as_array()) {
    for (const protocol::Value& user : *value->as_array())
      listed.emplace_back(user.as_text() ? *user.as_text() : "");
  }
  if (listed != present) differs("participants[] does not list the first members");
  CheckKind(facts, members, differs);
  CheckBlocks(facts, members, differs);
}

void CheckDirectRow(const storage::Reader& reader, const ThreadFacts& facts, const Differs& differs) {
  if (facts.head->Text("kind") != "direct" || facts.participants.size() != 2) return;
  const auto user = [&](size_t which) {
    return protocol::UserId{protocol::KeyText::UpToNul(facts.participants[which]->Text("userId"))};
  };
  std::optional<storage::Row> row;
  threads::ReservationRow leads;
  const auto status =
      reader.Get(threads::UserPartition(facts.tenant, user(0)), threads::DirectKey(user(1)), &row);
  if (!status.ok() || !row || !threads::DecodeReservation(row->payload, &leads)) {
    differs(facts.name() + ": the DIRECT# row of its two members is missing");
  } else if (leads.thread != facts.thread) {
    differs(facts.name() + ": its two members have another direct thread: " + leads.thread.ToText());
  }
}

}  // namespace parley::fanout
