// Checks the arguments of thread.create and derives the new thread from them. Pure functions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "protocol/ops/lifecycle.h"
#include "threads/engine/transaction.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using CreateArgs = protocol::ThreadCreate::Args;

// Checks everything that does not depend on state: fields that the kind forbids or requires.
protocol::Status CheckShape(const Caller& caller, const CreateArgs& args);

// The names of the proofs that the creator gives to a stranger's filter: in `contact`, `city` and `brief`.
std::set<std::string> SaidIn(const CreateArgs& args);

// Whether it creates a project that no service has bound to a booking, which is subject to requests like any
// other thread.
bool IsUnbound(const Caller& caller, const CreateArgs& args);
protocol::Status MayCreate(const Caller& caller, const CreateArgs& args, bool user_projects);
protocol::Status CheckContent(const CreateArgs& args, const SizeLimits& limits);

// Whether the user will be a member: named, or the creator of a thread without sides.
bool IsNamed(const UserId& user, const Caller& caller, const CreateArgs& args);

// The two parties of the new thread; nullopt for groups. REQUIRES: CheckShape, and for a direct thread
// MayCreate.
std::optional<Parties> PartiesOf(const Caller& caller, const CreateArgs& args);

// The first members in order: buyer and seller, or the creator; then the others once each. REQUIRES: as
// above.
std::vector<ParticipantRow> Joining(const Caller& caller, const CreateArgs& args, protocol::Time now);

ThreadRow NewHead(const ThreadId& id, const Caller& caller, const CreateArgs& args,
                  const std::vector<ParticipantRow>& joining, protocol::Time now);

}  // namespace parley::threads
