// The questions about two users that decide whether one may write to the other first. Features answer them
// (threads/engine/checks.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "threads/model/caller.h"

namespace parley::threads {

// Whether `by` blocks `whom`.
struct Blocking {
  using Answer = bool;
  const protocol::UserId& by;
  const protocol::UserId& whom;
};

// The users in `others` who share a project with the caller.
struct SharedProjects {
  using Answer = std::set<protocol::UserId>;
  const Caller& caller;
  const std::set<protocol::UserId>& others;
};

// A user's contact filter applied to a stranger.
struct Reception {
  bool welcome = false;  // the filter has conditions, and the stranger meets them: no request is needed
  std::vector<std::pair<std::string, std::string>> unmet;  // the conditions that are not met, by name
  std::set<std::string> asked;                             // the names of the proofs that the filter asks for
};
// Asks for the reception of the caller, who gives the named proofs, by another user.
struct ReceptionBy {
  using Answer = Reception;
  const Caller& caller;
  const protocol::UserId& user;
  std::set<std::string> said = {};
};

// The caller's credits; nullopt if nothing costs credits.
struct OwnCredits {
  using Answer = std::optional<int64_t>;
  const Caller& caller;
};

}  // namespace parley::threads
