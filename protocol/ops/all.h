// Every op: its name, args and reply, and how it may be called. To add an op, add a struct to one of the
// headers included here and its name to AllOps; the router then does not compile until the op has a
// handler.
#pragma once

#include "protocol/ops/audit.h"
#include "protocol/ops/blocks.h"
#include "protocol/ops/cards.h"
#include "protocol/ops/clock.h"
#include "protocol/ops/inbox.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/members.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/moderation.h"
#include "protocol/ops/panel.h"
#include "protocol/ops/presence.h"
#include "protocol/ops/requests.h"
#include "protocol/ops/session.h"
#include "protocol/ops/staff.h"
#include "protocol/ops/users.h"

namespace parley::protocol {

template <class... Ops>
struct OpList {};

using AllOps =
    OpList<SessionHello, SessionPing, SessionRefresh, ThreadCreate, ThreadGet, ThreadOpen, ThreadClose,
           ThreadChanges, ThreadUpdate, ThreadPromote, ThreadSetStatus, ThreadByProject, ParticipantAdd,
           ParticipantRemove, ParticipantUpdate, ParticipantList, ParticipantMute, InboxList, InboxCounts,
           InboxExplain, InboxSet, ReadMark, MessageSend, MessageList, MessageEdit, MessageDelete,
           MessageReact, MessagePin, TabGet, TabPut, ThreadSchedule, ThreadBroadcast, CardCreate, CardAct,
           CardList, CardResolve, OutboxList, OutboxAck, ModerationAudit, ThreadAudit, MessageHistory,
           TypingSet, PresenceGet, UserGet, UserBlock, UserUnblock, UserBlocks, ModerationUser,
           ThreadSetBooking, MessageReport, ThreadReport, UserReport, ModerationQueue, ModerationCaseOp,
           ModerationDecide, ModerationMessage, ModerationResetLadder, ModerationThreads, RequestAccept,
           RequestDecline, RequestBlock, ContactFilterGet, ContactFilterSet>;

template <class F, class... Ops>
void ForEachOp(OpList<Ops...>, F&& f) {
  (f.template operator()<Ops>(), ...);
}

}  // namespace parley::protocol
