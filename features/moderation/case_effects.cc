#include "features/moderation/case_effects.h"

#include "features/host/records.h"
#include "features/moderation/cases.h"
#include "threads/staff/case_steps.h"

namespace parley::features {

using protocol::Result;

namespace {

threads::CaseStep StepOf(CaseEffectKind kind) {
  switch (kind) {
    case CaseEffectKind::kFlag:
      return threads::CaseStep::kFlag;
    case CaseEffectKind::kUnflag:
      return threads::CaseStep::kUnflag;
    case CaseEffectKind::kRedact:
      return threads::CaseStep::kRedact;
    case CaseEffectKind::kLock:
      return threads::CaseStep::kLock;
    case CaseEffectKind::kHold:
      return threads::CaseStep::kHold;
    case CaseEffectKind::kRelease:
      return threads::CaseStep::kRelease;
    case CaseEffectKind::kOpenCard:
      return threads::CaseStep::kOpenCard;
    case CaseEffectKind::kEndStop:
      return threads::CaseStep::kEndStop;
    case CaseEffectKind::kRevoke:
      break;
  }
  return threads::CaseStep::kRevoke;
}

struct Work {
  CaseWork of;
  std::function<void(bool)> then;
  size_t next = 0;
};
using WorkPtr = std::shared_ptr<Work>;

void Note(Host& host, const WorkPtr& work) {
  DecideRecords<protocol::Unit>(
      host, work->of.tenant,
      [id = work->of.id, through = work->of.effects.back().number](accounts::RecordTransaction& tx) {
        return NoteEffectsDone(tx, id, through);
      },
      [work](const Result<protocol::Unit>& noted) { work->then(noted.ok()); });
}

void Go(Host& host, const WorkPtr& work) {
  if (work->next == work->of.effects.size()) return Note(host, work);
  const CaseEffect& effect = work->of.effects[work->next++];
  threads::Job job;
  job.tenant = work->of.tenant;
  if (effect.thread_id != protocol::ThreadId{}) job.thread = effect.thread_id;
  job.decide = [tenant = work->of.tenant,
                wish = threads::CaseStepWish{
                    StepOf(effect.kind), work->of.id.ToText(), effect.number, effect.thread_id,
                    effect.message_id, effect.by, effect.by_role.value, effect.reason.value,
                    effect.about.value, effect.illegal.value.value_or(false)}](threads::Transaction& tx) {
    return threads::TakeCaseStep(tx, tenant, wish);
  };
  job.done = [&host, work](const threads::Answer& answer) {
    if (!answer.ok()) return work->then(false);
    Go(host, work);
  };
  host.Submit(std::move(job));
}

}  // namespace

void CarryOut(Host& host, CaseWork of, std::function<void(bool)> then) {
  if (of.effects.empty()) return then(true);
  Go(host, std::make_shared<Work>(Work{std::move(of), std::move(then)}));
}

std::vector<CaseWork> FindCaseWork(const storage::Reader& reader, const protocol::TenantId& tenant,
                                   protocol::Time now, const storage::Sealer& sealer, size_t limit) {
  std::vector<CaseWork> out;
  const auto found = CasesWithEffects(accounts::RecordReads(reader, tenant, now, sealer), limit);
  if (!found.ok()) return out;
  for (const CaseRecord& one : *found) out.push_back({tenant, one.shown.case_id, one.effects});
  return out;
}

}  // namespace parley::features
