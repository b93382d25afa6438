// Every op of the core: its name, args and reply, and how it may be called. The ops of features are in
// features/*/ops.h. To add an op, add a struct to one of the headers included here and its name to CoreOps;
// without a row the server does not start.
#pragma once

#include "protocol/ops/cards.h"
#include "protocol/ops/clock.h"
#include "protocol/ops/inbox.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/list.h"
#include "protocol/ops/members.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/panel.h"
#include "protocol/ops/session.h"
#include "protocol/ops/staff.h"

namespace parley::protocol {

using CoreOps = OpList<SessionHello, SessionPing, SessionRefresh, ThreadCreate, ThreadGet, ThreadOpen,
                       ThreadClose, ThreadChanges, ThreadUpdate, ThreadPromote, ThreadSetStatus,
                       ThreadByProject, ParticipantAdd, ParticipantRemove, ParticipantUpdate, ParticipantList,
                       ParticipantMute, InboxList, InboxCounts, InboxExplain, InboxSet, ReadMark, MessageSend,
                       MessageList, MessageEdit, MessageDelete, MessageReact, MessagePin, TabGet, TabPut,
                       ThreadSchedule, CardCreate, CardAct, CardList, CardResolve, OutboxList, OutboxAck,
                       ThreadAudit, MessageHistory, TypingSet, ThreadSetBooking, ModerationMessage>;

}  // namespace parley::protocol
