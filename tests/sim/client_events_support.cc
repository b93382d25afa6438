// The events that a device receives, and the checks on them.
#include <algorithm>

#include "tests/protocol/filled_support.h"
#include "tests/sim/client_support.h"

namespace parley::sim {

using protocol::Value;

namespace {

// The name of an item among the items of a thread.
std::string ItemName(const std::string& ev, const Value& item) {
  if (ev.starts_with("message.")) return Text(item, "messageId");
  if (ev.starts_with("card.")) return "card " + Text(item, "messageId");
  if (ev.starts_with("participant.")) return "participant " + Text(item, "userId");
  if (ev.starts_with("tab.")) return "tab " + Text(item, "tab");
  return ev == "skip" ? ev : "thread";
}

}  // namespace

void Client::OnEvent(const Value& event) {
  const std::string ev = Text(event, "ev");
  if (!ready_) Complain(ev + " before the reply to hello");
  if (ev == "thread.synced") return OnSynced(event);
  if (ev == "participant.read") return OnReceipt(event);
  if (ev == "inbox.updated") return OnEntry(*event.Find("entry"), false);
  if (ev == "typing" || ev == "presence") return OnOpenersEvent(event, ev);
  if (event.Find("seq")) OnShared(event, ev);
}

void Client::OnSynced(const Value& event) {
  const std::string thread = Text(event, "threadId");
  const auto found = held_.find(thread);
  if (found == held_.end()) return Complain("thread.synced of a thread that was not resumed");
  Held& held = found->second;
  if (!held.catching_up) Complain("thread.synced twice");
  if (Number(event, "seq") < held.seq) Complain("thread.synced below a received event");
  held.seq = Number(event, "seq");
  held.catching_up = false;
  CheckOutcomes(held);
}

bool Client::BackIn(const std::string& thread) const {
  return evidence_->witness.MemberAbove(thread, user(), left_.at(thread).seq);
}

void Client::OnShared(const Value& event, const std::string& ev) {
  const std::string thread = Text(event, "threadId");
  const int64_t seq = Number(event, "seq");
  static const Value kHidden{protocol::Map{}};
  const Value* shown = event.Find("item");
  if (!shown && ev != "skip") return Complain(ev + " without an item");
  const Value& item = shown ? *shown : kHidden;  // not visible to this user
  const std::string where = thread + " seq " + std::to_string(seq) + " " + ev;
  const bool mine = ev.starts_with("participant.") && Text(item, "userId") == user();
  bool back_in = false;  // to a thread that this session still receives in full
  if (const auto left = left_.find(thread); left != left_.end()) {
    // On the connection that reported the removal, the next event of the thread must be the user's return, if
    // the return is reported at all. On a later connection, the user may have returned before, or earlier
    // events may still be under way.
    const bool strict = left->second.on_this_line && !open_only_;
    const bool before = seq <= left->second.seq && !(left->second.reported && left->second.on_this_line);
    if (!before && (strict ? !mine || ev == "participant.removed" : !BackIn(thread)))
      Complain(where + ": sent to a user who had left at seq " + std::to_string(left->second.seq));
    back_in = left->second.in_full;
    left_.erase(left);
  }
  const bool known = held_.contains(thread);
  const bool ends = mine && ev == "participant.removed";
  if (open_only_ && !known && !(back_in && mine)) {
    if (!ends) Complain(where + ": an event of a thread that was not opened");
    if (ends) Leave(thread, seq);
    return;
  }
  Held& held = held_[thread];
  if (!known) {
    held.since = seq - 1;
    held.seq = seq - 1;
  }
  if (held.catching_up ? seq <= held.seq : seq != held.seq + 1) {
    Complain(where + ": sent after " + std::to_string(held.seq) + (held.catching_up ? ", catching up" : ""));
  }
  if (shown && Number(item, "seq") != seq)
    Complain(where + ": the item says seq " + std::to_string(Number(item, "seq")));
  held.seq = seq;
  if (compact() && shown) CheckFilled(thread, ev, item);
  Hold(held, ev, item, where);
  if (ends) Leave(thread, seq);
}

void Client::Leave(const std::string& thread, int64_t seq) {
  left_[thread] = {seq, true, opened_.erase(thread) > 0, held_.erase(thread) > 0, true};
  entries_.erase(thread);
}

// A safety report is visible only to its creator and staff: no other device may receive the card, its
// message, or messages that follow from it.
void Client::CheckSecrecy(Held& held, const Value& item, const std::string& where) {
  const Value* action = item.Find("action");
  const bool shows = action && action->as_map() && Text(*action, "type") == "SAFETY";
  const bool card = item.Find("createdBy") && Text(item, "type") == "SAFETY";
  if ((card && Text(item, "createdBy") != user()) || (shows && Text(item, "authorUserId") != user()))
    Complain(where + ": another user's safety report");
  const Value* replied = item.Find("replyTo");
  const bool outcome = item.Find("type") && Text(item, "type") == "system" && replied && replied->as_text() &&
                       Text(item, "body").starts_with("Safety report");
  if (outcome && held.since == 0) held.outcomes.emplace_back(where, Text(item, "replyTo"));
  if (!held.catching_up) CheckOutcomes(held);
}

void Client::CheckOutcomes(Held& held) {
  for (const auto& [where, report] : held.outcomes) {
    if (!held.cards.contains(report)) Complain(where + ": the outcome of another user's safety report");
  }
  held.outcomes.clear();
}

// Once filled in, an item equals its row, unless the row changed since. Threads and members change without a
// seq, and so do messages that follow a card; skip those.
void Client::CheckFilled(const std::string& thread, const std::string& ev, const Value& item) {
  const auto rows = evidence_->witness.threads().find(thread);
  if (rows == evidence_->witness.threads().end() || !ev.starts_with("message.")) return;
  for (const fanout::RawItem* stored : rows->second.facts.messages) {
    if (stored->Text("messageId") != Text(item, "messageId") || stored->Number("seq") != Number(item, "seq"))
      continue;
    const Value* action = item.Find("action");
    if (action && action->as_map()) continue;
    ++evidence_->filled;
    const std::string filled = tests::Sorted(item), row = tests::Sorted(stored->wire.root);
    if (filled != row) Complain(thread + " " + ev + ": filled in it is " + filled + ", its row is " + row);
  }
}

void Client::Hold(Held& held, const std::string& ev, const Value& item, const std::string& where) {
  if (ev != "skip") CheckSecrecy(held, item, where);
  const std::string name = ItemName(ev, item);
  const bool created = ev.ends_with(".created") || ev.ends_with(".added");
  if (created && held.items.contains(name) && !ev.starts_with("participant."))
    Complain(where + ": came into being twice");
  if (ev == "message.updated" && held.since == 0 && !held.interrupted && !held.items.contains(name))
    Complain(where + ": updated before it was created");
  held.items[ev == "skip" ? name + ' ' + std::to_string(held.seq) : name] = held.seq;
  if (ev.starts_with("message.")) {
    held.bodies[name] = Text(item, "body");
    evidence_->bodies.Delivered(item);
  }
  if (ev == "tab.updated") OnTab(held, item, where);
  if (ev == "card.updated") {
    HeldCard& card = held.cards[Text(item, "messageId")];
    if (Number(item, "version") < card.version) Complain(where + ": the card's version went back");
    card = {Text(item, "type"), Text(item, "state"), Number(item, "version")};
  }
  if (ev == "participant.removed") {
    held.left.insert(Text(item, "userId"));
    held.reads.erase(Text(item, "userId"));
  }
  if (ev == "participant.added") held.left.erase(Text(item, "userId"));
}

// Live, the versions of a tab and of the whole panel rise by one.
void Client::OnTab(Held& held, const Value& item, const std::string& where) {
  const int64_t version = Number(item, "version"), panel = Number(item, "panelVersion");
  int64_t& known = held.tabs[Text(item, "tab")];
  const bool live = held.since == 0 && !held.catching_up;
  if (live && version != known + 1)
    Complain(where + ": version " + std::to_string(version) + " after " + std::to_string(known));
  if (live ? panel != held.panel_version + 1 : panel <= held.panel_version)
    Complain(where + ": the panel's version " + std::to_string(panel) + " after " +
             std::to_string(held.panel_version));
  known = version;
  held.panel_version = panel;
}

// The read position of another user: a member, whose cursor never moves back, and an existing message.
void Client::OnReceipt(const Value& event) {
  const std::string thread = Text(event, "threadId"), reader = Text(event, "userId");
  const std::string message = Text(event, "lastReadMsgId");
  const std::string where = thread + ": " + reader + " has read " + message;
  ++evidence_->receipts;
  if (left_.contains(thread) && (left_.at(thread).on_this_line || !BackIn(thread)))
    Complain(where + ", sent to a user who had left");
  const auto& threads = evidence_->witness.threads();
  const auto rows = threads.find(thread);
  if (rows == threads.end() || !evidence_->witness.EverMember(thread, reader))
    return Complain(where + ", who is no member");
  bool there = message.empty();
  for (const fanout::RawItem* stored : rows->second.facts.messages)
    there |= stored->Text("messageId") == message;
  if (!there) Complain(where + ", which is not there");
  const auto held = held_.find(thread);
  if (held == held_.end()) {
    if (open_only_ && !left_.contains(thread)) Complain(where + ", of a thread that was not opened");
    return;
  }
  if (held->second.catching_up) return;  // a user who returned in the meantime is reported later
  if (held->second.left.contains(reader)) Complain(where + ", after their removal was reported");
  std::string& before = held->second.reads[reader];
  if (message < before) Complain(where + ", after " + before);
  before = message;
}

// An entry matches the rows at some moment, and not at an earlier one than the last entry.
void Client::OnEntry(const Value& entry, bool listed) {
  const std::string thread = Text(entry, "threadId");
  const std::string where = std::string(listed ? "inbox.list" : "inbox.updated") + " of " + thread +
                            " as of seq " + std::to_string(Number(entry, "lastSeq"));
  if (const auto left = left_.find(thread); left != left_.end()) {
    if (Number(entry, "lastSeq") <= left->second.seq)
      Complain(where + ": sent to a user who had left at seq " + std::to_string(left->second.seq));
    else if (open_only_)
      left_.erase(left);  // added again; under `deliver: open` an entry is the only report of it
  }
  full_through_.erase(thread);  // from here on entries report the changes
  EntryMoments& known = entries_[thread];
  // Entries that were under way while the list was requested may follow it, although they are older.
  const size_t from = listed ? std::max(known.sent, known.listed) : known.sent;
  std::string why;
  const auto moment = evidence_->witness.Saw(thread, user(), fanout::FieldsOf(entry), from, &why);
  if (!moment) return Complain(where + " never matched the rows, or is older than an earlier entry: " + why);
  (listed ? known.listed : known.sent) = *moment;
  ++evidence_->entries;
}

// Typing and presence are sent only to users who opened the thread.
void Client::OnOpenersEvent(const Value& event, const std::string& ev) {
  const std::string thread = Text(event, "threadId");
  ++evidence_->typings;
  const auto left = left_.find(thread);
  const bool listens = opened_.contains(thread) || opening_.contains(thread) ||
                       (left != left_.end() && left->second.opened && BackIn(thread));
  if (!listens) Complain(ev + " in " + thread + ", which was not opened");
  const Value* typing = event.Find("userIds");
  if (!typing) return;
  for (const Value& one : *typing->as_array()) {
    if (*one.as_text() == user()) Complain("received their own typing in " + thread);
  }
}

size_t Client::Silences() const {
  size_t kept = 0;
  for (const auto& [thread, left] : left_) {
    const auto& threads = evidence_->witness.threads();
    const auto rows = threads.find(thread);
    kept += left.on_this_line && rows != threads.end() && rows->second.last_seq > left.seq;
  }
  return kept;
}

}  // namespace parley::sim
