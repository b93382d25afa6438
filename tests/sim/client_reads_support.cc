// The reads of a device: threads, pages of messages, the inbox.
#include <algorithm>

#include "tests/sim/client_support.h"

namespace parley::sim {

using protocol::Value;
using protocol::Writer;

void Client::Open(const std::string& thread) {
  Writer args;
  args.BeginMap(1);
  Put(args, "threadId", thread);
  ++opening_[thread];
  Request("thread.open", args, [this, thread](const Value* ok, const std::string&) {
    if (--opening_[thread] == 0) opening_.erase(thread);
    if (ok) OnOpened(thread, *ok);
  });
}

void Client::OnOpened(const std::string& thread, const Value& ok) {
  const int64_t last_seq = Number(ok, "lastSeq");
  if (left_.contains(thread)) {
    if (!BackIn(thread)) Complain("a user who had left opened " + thread);
    if (open_only_) left_.erase(thread);
  }
  for (const Value& message : *ok.Find("messages")->as_array()) {
    evidence_->bodies.Delivered(message);
    CheckIsForMe(thread, message);
  }
  for (const Value& card : *ok.Find("cards")->as_array()) {
    const Value* open = card.Find("open");
    if (!open->as_bool() || !*open->as_bool() || !evidence_->HasPanel(thread))
      Complain("thread.open shows a card that is not open: " + Text(card, "messageId"));
  }
  opened_.insert(thread);
  // A read's reply contains everything that was delivered before it.
  const auto known = held_.find(thread);
  if (known != held_.end()) {
    if (last_seq < known->second.seq) Complain("thread.open is older than a received event");
    return;
  }
  if (!open_only_) return;  // its first event reports it
  ++evidence_->opened;
  Held& held = held_[thread];
  held.seq = held.since = last_seq;
  for (const Value& message : *ok.Find("messages")->as_array()) {
    held.items[Text(message, "messageId")] = Number(message, "seq");
    held.bodies[Text(message, "messageId")] = Text(message, "body");
  }
  for (const Value& tab : *ok.Find("tabs")->as_array()) held.tabs[Text(tab, "tab")] = Number(tab, "version");
}

// Waits while the inbox is read, because events from before that answer may come after this one, and during
// catch-up, which is completed first.
void Client::Close(const std::string& thread) {
  const auto held = held_.find(thread);
  if (index_reads_ > 0 || (held != held_.end() && held->second.catching_up)) return;
  Writer args;
  args.BeginMap(1);
  Put(args, "threadId", thread);
  ++index_reads_;
  Request("thread.close", args, [this, thread](const Value*, const std::string&) {
    --index_reads_;
    opened_.erase(thread);
    if (left_.contains(thread)) left_[thread].opened = false;
    if (!open_only_) return;
    const auto closed = held_.find(thread);
    if (closed == held_.end()) return;
    full_through_[thread] = closed->second.seq;
    held_.erase(closed);
  });
}

// Pages from the newest message to the first: each comes once, with descending msgNos; missing ones are not
// visible to this user.
void Client::ReadMessages(const std::string& thread) {
  ReadPage(thread, "", 0);
}

// Whether all messages between two numbers are invisible to this user.
bool Client::NoneIsForMe(const std::string& thread, int64_t above, int64_t below) const {
  const auto& messages = evidence_->witness.threads().at(thread).facts.messages;
  for (int64_t no = above + 1; no < below; ++no) {
    const std::string only_for = messages[static_cast<size_t>(no - 1)]->OnlyFor();
    if (only_for.empty() || only_for == user()) return false;
  }
  return true;
}

void Client::CheckIsForMe(const std::string& thread, const Value& message) {
  const auto& messages = evidence_->witness.threads().at(thread).facts.messages;
  const auto no = static_cast<size_t>(Number(message, "msgNo"));
  const std::string only_for = no <= messages.size() ? messages[no - 1]->OnlyFor() : "";
  if (!only_for.empty() && only_for != user())
    Complain("read in " + thread + " what is for " + only_for + ": " + Text(message, "messageId"));
}

void Client::ReadPage(const std::string& thread, const std::string& before, int64_t above) {
  Writer args;
  args.BeginMap(before.empty() ? 2 : 3);
  Put(args, "threadId", thread);
  args.Text("limit");
  args.Int(7);
  if (!before.empty()) Put(args, "before", before);
  Request("message.list", args, [this, thread, above](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "THREAD_NOT_MEMBER" && !IsSanction(code)) Complain("message.list: " + code);
      return;
    }
    int64_t last = above;
    for (const Value& message : *ok->Find("messages")->as_array()) {
      const int64_t no = Number(message, "msgNo");
      if (last != 0 && (no >= last || !NoneIsForMe(thread, no, last)))
        Complain("a page of " + thread + " goes from msgNo " + std::to_string(last) + " to " +
                 std::to_string(no));
      last = no;
      evidence_->bodies.Delivered(message);
      CheckIsForMe(thread, message);
    }
    const std::string cursor = Text(*ok, "cursor");
    if (cursor.empty()) {
      if (last > 1 && !NoneIsForMe(thread, 0, last))
        Complain("the pages of " + thread + " end at msgNo " + std::to_string(last));
    } else if (ready_) {
      ReadPage(thread, cursor, last);
    }
  });
}

void Client::ListInbox() {
  Writer args;
  args.BeginMap(0);
  ++index_reads_;
  Request("inbox.list", args, [this](const Value* ok, const std::string& code) {
    --index_reads_;
    if (!ok) {
      if (code != "UNAVAILABLE") Complain("inbox.list: " + code);
      return;
    }
    std::string last = "~";
    for (const Value& entry : *ok->Find("entries")->as_array()) {
      OnEntry(entry, true);
      const std::string thread = Text(entry, "threadId");
      // The list includes every received event, but may be older than a reply to thread.open, which waits for
      // no index.
      const auto held = held_.find(thread);
      const int64_t delivered =
          held == held_.end() || held->second.seq == held->second.since ? 0 : held->second.seq;
      if (Number(entry, "lastSeq") < delivered)
        Complain("inbox.list is older than a received event: " + thread + " at " +
                 std::to_string(Number(entry, "lastSeq")) + " of " + std::to_string(delivered));
      const std::string at = Text(entry, "lastMessageAt");
      if (!at.empty() && at > last) Complain("inbox.list is out of order");
      if (!at.empty()) last = at;
    }
  });
}

void Client::CheckFolders() {
  Writer none;
  none.BeginMap(0);
  Request("inbox.counts", none, [this](const Value* ok, const std::string& code) {
    if (!ok) return Complain("inbox.counts: " + code);
    for (const bool muted : {false, true}) CheckFilter(muted);
    const int64_t all_unread = Number(*ok, "unreadMessages");
    for (const Value& folder : *ok->Find("folders")->as_array()) {
      Writer args;
      args.BeginMap(2);
      Put(args, "folder", Text(folder, "folder"));
      args.Text("limit");
      args.Int(200);
      Request("inbox.list", args,
              [this, name = Text(folder, "folder"), threads = Number(folder, "threads"),
               unread = Number(folder, "unread"), all_unread](const Value* page, const std::string& why) {
                if (!page) return Complain("inbox.list " + name + ": " + why);
                int64_t listed = 0, listed_unread = 0, messages = 0;
                for (const Value& entry : *page->Find("entries")->as_array()) {
                  ++listed;
                  listed_unread += Number(entry, "unread") > 0;
                  messages += Number(entry, "unread");
                }
                if (!page->Find("cursor")->is_null())
                  return;  // more than a page, so the list is shorter than its total
                if (listed != threads || listed_unread != unread)
                  Complain("folder " + name + " lists " + std::to_string(listed) + ", counted " +
                           std::to_string(threads));
                if (name == "all" && messages != all_unread)
                  Complain("unreadMessages is " + std::to_string(all_unread) + ", listed are " +
                           std::to_string(messages));
              });
    }
  });
}

void Client::CheckFilter(bool muted) {
  Writer args;
  args.BeginMap(2);
  args.Text("muted");
  args.Bool(muted);
  args.Text("limit");
  args.Int(200);
  Request("inbox.list", args, [this, muted](const Value* page, const std::string& why) {
    if (!page) return Complain("inbox.list muted: " + why);
    for (const Value& entry : *page->Find("entries")->as_array()) {
      if (*entry.Find("muted")->as_bool() != muted)
        Complain("found by its mute, which it is not: " + Text(entry, "threadId"));
    }
  });
}

std::vector<std::string> Client::KnownThreads() const {
  std::vector<std::string> out;
  for (const auto& [thread, moment] : entries_)
    if (!held_.contains(thread)) out.push_back(thread);
  return out;
}

// Every change since the session began, outside the threads that it receives in full, was reported as an
// entry, and the last entry is the current one. A thread that the device closed may have changed last while
// it was received in full: then the event reported that change, and closing sends no entry. If an entry came
// nevertheless, it may be older than the event, and the current one must follow.
void Client::CheckEntries() {
  if (!open_only_) return;
  for (const auto& [thread, rows] : evidence_->witness.threads()) {
    if (held_.contains(thread) || !rows.Member(user())) continue;
    const auto known = entries_.find(thread);
    const size_t changed = rows.changed;
    const auto full_through = full_through_.find(thread);
    if (full_through != full_through_.end() && full_through->second >= rows.last_seq) continue;
    if (known == entries_.end() ? changed > since_moment_
                                : changed > std::max(known->second.sent, known->second.listed))
      Complain("did not receive the last change in " + thread + ", which is not open");
  }
}

}  // namespace parley::sim
