// What thread.create asks for, as pure functions of its arguments: whether it makes sense, who may ask for
// it, and what the new thread is.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "protocol/ops/lifecycle.h"
#include "threads/engine/transaction.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using CreateArgs = protocol::ThreadCreate::Args;

// What does not depend on state is bad whoever asks: so much of it as the kind refuses or requires.
protocol::Status CheckShape(const Caller& caller, const CreateArgs& args);

// What the creator says that a stranger may ask for, by name: in `contact`, `city` and `brief`.
std::set<std::string> SaidIn(const CreateArgs& args);

// A project that no service has bound to a booking: between strangers, like any other thread.
bool IsUnbound(const Caller& caller, const CreateArgs& args);
protocol::Status MayCreate(const Caller& caller, const CreateArgs& args, bool user_projects);
protocol::Status CheckContent(const CreateArgs& args, const SizeLimits& limits);

// Whether the user will be a member: named, or the creator of a thread without sides.
bool IsNamed(const UserId& user, const Caller& caller, const CreateArgs& args);

// The two that the thread will be between; nothing for groups. REQUIRES: CheckShape, and of a direct thread
// MayCreate.
std::optional<Parties> PartiesOf(const Caller& caller, const CreateArgs& args);

// Who joins, in order: buyer and seller, or the creator; then the others once each. REQUIRES: as above.
std::vector<ParticipantRow> Joining(const Caller& caller, const CreateArgs& args, protocol::Time now);

ThreadRow NewHead(const ThreadId& id, const Caller& caller, const CreateArgs& args,
                  const std::vector<ParticipantRow>& joining, protocol::Time now);

}  // namespace parley::threads
