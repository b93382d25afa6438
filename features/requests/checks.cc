#include "features/requests/checks.h"

#include "features/requests/stored_contacts.h"
#include "threads/contacts/questions.h"

namespace parley::features {

void AddRequestChecks(const CheckParts& parts, threads::Checks* checks) {
  const auto contacts =
      std::make_shared<const StoredContacts>(parts.sealer, parts.cursors, parts.requests_of);
  checks->Add<threads::SharedProjects>([contacts](const threads::CheckInput& input,
                                                  const threads::SharedProjects& question,
                                                  std::set<protocol::UserId>* shared) -> protocol::Status {
    PARLEY_TRY(found, contacts->ShareProject(input, question.caller, question.others));
    *shared = std::move(found);
    return protocol::Ok();
  });
  checks->Add<threads::ReceptionBy>([contacts](const threads::CheckInput& input,
                                               const threads::ReceptionBy& question,
                                               threads::Reception* reception) -> protocol::Status {
    PARLEY_TRY(found, contacts->ReceptionOf(input, question.caller, question.user, question.said));
    *reception = std::move(found);
    return protocol::Ok();
  });
  checks->Add<threads::OwnCredits>([contacts](const threads::CheckInput& input,
                                              const threads::OwnCredits& question,
                                              std::optional<int64_t>* credits) -> protocol::Status {
    PARLEY_TRY(found, contacts->CreditsOf(input, question.caller));
    *credits = found;
    return protocol::Ok();
  });
}

}  // namespace parley::features
