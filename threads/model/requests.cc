#include "threads/model/requests.h"

#include <algorithm>

#include "protocol/base/clusters.h"
#include "threads/model/preview.h"

namespace parley::threads {

using protocol::RequestState;

namespace {

bool IsWaiting(const RequestRow& request) {
  return request.state == RequestState::kPending;
}

}  // namespace

std::optional<UserId> GatedIn(const ThreadRow& head) {
  const auto& request = head.hidden.request.value;
  if (!request || request->state == RequestState::kAccepted) return std::nullopt;
  return request->to;
}

bool IsGated(const ThreadRow& head, const UserId& user) {
  return GatedIn(head) == user || InvitedIn(head, user) != nullptr;
}

const std::vector<RequestRow>& InvitedTo(const ThreadRow& head) {
  static const std::vector<RequestRow> kNone;
  const auto& invited = head.hidden.invited.value;
  return invited ? invited->items : kNone;
}

const RequestRow* InvitedIn(const ThreadRow& head, const UserId& user) {
  for (const RequestRow& request : InvitedTo(head)) {
    if (request.to == user) return &request;
  }
  return nullptr;
}

size_t CountWaiting(const ThreadRow& head) {
  const auto& invited = InvitedTo(head);
  return static_cast<size_t>(std::count_if(invited.begin(), invited.end(), IsWaiting));
}

void AddInvited(ThreadRow* head, RequestRow request) {
  auto& invited = head->hidden.invited.value;
  if (!invited) invited.emplace();
  auto& items = invited->items;
  if (items.size() == kMaxInvited) items.erase(std::find_if_not(items.begin(), items.end(), IsWaiting));
  items.push_back(std::move(request));
}

void AnswerInvited(ThreadRow* head, const UserId& user, RequestState answer) {
  for (RequestRow& request : head->hidden.invited.value->items) {
    if (request.to == user) request.state = answer;
  }
}

void TakeInvited(ThreadRow* head, const UserId& user) {
  auto& invited = head->hidden.invited.value;
  if (!invited) return;
  std::erase_if(invited->items, [&](const RequestRow& request) { return request.to == user; });
  if (invited->items.empty()) invited.reset();
}

ParticipantRow RowOfInvited(const ThreadRow& head, const RequestRow& request) {
  ParticipantRow row;
  row.item.user_id = request.to;
  row.item.joined_at = request.created_at;
  row.hidden.join_no = head.item.last_msg_no;
  return row;
}

bool IsListed(const ThreadRow& head, const UserId& user) {
  return GatedIn(head) != user || head.hidden.request.value->state != RequestState::kExpired;
}

protocol::MessageRequest ShownRequest(const RequestRow& request, const UserId& user) {
  protocol::MessageRequest out;
  out.request_id = request.request_id;
  out.from_user_id = request.from;
  out.state = request.state;
  if (request.state == RequestState::kBlocked && user != request.to) out.state = RequestState::kDeclined;
  out.created_at = request.created_at;
  out.expires_at = request.expires_at;
  out.credit_cost = request.credit_cost;
  out.contact = request.contact;
  return out;
}

std::optional<protocol::MessageRequest> RequestSeenBy(const ThreadRow& head, const UserId& user) {
  if (const RequestRow* invited = InvitedIn(head, user)) return ShownRequest(*invited, user);
  const auto& request = head.hidden.request.value;
  if (!request || (user != request->from && user != request->to)) return std::nullopt;
  return ShownRequest(*request, user);
}

RequestState StateAt(const RequestRow& request, Time now) {
  return IsWaiting(request) && request.expires_at <= now ? RequestState::kExpired : request.state;
}

bool CameToNothing(const ThreadRow& head, Time now) {
  const auto& request = head.hidden.request.value;
  if (!request) return false;
  const RequestState state = StateAt(*request, now);
  return state != RequestState::kPending && state != RequestState::kAccepted;
}

std::optional<Time> RequestDue(const ThreadRow& head) {
  std::optional<Time> due;
  const auto& request = head.hidden.request.value;
  if (request && request->state == RequestState::kPending) due = request->expires_at;
  for (const RequestRow& invited : InvitedTo(head)) {
    if (IsWaiting(invited)) due = due ? std::min(*due, invited.expires_at) : invited.expires_at;
  }
  return due;
}

std::string ShownWhilePending(const ThreadRow& head, const RequestRow& request, const std::string& text) {
  const auto most = static_cast<size_t>(request.preview_max);
  if (head.hidden.preview_rule.value.value_or(0) >= kCodePointsRule)
    return std::string(protocol::FirstCodePoints(text, most));
  // Count the code points of rows from older versions as those versions did.
  size_t at = 0;
  for (size_t points = 0; at < text.size(); ++at) {
    const bool starts = (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    if (starts && ++points > most) break;
  }
  return text.substr(0, at);
}

}  // namespace parley::threads
