// The list of all ops, by name only, for headers that count them or refer to their order. all.h has the
// structs.
#pragma once

namespace parley::protocol {

template <class... Ops>
struct OpList {};

using AllOps =
    OpList<struct SessionHello, struct SessionPing, struct SessionRefresh, struct ThreadCreate,
           struct ThreadGet, struct ThreadOpen, struct ThreadClose, struct ThreadChanges, struct ThreadUpdate,
           struct ThreadPromote, struct ThreadSetStatus, struct ThreadByProject, struct ParticipantAdd,
           struct ParticipantRemove, struct ParticipantUpdate, struct ParticipantList, struct ParticipantMute,
           struct InboxList, struct InboxCounts, struct InboxExplain, struct InboxSet, struct ReadMark,
           struct MessageSend, struct MessageList, struct MessageEdit, struct MessageDelete,
           struct MessageReact, struct MessagePin, struct TabGet, struct TabPut, struct ThreadSchedule,
           struct ThreadBroadcast, struct CardCreate, struct CardAct, struct CardList, struct CardResolve,
           struct OutboxList, struct OutboxAck, struct ModerationAudit, struct ThreadAudit,
           struct MessageHistory, struct TypingSet, struct PresenceGet, struct UserGet, struct UserBlock,
           struct UserUnblock, struct UserBlocks, struct ModerationUser, struct ThreadSetBooking,
           struct MessageReport, struct ThreadReport, struct UserReport, struct ModerationQueue,
           struct ModerationCaseOp, struct ModerationDecide, struct ModerationMessage,
           struct ModerationResetLadder, struct ModerationThreads, struct RequestAccept,
           struct RequestDecline, struct RequestBlock, struct ContactFilterGet, struct ContactFilterSet>;

}  // namespace parley::protocol
