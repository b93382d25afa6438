#include "tests/sim/client_support.h"

#include <algorithm>

#include "tests/sim/tenant_user_support.h"

namespace parley::sim {

using protocol::Value;
using protocol::Writer;

void Client::Connect(Process& process, size_t io, bool resume, bool open_only) {
  Dial(process, io);
  clock_ = &process.clock();
  if (!connected()) return;
  ready_ = false;
  resuming_ = resume && !epoch_.empty();
  if (!resuming_) {
    held_.clear();  // a fresh device
    left_.clear();
    open_only_ = open_only;
  }
  set_compact(Chance(2));
  Writer args;
  args.BeginMap(2 + (resuming_ ? 1 : 0) + (compact() ? 1 : 0));
  Put(args, "token", process.TokenOf(user()));
  if (compact()) {
    args.Text("compact");
    args.Bool(true);
  }
  Put(args, "deliver", open_only_ ? "open" : "all");
  if (resuming_) {
    args.Text("resume");
    args.BeginMap(2);
    Put(args, "epoch", epoch_);
    args.Text("threads");
    args.BeginMap(held_.size());
    for (auto& [thread, held] : held_) {
      args.Text(thread);
      args.Int(held.seq);
      held.interrupted |= held.catching_up;
      held.catching_up = false;
      held.reads.clear();
      held.left.clear();
    }
  }
  Request("session.hello", args, [this](const Value* ok, const std::string& code) {
    if (!ok) return IsSanction(code) ? void() : Complain("hello refused: " + code);
    OnHello(*ok);
  });
}

// The server closes the sessions of a suspended user.
void Client::OnClosed(uint16_t code) {
  const bool suspended = (code == 4403 || code == 4401) && evidence_->sanctioned.contains(user());
  if (!suspended) Line::OnClosed(code);
}

void Client::OnLineLost() {
  evidence_->silences += Silences();
  ready_ = false;
  opened_.clear();
  opening_.clear();
  entries_.clear();
  full_through_.clear();
  index_reads_ = 0;
  for (auto& [thread, left] : left_) left.on_this_line = left.opened = left.in_full = false;
}

void Client::OnReceived(std::string_view bytes) {
  if (HasForeignMark(bytes, "")) Complain("received a text of another tenant");
}

void Client::OnHello(const Value& ok) {
  ready_ = true;
  epoch_ = Text(ok, "epoch");
  since_moment_ = evidence_->witness.moment();
  const Value* resumed = ok.Find("resumed");
  for (const auto& [name, verdict] : *resumed->as_map()) {
    const std::string thread(name);
    Held& held = held_[thread];
    if (*verdict.as_text() == "ok") {
      held.catching_up = true;
    } else if (*verdict.as_text() == "gone") {
      // Events may arrive until the removal is reported, because it may still be under way.
      const int64_t removal = evidence_->witness.RemovedAt(thread, user());
      left_[thread] = {std::max(removal, held.seq), removal > 0, false, false};
      held_.erase(thread);
    } else {
      Complain("reset, although nothing was lost: " + thread);
    }
  }
  RetryUnacknowledged();
}

void Client::CreateThread(const std::string& seller, const std::vector<std::string>& others,
                          bool with_message, const std::string& leg, const std::string& client_id) {
  Writer args;
  args.BeginMap((with_message ? 6 : 5) + (leg.empty() ? 0 : 2));
  if (const size_t blank = leg.find(' '); !leg.empty()) {
    Put(args, "lbgId", leg.substr(0, blank));
    Put(args, "legId", leg.substr(blank + 1));
  }
  Put(args, "kind", "project");
  Put(args, "buyerUserId", user());
  Put(args, "sellerUserId", seller);
  args.Text("participants");
  args.BeginArray(others.size());
  for (const std::string& other : others) {
    args.BeginMap(1);
    Put(args, "userId", other);
  }
  Put(args, "clientId", client_id);
  if (with_message) PutFirstMessage(args, client_id);
  Ask(client_id, args, "");
}

void Client::CreateDirect(const std::string& other, bool with_message, const std::string& client_id) {
  Writer args;
  args.BeginMap(with_message ? 4 : 3);
  Put(args, "kind", "direct");
  args.Text("participants");
  args.BeginArray(1);
  args.BeginMap(1);
  Put(args, "userId", other);
  Put(args, "clientId", client_id);
  if (with_message) PutFirstMessage(args, client_id);
  Ask(client_id, args, std::min(user(), other) + ' ' + std::max(user(), other));
}

void Client::CreateGroup(const std::vector<std::string>& others, bool with_message,
                         const std::string& client_id) {
  Writer args;
  args.BeginMap(with_message ? 4 : 3);
  Put(args, "kind", "group");
  args.Text("participants");
  args.BeginArray(others.size());
  for (const std::string& other : others) {
    args.BeginMap(1);
    Put(args, "userId", other);
  }
  Put(args, "clientId", client_id);
  if (with_message) PutFirstMessage(args, client_id);
  Ask(client_id, args, "");
}

void Client::PutFirstMessage(Writer& args, const std::string& client_id) {
  said_first_[client_id] = "hello from " + client_id;
  Put(args, "firstMessage", said_first_[client_id]);
}

void Client::Ask(const std::string& client_id, const Writer& args, const std::string& pair) {
  creates_.push_back({client_id, args, clock_->MonotonicMs(), pair});
  AskToCreate(client_id, args, pair);
}

std::map<std::string, std::string> Client::FirstMessages() const {
  std::map<std::string, std::string> out;
  for (const auto& [client_id, body] : said_first_) {
    const auto answered = created_.find(client_id);
    out[body] = answered == created_.end() ? "" : answered->second;
  }
  return out;
}

void Client::RepeatCreate(size_t which) {
  Creation& one = creates_[which];
  if (StillAnswered(&one.asked_ms)) AskToCreate(one.client_id, one.args, one.pair);
}

void Client::AskToCreate(const std::string& client_id, const Writer& args, const std::string& pair) {
  Request("thread.create", args, [this, client_id, pair](const Value* ok, const std::string& code) {
    if (!ok) {
      // A creator who was removed from the thread cannot read it any more.
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER" && code != "SAFETY_SOFT_BLOCK" &&
          !IsSanction(code))
        Complain("thread.create: " + code);
      return;
    }
    const std::string thread = Text(*ok->Find("thread"), "threadId");
    const auto [at, fresh] = created_.emplace(client_id, thread);
    if (!fresh && at->second != thread) Complain("a repeated thread.create made another thread");
    if (pair.empty()) return;
    const auto [theirs, first] = evidence_->directs.emplace(pair, thread);
    if (!first && theirs->second != thread) Complain("a second direct thread of " + pair);
  });
}

void Client::SendNext(const std::string& thread, const std::string& client_id, const std::string& body) {
  sends_.push_back({thread, client_id, body, false, "", 0, 0, 0});
  evidence_->bodies.AskSend(user(), client_id, body);
  if (ready_) Transmit(sends_.back());
}

bool Client::StillAnswered(int64_t* asked_ms) const {
  if (*asked_ms == 0) *asked_ms = clock_->MonotonicMs();
  return clock_->MonotonicMs() - *asked_ms < kAnsweredMs;
}

void Client::RepeatSends() {
  if (!ready_) return;
  const size_t first = sends_.size() > 3 ? sends_.size() - 3 : 0;
  for (size_t i = first; i < sends_.size(); ++i) {
    if (sends_[i].acknowledged && StillAnswered(&sends_[i].asked_ms)) Transmit(sends_[i]);
  }
}

void Client::Transmit(Send& send) {
  StillAnswered(&send.asked_ms);
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", send.thread);
  Put(args, "clientId", send.client_id);
  Put(args, "type", "text");
  Put(args, "body", send.body);
  Request("message.send", args, [this, &send](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER" && code != "SAFETY_SOFT_BLOCK" &&
          !IsSanction(code))
        Complain("message.send: " + code);
      return;
    }
    const std::string id = Text(*ok, "messageId");
    // A reply to a repeat that came too late to be recognised proves nothing.
    if (send.acknowledged && StillAnswered(&send.asked_ms) &&
        (send.message_id != id || send.seq != Number(*ok, "seq") || send.msg_no != Number(*ok, "msgNo"))) {
      Complain("a repeated send was answered otherwise: " + send.client_id + " in " + send.thread + ": " +
               send.message_id + " seq " + std::to_string(send.seq) + ", now " + id + " seq " +
               std::to_string(Number(*ok, "seq")));
    }
    send.acknowledged = true;
    send.message_id = id;
    send.seq = Number(*ok, "seq");
    send.msg_no = Number(*ok, "msgNo");
  });
}

void Client::RetryUnacknowledged() {
  if (!ready_) return;
  for (Send& send : sends_) {
    if (!send.acknowledged) Transmit(send);
  }
}

bool Client::all_acknowledged() const {
  const auto& threads = evidence_->witness.threads();
  return std::all_of(sends_.begin(), sends_.end(), [&](const Send& send) {
    // A thread from which the user was removed in between accepts nothing more from them.
    const auto thread = threads.find(send.thread);
    return send.acknowledged || thread == threads.end() || !thread->second.Member(user());
  });
}

void Client::Edit(const std::string& thread, const std::string& message, const std::string& body) {
  Writer args;
  args.BeginMap(3);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Put(args, "body", body);
  const size_t edit = evidence_->bodies.AskEdit(message, body);
  Request("message.edit", args, [this, message, edit](const Value* ok, const std::string&) {
    // A shadowed user is shown success, but nothing changed.
    if (!ok || evidence_->sanctioned.contains(user())) return;
    evidence_->bodies.Edited(message, edit, Number(*ok->Find("message"), "seq"));
    evidence_->bodies.Delivered(*ok->Find("message"));
  });
}

void Client::Delete(const std::string& thread, const std::string& message) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  evidence_->bodies.AskDelete(message);
  Request("message.delete", args, [this, message](const Value* ok, const std::string&) {
    if (!ok) return;
    evidence_->bodies.Deleted(message, Number(*ok->Find("message"), "seq"));
    evidence_->bodies.Delivered(*ok->Find("message"));
  });
}

void Client::MarkRead(const std::string& thread, const std::string& message) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Request("read.mark", args, [this, thread](const Value* ok, const std::string&) {
    if (!ok) return;
    std::string& newest = read_[thread];
    newest = std::max(newest, Text(*ok, "lastReadMsgId"));
  });
}

void Client::Manage(const char* op, const std::string& thread, const std::string& other) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  Put(args, "userId", other);
  Request(op, args, [](const Value*, const std::string&) {});
}

void Client::SetFlags(const std::string& thread, bool pinned, bool archived) {
  Writer args;
  args.BeginMap(3);
  Put(args, "threadId", thread);
  args.Text("pinned");
  args.Bool(pinned);
  args.Text("archived");
  args.Bool(archived);
  Request("inbox.set", args, [](const Value*, const std::string&) {});
}

void Client::Mute(const std::string& thread, bool on, const std::string& until) {
  Writer args;
  args.BeginMap(until.empty() ? 2 : 3);
  Put(args, "threadId", thread);
  if (!until.empty()) Put(args, "until", until);
  args.Text("muted");
  args.Bool(on);
  Request("participant.mute", args, [](const Value*, const std::string&) {});
}

void Client::SetInbox(const std::string& thread, std::string_view field, const Writer& value) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  args.Text(field);
  args.Raw(value.bytes());
  Request("inbox.set", args, [](const Value*, const std::string&) {});
}

void Client::Label(const std::string& thread, const std::string& label) {
  Writer value;
  if (label.empty()) {
    value.Nil();
  } else {
    value.Text(label);
  }
  SetInbox(thread, "label", value);
}

void Client::Snooze(const std::string& thread, protocol::Time until, std::string_view event) {
  Writer args;
  args.BeginMap(event.empty() ? 2 : 3);
  Put(args, "threadId", thread);
  Put(args, "snoozedUntil", protocol::FormatTime(until));
  if (!event.empty()) Put(args, "snoozedUntilEvent", std::string(event));
  Request("inbox.set", args, [](const Value*, const std::string&) {});
}

void Client::Type(const std::string& thread, bool typing) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  args.Text("typing");
  args.Bool(typing);
  Request("typing.set", args, [](const Value*, const std::string&) {});
}

void Client::Pin(const std::string& thread, const std::string& message, bool on) {
  Writer args;
  args.BeginMap(3);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  args.Text("pinned");
  args.Bool(on);
  Request("message.pin", args, [](const Value*, const std::string&) {});
}

void Client::React(const std::string& thread, const std::string& message, const std::string& emoji, bool on) {
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Put(args, "emoji", emoji);
  args.Text("on");
  args.Bool(on);
  Request("message.react", args, [](const Value*, const std::string&) {});
}

}  // namespace parley::sim
