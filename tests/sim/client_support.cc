#include "tests/sim/client_support.h"

namespace parley::sim {
namespace {

using protocol::Value;
using protocol::Writer;

std::string Text(const Value& map, std::string_view field) {
  const Value* value = map.Find(field);
  return value && value->as_text() ? std::string(*value->as_text()) : "";
}
int64_t Number(const Value& map, std::string_view field) {
  const Value* value = map.Find(field);
  return value && value->as_int() ? *value->as_int() : -1;
}

void Put(Writer& w, std::string_view name, std::string_view text) {
  w.Text(name);
  w.Text(text);
}

// What names an item among the items of a thread.
std::string ItemName(const std::string& ev, const Value& item) {
  if (ev.starts_with("message.")) return Text(item, "messageId");
  if (ev.starts_with("card.")) return "card " + Text(item, "messageId");
  if (ev.starts_with("participant.")) return "participant " + Text(item, "userId");
  if (ev.starts_with("tab.")) return "tab " + Text(item, "tab");
  return "thread";
}

}  // namespace

void Client::Connect(Process& process, bool resume) {
  const std::string subprotocol = json_ ? "parley.v1.json" : "parley.v1.msgpack";
  gateway::HttpRequest request;
  request.method = "GET";
  request.target = "/v1/ws";
  auto upgraded = process.transport().Connect(request, {subprotocol});
  connection_ = std::move(upgraded.connection);
  if (!connection_) return;
  ready_ = false;
  resuming_ = resume && !epoch_.empty();
  if (!resuming_) held_.clear();  // a fresh device
  Writer args;
  args.BeginMap(resuming_ ? 2 : 1);
  Put(args, "token", process.TokenOf(user_));
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
    }
  }
  Request("session.hello", args, [this](const Value* ok, const std::string& code) {
    if (!ok) return Complain("hello refused: " + code);
    OnHello(*ok);
  });
}

void Client::OnHello(const Value& ok) {
  ready_ = true;
  epoch_ = Text(ok, "epoch");
  const Value* resumed = ok.Find("resumed");
  for (const auto& [thread, verdict] : *resumed->as_map()) {
    Held& held = held_[std::string(thread)];
    if (*verdict.as_text() == "ok") {
      held.catching_up = true;
    } else if (*verdict.as_text() == "gone") {
      held_.erase(std::string(thread));
    } else {
      Complain("reset, although nothing was lost: " + std::string(thread));
    }
  }
  RetryUnacknowledged();
}

void Client::Disconnect() {
  if (!connection_) return;
  if (!connection_->ended()) connection_->HangUp();
  ProcessGone();
}

void Client::ProcessGone() {
  connection_.reset();
  ready_ = false;
  waiting_.clear();
}

void Client::set_reads_itself(bool on) {
  if (connection_) connection_->set_reads_itself(on);
}

void Client::ReadAll() {
  if (!connection_) return;
  while (!connection_->received().empty()) {
    const auto payload = std::move(connection_->received().front());
    connection_->received().pop_front();
    Take(payload);
  }
  if (connection_->closed()) {
    const auto code = connection_->closed()->code;
    if (code != 4508) Complain("closed with " + std::to_string(code));
    Disconnect();
  }
}

void Client::Request(const char* op, const Writer& args, OnReply done) {
  Writer w;
  const uint32_t id = next_id_++;
  w.BeginMap(3);
  w.Text("id");
  w.Int(id);
  Put(w, "op", op);
  w.Text("args");
  w.Raw(args.bytes());
  waiting_[id] = std::move(done);
  connection_->Type(json_ ? protocol::MsgpackToJson(w.bytes()) : w.bytes(), !json_);
}

void Client::Take(const gateway_test::FakeConnection::Payload& payload) {
  protocol::Document frame;
  const auto encoding = json_ ? protocol::Encoding::kJson : protocol::Encoding::kMsgpack;
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{8} << 20;
  if (payload.binary == json_) Complain("the wrong kind of frame");
  if (protocol::Decode(encoding, payload.bytes, limits, &frame))
    return Complain("a frame that does not decode");
  if (frame.root.Find("ev")) {
    heard_.Add(payload.bytes);
    return OnEvent(frame.root);
  }
  const auto id = static_cast<uint32_t>(Number(frame.root, "id"));
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end()) return Complain("a second reply to request " + std::to_string(id));
  const OnReply done = std::move(waiting->second);
  waiting_.erase(waiting);
  const Value* ok = frame.root.Find("ok");
  const Value* error = frame.root.Find("error");
  const std::string code = error ? Text(*error, "code") : "";
  // A seed does not give the ids of sessions and errors: such replies count by what else they say.
  heard_.Add(error ? code : ok && ok->Find("sessionId") ? "hello" : payload.bytes);
  done(ok, code);
}

void Client::OnEvent(const Value& event) {
  const std::string ev = Text(event, "ev");
  if (!ready_) Complain(ev + " before the reply to hello");
  if (ev == "thread.synced") {
    if (!held_.contains(Text(event, "threadId")))
      return Complain("thread.synced of a thread that was not resumed");
    Held& held = held_[Text(event, "threadId")];
    if (!held.catching_up) Complain("thread.synced twice");
    if (Number(event, "seq") < held.seq) Complain("thread.synced below what was told");
    held.seq = Number(event, "seq");
    held.catching_up = false;
    return;
  }
  if (event.Find("seq")) OnShared(event, ev);
}

void Client::OnShared(const Value& event, const std::string& ev) {
  const std::string thread = Text(event, "threadId");
  const int64_t seq = Number(event, "seq");
  const Value& item = *event.Find("item");
  const bool known = held_.contains(thread);
  Held& held = held_[thread];
  if (!known) {
    held.since = seq - 1;
    held.seq = seq - 1;
  }
  const std::string where = thread + " seq " + std::to_string(seq) + " " + ev;
  if (held.catching_up ? seq <= held.seq : seq != held.seq + 1) {
    Complain(where + ": told after " + std::to_string(held.seq) + (held.catching_up ? ", catching up" : ""));
  }
  if (Number(item, "seq") != seq && !(ev == "thread.created" && !held.catching_up)) {
    if (Number(item, "seq") != seq)
      Complain(where + ": the item says seq " + std::to_string(Number(item, "seq")));
  }
  const std::string name = ItemName(ev, item);
  const bool created = ev.ends_with(".created") || ev.ends_with(".added");
  if (created && held.items.contains(name) && !ev.starts_with("participant."))
    Complain(where + ": came into being twice");
  if (ev == "message.updated" && held.since == 0 && !held.interrupted && !held.items.contains(name))
    Complain(where + ": updated before it was created");
  held.seq = seq;
  held.items[name] = seq;
  if (ev.starts_with("message.")) held.bodies[name] = Text(item, "body");
  if (ev == "tab.updated") OnTab(held, item, where);
  if (ev == "card.updated") {
    HeldCard& card = held.cards[Text(item, "messageId")];
    if (Number(item, "version") < card.version) Complain(where + ": the card's version went back");
    card = {Text(item, "type"), Text(item, "state"), Number(item, "version")};
  }
  if (ev == "participant.removed" && Text(item, "userId") == user_) held_.erase(thread);
}

// Live, versions of a tab and of the whole panel rise by one.
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

// --- what a user does

void Client::CreateThread(const std::string& seller, const std::vector<std::string>& others,
                          bool with_message, const std::string& leg, const std::string& client_id) {
  Writer args;
  args.BeginMap((with_message ? 6 : 5) + (leg.empty() ? 0 : 2));
  if (const size_t blank = leg.find(' '); !leg.empty()) {
    Put(args, "lbgId", leg.substr(0, blank));
    Put(args, "legId", leg.substr(blank + 1));
  }
  Put(args, "kind", "project");
  Put(args, "buyerUserId", user_);
  Put(args, "sellerUserId", seller);
  args.Text("participants");
  args.BeginArray(others.size());
  for (const std::string& other : others) {
    args.BeginMap(1);
    Put(args, "userId", other);
  }
  Put(args, "clientId", client_id);
  if (with_message) Put(args, "firstMessage", "hello from " + user_);
  creates_.emplace_back(client_id, args);
  AskToCreate(client_id, args);
}

void Client::RepeatCreate(size_t which) {
  AskToCreate(creates_[which].first, creates_[which].second);
}

void Client::AskToCreate(const std::string& client_id, const Writer& args) {
  Request("thread.create", args, [this, client_id](const Value* ok, const std::string& code) {
    if (!ok) {
      // A creator who was taken out of the thread is told no more of it.
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER") Complain("thread.create: " + code);
      return;
    }
    const std::string thread = Text(*ok->Find("thread"), "threadId");
    const auto [at, fresh] = created_.emplace(client_id, thread);
    if (!fresh && at->second != thread) Complain("a repeated thread.create made another thread");
  });
}

void Client::SendNext(const std::string& thread, const std::string& client_id, const std::string& body) {
  sends_.push_back({thread, client_id, body, false, "", 0, 0});
  if (ready_) Transmit(sends_.back());
}

void Client::Transmit(Send& send) {
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", send.thread);
  Put(args, "clientId", send.client_id);
  Put(args, "type", "text");
  Put(args, "body", send.body);
  Request("message.send", args, [this, &send](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER" && code != "SAFETY_SOFT_BLOCK")
        Complain("message.send: " + code);
      return;
    }
    const std::string id = Text(*ok, "messageId");
    if (send.acknowledged &&
        (send.message_id != id || send.seq != Number(*ok, "seq") || send.msg_no != Number(*ok, "msgNo"))) {
      Complain("a repeated send was answered otherwise: " + send.client_id);
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
  for (const Send& send : sends_) {
    // A thread the user was taken out of meanwhile takes no more from him.
    if (!send.acknowledged && held_.contains(send.thread)) return false;
  }
  return true;
}

void Client::Edit(const std::string& thread, const std::string& message, const std::string& body) {
  Writer args;
  args.BeginMap(3);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Put(args, "body", body);
  Request("message.edit", args, [](const Value*, const std::string&) {});
}

void Client::Delete(const std::string& thread, const std::string& message) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Request("message.delete", args, [](const Value*, const std::string&) {});
}

void Client::MarkRead(const std::string& thread, const std::string& message) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  Put(args, "messageId", message);
  Request("read.mark", args, [](const Value*, const std::string&) {});
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

void Client::Label(const std::string& thread, const std::string& label) {
  Writer args;
  args.BeginMap(2);
  Put(args, "threadId", thread);
  args.Text("label");
  if (label.empty()) {
    args.Nil();
  } else {
    args.Text(label);
  }
  Request("inbox.set", args, [](const Value*, const std::string&) {});
}

void Client::Snooze(const std::string& thread, protocol::Time until, std::string_view event) {
  Writer args;
  args.BeginMap(event.empty() ? 2 : 3);
  Put(args, "threadId", thread);
  Put(args, "snoozedUntil", protocol::FormatTime(until));
  if (!event.empty()) Put(args, "snoozedUntilEvent", std::string(event));
  Request("inbox.set", args, [](const Value*, const std::string&) {});
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

namespace {

// What a tab may hold, named by one word.
void PutContent(Writer& args, const std::string& tab, const std::string& name) {
  if (tab == "brief") {
    args.BeginMap(1);
    return Put(args, "title", name);
  }
  args.BeginMap(1);
  const bool shots = tab == "shotlist";
  args.Text(shots ? "shots" : "pins");
  args.BeginArray(2);
  for (const char* id : {"1", "2"}) {
    args.BeginMap(shots ? 3 : 4);
    Put(args, "id", id);
    Put(args, shots ? "name" : "attribution", name);
    if (shots) {
      Put(args, "status", name.size() % 2 == 0 ? "done" : "todo");
      continue;
    }
    Put(args, "url", name);
    args.Text("nsfwBand");
    args.Int(static_cast<int64_t>(name.size() % 3));
  }
}

}  // namespace

// Devices race here: of all that are based on one version, one is acknowledged.
void Client::PutTab(const std::string& thread, const std::string& tab, const std::string& content) {
  const int64_t based_on = held_[thread].tabs[tab];
  Writer args;
  args.BeginMap(4);
  Put(args, "threadId", thread);
  Put(args, "tab", tab);
  args.Text("version");
  args.Int(based_on);
  args.Text("content");
  PutContent(args, tab, content);
  Request("tab.put", args, [this, thread, tab, content, based_on](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "UNAVAILABLE" && code != "THREAD_NOT_MEMBER" && code != "PANEL_VERSION_CONFLICT" &&
          code != "SAFETY_SOFT_BLOCK")
        Complain("tab.put: " + code);
      return;
    }
    const int64_t version = Number(*ok->Find("tab"), "version");
    if (version != based_on + 1) Complain("tab.put made version " + std::to_string(version));
    const auto [won, fresh] = wins_->emplace(thread + " " + tab + " " + std::to_string(version), content);
    if (!fresh && won->second != content)
      Complain("version " + std::to_string(version) + " of a tab was given twice");
  });
}

// --- broadcasts

void Client::SendToLegs(const std::string& lbg, const std::string& client_id, const std::string& body) {
  broadcasts_.push_back({lbg, client_id, body, false, {}});
  if (ready_) Transmit(broadcasts_.back());
}

void Client::Transmit(Broadcast& broadcast) {
  Writer args;
  args.BeginMap(3);
  Put(args, "lbgId", broadcast.lbg);
  Put(args, "clientId", broadcast.client_id);
  Put(args, "body", broadcast.body);
  Request("thread.broadcast", args, [this, &broadcast](const Value* ok, const std::string& code) {
    if (!ok) {
      // Not every LBG has threads that are his; what was settled once is answered for ever.
      if (broadcast.answered && code != "UNAVAILABLE") Complain("a repeated thread.broadcast: " + code);
      return;
    }
    size_t reached = 0;
    for (const Value& sent : *ok->Find("sent")->as_array()) {
      ++reached;
      const std::string message = Text(sent, "messageId");
      if (message.empty()) continue;  // refused there; a repeat tries again
      const auto [at, fresh] = broadcast.sent.emplace(Text(sent, "threadId"), message);
      if (!fresh && at->second != message) Complain("a repeated broadcast sent another message: " + message);
    }
    if (reached < broadcast.sent.size()) Complain("a repeated broadcast goes to fewer threads");
    broadcast.answered = true;
  });
}

void Client::CheckFolders() {
  Writer none;
  none.BeginMap(0);
  Request("inbox.counts", none, [this](const Value* ok, const std::string& code) {
    if (!ok) return Complain("inbox.counts: " + code);
    for (const Value& folder : *ok->Find("folders")->as_array()) {
      Writer args;
      args.BeginMap(2);
      Put(args, "folder", Text(folder, "folder"));
      args.Text("limit");
      args.Int(200);
      Request("inbox.list", args,
              [this, name = Text(folder, "folder"), threads = Number(folder, "threads"),
               unread = Number(folder, "unread")](const Value* page, const std::string& why) {
                if (!page) return Complain("inbox.list " + name + ": " + why);
                int64_t listed = 0, listed_unread = 0;
                for (const Value& entry : *page->Find("entries")->as_array()) {
                  ++listed;
                  listed_unread += Number(entry, "unread") > 0;
                }
                if (!page->Find("cursor")->is_null())
                  return;  // more than a page: its total is not all that is listed
                if (listed != threads || listed_unread != unread)
                  Complain("folder " + name + " lists " + std::to_string(listed) + ", counted " +
                           std::to_string(threads));
              });
    }
  });
}

void Client::Open(const std::string& thread) {
  Writer args;
  args.BeginMap(1);
  Put(args, "threadId", thread);
  Request("thread.open", args, [this, thread](const Value* ok, const std::string&) {
    // A read's reply contains everything delivered before it.
    const auto held = held_.find(thread);
    if (ok && held != held_.end() && Number(*ok, "lastSeq") < held->second.seq)
      Complain("thread.open is behind what was told");
  });
}

void Client::ListInbox() {
  Writer args;
  args.BeginMap(0);
  Request("inbox.list", args, [this](const Value* ok, const std::string& code) {
    if (!ok) {
      if (code != "UNAVAILABLE") Complain("inbox.list: " + code);
      return;
    }
    std::string last = "~";
    for (const Value& entry : *ok->Find("entries")->as_array()) {
      const std::string thread = Text(entry, "threadId");
      const auto held = held_.find(thread);
      if (held != held_.end() && Number(entry, "lastSeq") < held->second.seq)
        Complain("inbox.list is behind what was told: " + thread + " at " +
                 std::to_string(Number(entry, "lastSeq")) + " of " + std::to_string(held->second.seq));
      const std::string at = Text(entry, "lastMessageAt");
      if (!at.empty() && at > last) Complain("inbox.list is out of order");
      if (!at.empty()) last = at;
    }
  });
}

// --- cards

void Client::CreateCard(const std::string& thread, const std::string& type, const std::string& payload,
                        const std::string& client_id, const std::string& expires_at) {
  openings_.push_back({thread, client_id, type, payload, expires_at, false, ""});
  if (ready_) Transmit(openings_.back());
}

void Client::Transmit(Opening& opening) {
  Writer args;
  protocol::Document fields;
  if (protocol::DecodeJson(opening.payload, {}, &fields))
    return Complain("a payload of ours can not be read");
  args.BeginMap(opening.expires_at.empty() ? 4 : 5);
  Put(args, "threadId", opening.thread);
  Put(args, "clientId", opening.client_id);
  Put(args, "type", opening.type);
  args.Text("payload");
  args.Put(fields.root);
  if (!opening.expires_at.empty()) Put(args, "expiresAt", opening.expires_at);
  Request("card.create", args, [this, &opening](const Value* ok, const std::string& code) {
    // Many are refused, and nothing was promised; what was taken once is answered as before.
    if (!ok && opening.acknowledged && code == "IDEMPOTENCY_CONFLICT")
      Complain("a repeated card.create was taken for another: " + opening.client_id);
    if (!ok) return;
    const std::string message = Text(*ok, "messageId");
    if (opening.acknowledged && opening.message_id != message)
      Complain("a repeated card.create opened another card: " + opening.client_id);
    if (Text(*ok->Find("card"), "messageId") != message) Complain("a card without its message: " + message);
    opening.acknowledged = true;
    opening.message_id = message;
  });
}

void Client::ActOn(const std::string& thread, const std::string& message, const std::string& intent,
                   const std::string& client_id) {
  const auto held = held_.find(thread);
  if (held == held_.end() || !held->second.cards.contains(message)) return;
  acts_.push_back({thread, message, intent, client_id, held->second.cards[message].version, false, "", 0});
  if (ready_) Transmit(acts_.back());
}

void Client::Transmit(Act& act) {
  Writer args;
  args.BeginMap(5);
  Put(args, "threadId", act.thread);
  Put(args, "messageId", act.message);
  Put(args, "intent", act.intent);
  Put(args, "clientId", act.client_id);
  args.Text("version");
  args.Int(act.version);
  Request("card.act", args, [this, &act](const Value* ok, const std::string&) {
    if (!ok) return;  // most intents are refused, and nothing was promised
    const Value& card = *ok->Find("card");
    const std::string state = Text(card, "state");
    if (act.acknowledged && (act.state != state || act.to_version != Number(card, "version")))
      Complain("a repeated intent was answered otherwise: " + act.client_id);
    act.acknowledged = true;
    act.state = state;
    act.to_version = Number(card, "version");
  });
}

void Client::RetryActs() {
  if (!ready_) return;
  const size_t first = acts_.size() > 5 ? acts_.size() - 5 : 0;
  for (size_t i = first; i < acts_.size(); ++i) Transmit(acts_[i]);
  const size_t newest = openings_.size() > 5 ? openings_.size() - 5 : 0;
  for (size_t i = newest; i < openings_.size(); ++i) Transmit(openings_[i]);
  const size_t last = broadcasts_.size() > 2 ? broadcasts_.size() - 2 : 0;
  for (size_t i = last; i < broadcasts_.size(); ++i) Transmit(broadcasts_[i]);
}

}  // namespace parley::sim
