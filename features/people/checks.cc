#include "features/people/checks.h"

#include <unordered_map>

#include "features/people/stored_people.h"
#include "threads/contacts/questions.h"
#include "threads/model/access.h"
#include "threads/model/thread_kinds.h"

namespace parley::features {
namespace {

using protocol::Result;
using protocol::UserId;
using threads::CheckInput;

constexpr size_t kSanctionsMax = 1024;  // kept per thread

class ThreadMemory final : public threads::CheckMemory {
 public:
  size_t Weight() const override { return sanctions.size() * kSanctionBytes; }

  std::optional<bool> pair_blocked;  // one of the parties blocks the other
  std::unordered_map<UserId, threads::Sanction> sanctions;

 private:
  static constexpr size_t kSanctionBytes = 160;  // approximate, with its node
};

Result<threads::Sanction> KnownSanction(const StoredPeople& people, const CheckInput& input,
                                        const UserId& user) {
  auto& known = input.memories->Of<ThreadMemory>().sanctions;
  if (const auto found = known.find(user); found != known.end()) return found->second;
  PARLEY_TRY(sanction, people.SanctionOf({input.reader, input.tenant, input.now}, user));
  if (known.size() >= kSanctionsMax) known.clear();
  known.emplace(user, sanction);
  return sanction;
}

// Asks first whether blocks apply here, since that changes with the thread.
Result<bool> IsPairBlocked(const StoredPeople& people, const CheckInput& input,
                           const threads::ThreadRow& head) {
  const auto parties = threads::PartiesOf(head.item);
  if (!parties || parties->one == parties->other || !threads::BlocksHoldIn(head)) return false;
  auto& known = input.memories->Of<ThreadMemory>().pair_blocked;
  if (!known) {
    const threads::People::Asker asker{input.reader, input.tenant, input.now};
    PARLEY_TRY(blocked, people.AreBlocked(asker, parties->one, parties->other));
    known = blocked;
  }
  return *known;
}

protocol::Status FillBarriers(const StoredPeople& people, const CheckInput& input,
                              const threads::WriteBarriers& question, threads::Barriers* barriers) {
  barriers->messaging = people.MessagingIn(input.tenant, question.city);
  if (!question.user) return protocol::Ok();
  PARLEY_TRY(sanction, KnownSanction(people, input, *question.user));
  barriers->Add(sanction, input.now);
  if (!question.head || !threads::IsParty(*question.head, question.user)) return protocol::Ok();
  PARLEY_TRY(blocked, IsPairBlocked(people, input, *question.head));
  barriers->blocked = blocked;
  return protocol::Ok();
}

}  // namespace

void AddPeopleChecks(const CheckParts& parts, threads::Checks* checks) {
  const auto people = std::make_shared<const StoredPeople>(parts.sealer, parts.tenants);
  checks->Add<threads::WriteBarriers>(
      [people](const CheckInput& input, const threads::WriteBarriers& question, threads::Barriers* barriers) {
        return FillBarriers(*people, input, question, barriers);
      });
  checks->Add<threads::Blocking>([people](const CheckInput& input, const threads::Blocking& question,
                                          bool* blocks) -> protocol::Status {
    PARLEY_TRY(found, people->Blocks({input.reader, input.tenant, input.now}, question.by, question.whom));
    *blocks = found;
    return protocol::Ok();
  });
}

}  // namespace parley::features
