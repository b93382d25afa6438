#include "features/text_policy/asks.h"

#include "accounts/audit/audit_chain.h"
#include "features/events/asks.h"
#include "features/host/records.h"
#include "features/moderation/asks.h"
#include "threads/judge/refusals.h"

namespace parley::features {

using accounts::RecordTransaction;
using threads::Caller;

namespace {

// Reports the rejection to the back end if the tenant subscribed to it.
void NotifyBackEnd(RecordTransaction& tx, const Caller& caller, const threads::Judged& judged,
                   const protocol::AuditId& act) {
  threads::ChangeEntry entry;
  entry.tenant = caller.tenant;
  entry.at.value = tx.now();
  PutEventRow(tx, entry, threads::BlockedEvent(caller, judged, act), tx.now());
}

bool WantsBlocked(const Host& host, const protocol::TenantId& tenant) {
  const accounts::TenantPtr found = host.FindTenant(tenant);
  return found && (EventKindsOf(*found) & protocol::SetOf(protocol::EventKind::kMessageBlocked)) != 0;
}

// Writes the entry of the audit, the case and the event.
void Record(Host& host, const Caller& caller, const std::shared_ptr<const threads::Judged>& refused,
            std::function<void()> then) {
  const threads::Judged& judged = *refused;
  if (judged.rules.empty()) return then();
  accounts::AuditAct act{caller.user, std::string(protocol::NameOf(caller.role)),
                         std::string(threads::ActionOf(judged)), judged.rules};
  act.user_id = caller.user;
  act.after = protocol::StatesOf({{"content", threads::HashOf(judged)}});
  DecideRecords<protocol::Unit>(
      host, caller.tenant,
      [act = std::move(act), caller, refused, wanted = WantsBlocked(host, caller.tenant),
       dual = DualOf(host, caller.tenant)](RecordTransaction& tx) -> protocol::Status {
        PARLEY_TRY(id, accounts::RecordAct(tx, act));
        if (wanted) NotifyBackEnd(tx, caller, *refused, id);
        if (refused->stopped) {
          const PolicyStop stop{id.ToText(), {}, *act.actor, act.reason};
          PARLEY_CHECK_OK(OpenPolicyCase(tx, stop, dual));
        }
        return tx.Commit();
      },
      [then = std::move(then)](const protocol::Status&) { then(); });
}

}  // namespace

void KeepRefusedStart(Host& host, const Caller& caller, threads::Judged judged, std::function<void()> then) {
  auto refused = std::make_shared<const threads::Judged>(std::move(judged));
  // Record first: after a crash in between, a repeat is recorded twice rather than not at all.
  Record(host, caller, refused, [&host, caller, refused, then = std::move(then)] {
    threads::Job job;
    job.tenant = caller.tenant;
    job.decide = [caller, refused](threads::Transaction& tx) -> threads::Result<threads::Decision> {
      return threads::Refused(tx, caller, *refused);
    };
    job.done = [then](const threads::Answer&) { then(); };
    host.Submit(std::move(job));
  });
}

void JudgeOutsideThreads(Host& host, const Caller& caller, threads::Texts texts,
                         std::function<void(std::optional<protocol::Error>)> then) {
  auto examined = ExamineTexts(host, caller, std::move(texts));
  if (!examined || examined->texts.empty()) return then(std::nullopt);
  auto refused = std::make_shared<std::optional<threads::Judged>>();
  threads::Job job;
  job.tenant = caller.tenant;
  job.decide = [caller, examined, refused](threads::Transaction& tx) -> threads::Result<threads::Decision> {
    PARLEY_TRY(judged, threads::Judge(tx, caller, examined));
    threads::Decision decision = threads::AnswerOnly({});
    if (judged.refusal) {
      *refused = std::move(judged);
    } else if (judged.strikes) {
      threads::PutStrikes(tx, caller, judged);
      decision.reserves_only = true;
    }
    return decision;
  };
  job.done = [&host, caller, refused, then = std::move(then)](const threads::Answer& answer) {
    if (!answer.ok()) return then(answer.error());
    if (!*refused) return then(std::nullopt);
    const protocol::Error why = *(*refused)->refusal;
    if (!(*refused)->strikes) return then(why);
    KeepRefusedStart(host, caller, **refused, [why, then] { then(why); });
  };
  host.Submit(std::move(job));
}

}  // namespace parley::features
