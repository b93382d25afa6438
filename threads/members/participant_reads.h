// participant.list: the members of a thread, page by page.
#pragma once

#include "protocol/ops/members.h"
#include "threads/model/read_context.h"

namespace parley::threads {

ReadAnswer ListParticipants(const ReadContext& context, const protocol::ParticipantList::Args& args);

}  // namespace parley::threads
