#include "features/requests/request_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "fanout/verify/entry_facts.h"
#include "protocol/base/varint.h"
#include "threads/model/rows.h"

namespace parley::features::facts {
namespace {

using fanout::InvitationText;
using fanout::RawItem;
using fanout::RequestIn;
using fanout::ThreadFacts;
using protocol::TenantId;
using protocol::UserId;

UserId UserOf(const std::string& text) {
  return {protocol::KeyText::UpToNul(text)};
}

// Returns the months since January 1970, from a time such as: "2025-11-05T…".
int64_t MonthIn(const std::string& time) {
  if (time.size() < 7) return -1;
  return (std::stoll(time.substr(0, 4)) - 1970) * 12 + std::stoll(time.substr(5, 2)) - 1;
}

std::string WhereOf(const storage::PartitionKey& partition, const std::string& sort) {
  return partition.bytes() + '\0' + sort;
}

std::string WhoseOf(const storage::PartitionKey& partition) {
  return std::string(partition.tenant()) + " " +
         std::string(partition.id().substr(0, partition.id().size() - 1));
}

class RequestCheck {
 public:
  using Differs = std::function<void(const std::string&)>;
  RequestCheck(const storage::Reader& snapshot, Differs differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // Call once for each thread.
  void Expect(const ThreadFacts& facts);
  // Checks the ledgers, and reports rows that no thread needs. Call after all threads.
  storage::Status CheckRows();

 private:
  void ExpectContact(const ThreadFacts& facts);
  void ExpectFound(const ThreadFacts& facts);
  void ExpectBinding(const ThreadFacts& facts);
  void ExpectInvited(const ThreadFacts& facts);
  void CheckContact(const storage::PartitionKey& partition, const protocol::UserId& other,
                    const protocol::ThreadId& thread, const storage::RowView& row);
  void CheckMember(const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                   const protocol::UserId& user);
  void CheckLead(const storage::PartitionKey& partition, const storage::SortKey& sort,
                 const storage::RowView& row);

  const storage::Reader& snapshot_;
  const Differs differs_;
  std::map<std::string, std::string> contacts_;  // state of the CONTACT# rows that threads need, by key
  std::set<std::string> found_;                  // keys of the REQUEST# rows that threads need
  std::set<std::string> open_;                   // threads to which users may be invited
  std::set<std::string> swept_;                  // threads that may have lost rows of former members
  std::map<std::string, std::map<int64_t, int64_t>> costs_;  // by user and month
};

// A conversation with a stranger who does not want requests has none; its row counts as accepted.
void RequestCheck::ExpectContact(const ThreadFacts& facts) {
  const std::string creator = facts.head->HiddenText("creator");
  std::string from = RequestIn(*facts.head, "from"), to = RequestIn(*facts.head, "to");
  const bool asked = !to.empty();
  if (!asked) {
    from = creator;
    for (const RawItem* member : facts.participants) {
      const std::string user = member->Text("userId");
      const bool party = facts.head->Text("kind") == "direct" || user == facts.head->Text("buyerUserId") ||
                         user == facts.head->Text("sellerUserId");
      if (party && user != creator) to = user;
    }
  }
  const auto partition = threads::UserPartition(facts.tenant, UserOf(std::min(from, to)));
  const auto sort = threads::ContactKey(UserOf(std::max(from, to)), facts.thread);
  std::optional<storage::Row> row;
  threads::ContactRow contact;
  if (!snapshot_.Get(partition, sort, &row).ok() || !row || !threads::DecodeStored(row->payload, &contact)) {
    return differs_(facts.name() + ": its pair has no CONTACT# row");
  }
  const std::string state = asked ? RequestIn(*facts.head, "state") : "accepted";
  if (contact.from != UserOf(from) || protocol::NameOf(contact.state) != state)
    differs_(facts.name() + ": its pair has a CONTACT# row that differs from its request");
  contacts_[WhereOf(partition, sort.bytes())] = state;
}

void RequestCheck::ExpectFound(const ThreadFacts& facts) {
  const auto id = protocol::RequestId::FromText(RequestIn(*facts.head, "requestId"));
  std::optional<storage::Row> row;
  threads::ReservationRow leads;
  const auto partition = threads::UserPartition(facts.tenant, UserOf(RequestIn(*facts.head, "to")));
  if (id) found_.insert(WhereOf(partition, threads::RequestKey(*id).bytes()));
  if (!id || !snapshot_.Get(partition, threads::RequestKey(*id), &row).ok() || !row ||
      !threads::DecodeReservation(row->payload, &leads) || leads.thread != facts.thread)
    differs_(facts.name() + ": its request cannot be found by its id");
}

void RequestCheck::ExpectBinding(const ThreadFacts& facts) {
  const bool project = facts.head->Text("kind") == "project", unbound = facts.head->HiddenFlag("unbound");
  if (unbound && !project) differs_(facts.name() + ": waits for a booking, but is not a project");
  if (unbound && facts.head->HiddenText("creator").empty())
    differs_(facts.name() + ": a service created the project, but it is not a booking");
  const bool open = !RequestIn(*facts.head, "to").empty() && RequestIn(*facts.head, "state") != "accepted";
  if (project && !unbound && open)
    differs_(facts.name() + ": is a booking, but its request was not accepted");
}

// Expects a CONTACT# row for each user who was invited to the thread.
void RequestCheck::ExpectInvited(const ThreadFacts& facts) {
  for (const std::string& to : AllInvited(*facts.head)) {
    const std::string from = InvitationText(*facts.head, to, "from");
    const auto partition = threads::UserPartition(facts.tenant, UserOf(std::min(from, to)));
    const auto sort = threads::ContactKey(UserOf(std::max(from, to)), facts.thread);
    std::optional<storage::Row> row;
    threads::ContactRow contact;
    const bool found = snapshot_.Get(partition, sort, &row).ok() && row &&
                       threads::DecodeStored(row->payload, &contact) && contact.from == UserOf(from) &&
                       protocol::NameOf(contact.state) == InvitationText(*facts.head, to, "state");
    if (!found)
      differs_(facts.name() + ": the CONTACT# row for the invitation of " + to + " is missing or differs");
  }
}

void RequestCheck::Expect(const ThreadFacts& facts) {
  ExpectBinding(facts);
  ExpectInvited(facts);
  if (facts.head->HiddenNumber("logSwept").value_or(0) > 0) swept_.insert(facts.name());
  if (!RequestIn(*facts.head, "to").empty()) ExpectFound(facts);
  // Users can join these, and each of them may have a CONTACT# row.
  const std::string kind = facts.head->Text("kind");
  if (kind == "group" || kind == "inquiry" || kind == "project") open_.insert(facts.name());
  const auto cost = facts.head->HiddenNumber("startCost");
  if (!cost) return;
  ExpectContact(facts);
  if (*cost > 0) {
    costs_[facts.tenant.ToText() + " " + facts.head->HiddenText("creator")]
          [MonthIn(facts.head->Text("createdAt"))] += *cost;
  }
}

// A REQUEST# row must lead to a request of its thread. A direct thread has only its latest.
void RequestCheck::CheckLead(const storage::PartitionKey& partition, const storage::SortKey& sort,
                             const storage::RowView& row) {
  if (sort.bytes().front() != static_cast<char>(storage::UserTag::kRequest)) return;
  threads::ReservationRow leads;
  if (!threads::DecodeReservation(row.payload, &leads)) {
    return differs_(WhoseOf(partition) + ": a REQUEST# row cannot be read");
  }
  const std::string thread = leads.thread.ToText();
  if (!found_.contains(WhereOf(partition, sort.bytes())) &&
      !open_.contains(std::string(partition.tenant()) + " " + thread))
    differs_(WhoseOf(partition) + ": an extra REQUEST# row for " + thread);
}

// Checks a CONTACT# row that no head needs: one of the pair must have joined the thread.
void RequestCheck::CheckContact(const storage::PartitionKey& partition, const UserId& other,
                                const protocol::ThreadId& thread, const storage::RowView& row) {
  const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
  const std::string name = tenant.ToText() + " " + thread.ToText();
  threads::ContactRow contact;
  if (!open_.contains(name))
    return differs_(WhoseOf(partition) + ": an extra CONTACT# row for " + thread.ToText());
  if (!threads::DecodeStored(row.payload, &contact))
    return differs_(WhoseOf(partition) + ": a CONTACT# row for " + thread.ToText() + " cannot be read");
  if (contact.state != protocol::RequestState::kAccepted) return;
  const UserId lower = UserOf(std::string(partition.id().substr(0, partition.id().size() - 1)));
  const UserId& asked = contact.from == other ? lower : other;
  CheckMember(tenant, thread, asked);
}

void RequestCheck::CheckMember(const TenantId& tenant, const protocol::ThreadId& thread, const UserId& user) {
  const std::string name = tenant.ToText() + " " + thread.ToText();
  std::optional<storage::Row> row;
  const auto partition = threads::ThreadPartition(tenant, thread);
  if (swept_.contains(name)) return;
  if (!snapshot_.Get(partition, threads::ParticipantKey(user), &row).ok() || !row)
    differs_(name + ": " + user.ToText() + " has a CONTACT# row for having joined, but was never a member");
}

storage::Status RequestCheck::CheckRows() {
  std::map<std::string, bool> has_ledger;
  auto status = snapshot_.ScanAll(
      storage::TableTag::kUsers,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        UserId other;
        protocol::ThreadId thread;
        if (threads::ParseContactKey(sort.bytes(), &other, &thread) &&
            !contacts_.contains(WhereOf(partition, sort.bytes())))
          CheckContact(partition, other, thread, row);
        CheckLead(partition, sort, row);
        if (sort.bytes().front() != static_cast<char>(storage::UserTag::kCredits)) return true;
        std::string_view rest = row.payload;
        uint64_t month = 0, spent = 0;
        has_ledger[WhoseOf(partition)] = true;
        if (!protocol::TakeVarint(&rest, &month) || !protocol::TakeVarint(&rest, &spent) || !rest.empty()) {
          differs_(WhoseOf(partition) + ": the ledger of credits cannot be read");
        } else if (const int64_t cost = costs_[WhoseOf(partition)][static_cast<int64_t>(month)];
                   cost != static_cast<int64_t>(spent)) {
          differs_(WhoseOf(partition) + ": the ledger has " + std::to_string(spent) +
                   " credits spent, but conversations cost " + std::to_string(cost));
        } else if (costs_[WhoseOf(partition)].rbegin()->first > static_cast<int64_t>(month)) {
          differs_(WhoseOf(partition) + ": the ledger is older than the last cost");
        }
        return true;
      });
  for (const auto& [whose, costs] : costs_) {
    if (!has_ledger.contains(whose)) differs_(whose + ": credits were spent, but there is no ledger");
  }
  return status;
}

class RequestFacts final : public fanout::Facts {
 public:
  void OnThread(const fanout::VerifyInput& input, const ThreadFacts& facts) override {
    if (facts.head) CheckOf(input).Expect(facts);
  }
  storage::Status CheckRows(const fanout::VerifyInput& input, fanout::VerifyReport*) override {
    return CheckOf(input).CheckRows();
  }

 private:
  RequestCheck& CheckOf(const fanout::VerifyInput& input) {
    return check_ ? *check_ : check_.emplace(input.snapshot, input.differs);
  }

  std::optional<RequestCheck> check_;
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeRequestFacts() {
  return std::make_unique<RequestFacts>();
}

}  // namespace parley::features::facts
