// An interface for facts about two users beyond the threads' own rows: shared projects, a user's contact
// filter, the caller's credits. Commands that write to a stranger use it; features/requests implements it
// with the inbox index and the users' records.
//
// Thread contract: any executor's thread. May read the disk: a record or two, and the index of the caller's
// inbox.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "threads/engine/transaction.h"

namespace parley::threads {

class Contacts {
 public:
  // The input of a query: the store including the batch's own decisions, and the time.
  struct Asker {
    const storage::Reader& reader;
    protocol::Time now;
  };
  virtual ~Contacts() = default;
  // The users in `others` who share a project with the caller.
  virtual Result<std::set<UserId>> ShareProject(const Asker& asker, const Caller& caller,
                                                const std::set<UserId>& others) const = 0;
  virtual Result<Reception> ReceptionOf(const Asker& asker, const Caller& caller, const UserId& other,
                                        const std::set<std::string>& said) const = 0;
  virtual Result<std::optional<int64_t>> CreditsOf(const Asker& asker, const Caller& caller) const = 0;
};

}  // namespace parley::threads
