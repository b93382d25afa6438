#include "tests/sim/moderators_support.h"

#include <iterator>

#include "gateway/ops/router.h"
#include "tests/sim/value_support.h"

namespace parley::sim {
namespace {

using protocol::Value;

const protocol::TenantId kTenant{protocol::KeyText::UpToNul(accounts::kDemoTenant)};
constexpr int64_t kLongestMs = 4000;

std::string Quoted(const std::string& text) {
  return '"' + text + '"';
}

bool IsModerator(const std::string& who) {
  return who.starts_with("usr_mod_");
}

}  // namespace

void ModerationCounts::operator+=(const ModerationCounts& other) {
  runs += other.runs;
  redactions += other.redactions;
  cards += other.cards;
  withheld += other.withheld;
  restored += other.restored;
  removals += other.removals;
  shadows += other.shadows;
  mutes += other.mutes;
  suspensions += other.suspensions;
  reports += other.reports;
  decisions += other.decisions;
  joint += other.joint;
}

void Moderators::Ask(Process& process, const std::string& who, const char* op, const std::string& args,
                     OnOk then) {
  threads::Caller caller{kTenant, protocol::UserId{protocol::KeyText::UpToNul(who)},
                         IsModerator(who) ? threads::Role::kModerator : threads::Role::kMember};
  protocol::Document document;
  if (protocol::DecodeJson(args, {}, &document))
    return evidence_->complaints.push_back("moderators: args of ours are bad: " + args);
  gateway::Route(process.node().io(), op, caller, document.root,
                 [this, op, then = std::move(then)](const gateway::Answer& answer) {
                   if (!answer.ok()) {
                     if (answer.error().code == threads::ErrorCode::kInternal)
                       evidence_->complaints.push_back(std::string("moderators: ") + op + ": INTERNAL");
                     return;  // anything else is possible: nothing was promised
                   }
                   protocol::Document reply;
                   if (protocol::DecodeMsgpack(*answer, {}, &reply))
                     return evidence_->complaints.push_back("moderators: a reply is bad");
                   then(reply.root);
                 });
}

Moderators::Target Moderators::Draw() {
  const auto& threads = evidence_->witness.threads();
  if (threads.empty()) return {};
  const auto thread = std::next(threads.begin(), static_cast<std::ptrdiff_t>(Roll(threads.size())));
  const auto& messages = thread->second.facts.messages;
  if (messages.empty()) return {};
  const fanout::RawItem& message = *messages[Roll(messages.size())];
  // The simulator finds first messages by their text, so leave them alone.
  if (message.Text("clientId").empty() || message.Text("body").starts_with("hello from")) return {};
  return {thread->first, message.Text("messageId"), message.Text("authorUserId"),
          message.Text("type") == "action"};
}

void Moderators::Work(Process& process) {
  counts_.runs = 1;
  if (Roll(4) == 0) process.node().item_writer().Step();
  switch (Roll(36)) {
    case 0:
    case 1:
    case 2:
      return Moderate(process);
    case 3:
      return Sanction(process);
    case 4:
      return Report(process);
    case 5:
      return List(process);
    case 6:
      return Decide(process);
    default:
      return;
  }
}

void Moderators::Moderate(Process& process) {
  const Target target = Draw();
  if (target.message.empty()) return;
  const std::string on =
      R"({"threadId":)" + Quoted(target.thread) + R"(,"messageId":)" + Quoted(target.message);
  Bodies& bodies = evidence_->bodies;
  const std::string id = target.message;
  if (Roll(6) == 0) {
    bodies.AskDelete(id);
    return Ask(process, Moderator(), "message.delete", on + R"(,"reason":"r"})", [this, id](const Value& ok) {
      evidence_->bodies.Deleted(id, Number(*ok.Find("message"), "seq"));
      ++counts_.removals;
    });
  }
  constexpr const char* kStates[] = {"redacted", "redacted", "blocked", "blocked",
                                     "clean",    "clean",    "flagged"};
  const std::string state = kStates[Roll(std::size(kStates))];
  if (state == "redacted" || state == "blocked") bodies.AskStub(id);
  Ask(process, Moderator(), "moderation.message", on + R"(,"reason":"r","moderation":)" + Quoted(state) + "}",
      [this, id, state, card = target.card](const Value& ok) {
        if (state == "redacted") evidence_->bodies.Redacted(id, Number(*ok.Find("message"), "seq"));
        counts_.redactions += state == "redacted";
        counts_.cards += state == "redacted" && card;
        counts_.withheld += state == "blocked";
        counts_.restored += state == "clean";
      });
}

// For a short while, and often pardoned earlier.
void Moderators::Sanction(Process& process) {
  const Target target = Draw();
  if (target.author.empty()) return;
  constexpr const char* kStates[] = {"shadow", "muted", "suspended", "warned", "ok", "ok"};
  const std::string state = kStates[Roll(std::size(kStates))];
  std::string args = R"({"userId":)" + Quoted(target.author) + R"(,"reason":"r","state":)" + Quoted(state);
  if (state != "ok") {
    const auto until = process.clock().Now().ms + 1 + static_cast<int64_t>(Roll(kLongestMs));
    if (Roll(2) == 0) args += R"(,"until":)" + Quoted(protocol::FormatTime({until}));
    evidence_->sanctioned.insert(target.author);
    sanctioned_.insert(target.author);
  }
  Ask(process, Moderator(), "moderation.user", args + "}", [this, state](const Value&) {
    counts_.shadows += state == "shadow";
    counts_.mutes += state == "muted";
    counts_.suspensions += state == "suspended";
  });
}

void Moderators::Report(Process& process) {
  const Target target = Draw();
  if (target.message.empty()) return;
  const auto& members = evidence_->witness.threads().at(target.thread).facts.participants;
  const std::string by = members[Roll(members.size())]->Text("userId");
  Ask(process, by, "message.report",
      R"({"threadId":)" + Quoted(target.thread) + R"(,"messageId":)" + Quoted(target.message) +
          R"(,"reason":"spam","severity":"critical"})",
      [this](const Value&) { ++counts_.reports; });
}

void Moderators::List(Process& process) {
  Ask(process, Moderator(), "moderation.queue", R"({"limit":200})", [this](const Value& ok) {
    cases_.clear();
    for (const Value& one : *ok.Find("cases")->as_array()) {
      const std::string status = Text(one, "status");
      if (status != "resolved" && status != "rejected") cases_[Text(one, "caseId")] = status;
      const std::string user = Text(one, "userId"), message = Text(one, "messageId");
      // A decision about the case may affect these.
      if (!message.empty()) evidence_->bodies.AskStub(message);
      if (!user.empty()) evidence_->sanctioned.insert(user);
      if (!user.empty()) sanctioned_.insert(user);
    }
  });
}

void Moderators::Decide(Process& process) {
  if (cases_.empty()) return;
  const auto one = std::next(cases_.begin(), static_cast<std::ptrdiff_t>(Roll(cases_.size())));
  constexpr const char* kDecisions[] = {R"("approve","actions":[{"action":"redact"}])",
                                        R"("approve","actions":[{"action":"mute"}])",
                                        R"("approve")",
                                        R"("escalate")",
                                        R"("reject")",
                                        R"("override")"};
  const bool second = one->second == "awaiting_second_approval";
  const std::string decision = second ? R"("approve")" : kDecisions[Roll(std::size(kDecisions))];
  Ask(process, Moderator(), "moderation.decide",
      R"({"caseId":)" + Quoted(one->first) + R"(,"notes":"n","decision":)" + decision + "}",
      [this, id = one->first, second](const Value& ok) {
        ++counts_.decisions;
        const std::string status = Text(*ok.Find("case"), "status");
        counts_.joint += second && status == "resolved";
        if (cases_.contains(id)) cases_[id] = status;
        if (status == "resolved" || status == "rejected") cases_.erase(id);
      });
}

void Moderators::Rest(Process& process) {
  for (int round = 0; round < 5; ++round) {
    List(process);
    process.Settle();
    for (const auto& [id, status] : std::map(cases_)) {
      for (const char* who : {"usr_mod_a", "usr_mod_b"})
        Ask(process, who, "moderation.decide", R"({"caseId":)" + Quoted(id) + R"(,"decision":"reject"})",
            [](const Value&) {});
    }
    process.Settle();
  }
  for (const std::string& user : sanctioned_)
    Ask(process, "usr_mod_a", "moderation.user",
        R"({"userId":)" + Quoted(user) + R"(,"reason":"r","state":"ok"})", [](const Value&) {});
  process.Settle();
}

}  // namespace parley::sim
