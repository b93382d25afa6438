// Drives cases of one tenant in tests.
#pragma once

#include <string>

#include "features/moderation/case_queue.h"
#include "features/moderation/cases.h"
#include "tests/accounts/record_scene.h"

namespace parley::features {

class CaseScene : public accounts::RecordScene {
 public:
  static protocol::UserId User(const std::string& name) { return *protocol::UserId::FromText(name); }

  NewReport OnMessage(const std::string& reporter, int message = 1) {
    NewReport out;
    out.subject = {CaseType::kMessage, CaseOrigin::kReport, thread, MessageNumber(message), User("bob")};
    return By(reporter, std::move(out));
  }
  NewReport OnThread(const std::string& reporter) {
    NewReport out;
    out.subject = {CaseType::kThread, CaseOrigin::kReport, thread};
    return By(reporter, std::move(out));
  }
  NewReport OnUser(const std::string& reporter, const std::string& whom) {
    NewReport out;
    out.subject = {CaseType::kUser, CaseOrigin::kReport, {}, {}, User(whom)};
    return By(reporter, std::move(out));
  }
  protocol::Result<Reported> File(const NewReport& report) {
    return Decide<Reported>([&](accounts::RecordTransaction& tx) { return FileReport(tx, report, dual); });
  }
  protocol::CaseId Opened(const NewReport& report) { return File(report)->reply.case_id; }
  // A case that is dual by the tenant's settings at its report.
  protocol::CaseId Grave(const NewReport& report) {
    dual.push_back(protocol::Severity::kMedium);
    const protocol::CaseId id = Opened(report);
    dual.pop_back();
    return id;
  }

  // "resolved", the status after it, or the error's code.
  std::string Decides(const std::string& who, const protocol::CaseId& id, CaseDecision decision,
                      std::optional<CaseActions> actions = {}) {
    ModerationDecide::Args args;
    args.case_id = id;
    args.decision = decision;
    args.notes.emplace().value = "seen by " + who;
    args.actions = std::move(actions);
    const auto decided = Decide<Decided>([&](accounts::RecordTransaction& tx) {
      return DecideCase(tx, {User(who), "moderator"}, args, Rules());
    });
    return decided.ok() ? std::string(protocol::NameOf(decided->now.status)) : accounts::CodeOf(decided);
  }
  // Messages 1 to 99 exist.
  CaseRules Rules() {
    return {dual, [](const auto&, const protocol::MessageId& message) -> protocol::Result<bool> {
              return message.ulid.bytes[15] < 100;
            }};
  }
  static CaseActions Only(CaseActionKind kind) { return {{{kind, {}, {}, {}}}}; }

  CaseRecord Of(const protocol::CaseId& id) { return *GetCase(Reads(), id); }
  // "flag 1, redact 2"
  std::string EffectsOf(const protocol::CaseId& id) {
    std::string out;
    for (const CaseEffect& effect : Of(id).effects)
      out += (out.empty() ? "" : ", ") + std::string(protocol::NameOf(effect.kind)) + " " +
             std::to_string(effect.number);
    return out;
  }
  // "pending 1, awaiting 0, escalated 0, resolved 0, rejected 0, dual 0"
  std::string Stats(const Viewer& viewer = {}) {
    const auto stats = *CountCases(Reads(), viewer);
    return "pending " + std::to_string(stats.pending) + ", awaiting " +
           std::to_string(stats.awaiting_second_approval) + ", escalated " + std::to_string(stats.escalated) +
           ", resolved " + std::to_string(stats.resolved) + ", rejected " + std::to_string(stats.rejected) +
           ", dual " + std::to_string(stats.dual_approval);
  }
  static protocol::MessageId MessageNumber(int number) {
    protocol::MessageId out;
    out.ulid.bytes[15] = static_cast<uint8_t>(number);
    return out;
  }

  protocol::ThreadId thread = ThreadNumber(1);
  DualSeverities dual = {protocol::Severity::kHigh, protocol::Severity::kCritical};

  static protocol::ThreadId ThreadNumber(int number) {
    protocol::ThreadId out;
    out.ulid.bytes[15] = static_cast<uint8_t>(number);
    return out;
  }

 private:
  NewReport By(const std::string& reporter, NewReport out) {
    out.new_id.ulid.bytes[0] = static_cast<uint8_t>(++cases_);
    out.new_id.ulid.bytes[1] = static_cast<uint8_t>(cases_ >> 8);
    out.reporter = User(reporter);
    out.reason.value = "harassment";
    return out;
  }
  int cases_ = 0;
};

}  // namespace parley::features
