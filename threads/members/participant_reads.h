// Reads pages of a thread's members, for participant.list.
#pragma once

#include "protocol/ops/members.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListParticipants(const ReadContext& context, const protocol::ParticipantList::Args& args);

}  // namespace parley::threads
