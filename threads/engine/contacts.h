// What is known of two users beyond the threads' own rows, for those who want to write to a stranger: an
// interface of ours. gateway/ wires it to the index of inboxes and to the users' records.
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
  // Who asks: what they see (the store, and what they have decided themselves), and when.
  struct Asker {
    const storage::Reader& reader;
    protocol::Time now;
  };
  virtual ~Contacts() = default;
  // Those of `others` who are members of one project with the caller.
  virtual Result<std::set<UserId>> ShareProject(const Asker& asker, const Caller& caller,
                                                const std::set<UserId>& others) const = 0;
  virtual Result<Reception> ReceptionOf(const Asker& asker, const Caller& caller, const UserId& other,
                                        const std::set<std::string>& said) const = 0;
  virtual Result<std::optional<int64_t>> CreditsOf(const Asker& asker, const Caller& caller) const = 0;
};

}  // namespace parley::threads
