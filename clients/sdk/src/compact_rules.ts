// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.

/** How to restore a field that may be left out. */
export interface CompactRule {
  readonly default?: unknown;
  /** In an event, a missing field has the same value as in the frame. */
  readonly frame?: boolean;
  /** The type of the item in the field, or of each item in its list. */
  readonly of?: string;
}

export interface CompactRules {
  readonly items: Readonly<Record<string, Readonly<Record<string, CompactRule>>>>;
  /** By event: the fields that contain an item, and its type. */
  readonly events: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By op: the lists of items, and their type. */
  readonly replies: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const kCompactRules: CompactRules = {
  items: {
    'ShotProgress': { done: { default: 0 }, total: { default: 0 } },
    'Thread': { threadId: { frame: true }, subject: { default: null }, lbgId: { default: null }, legId: { default: null }, buyerUserId: { default: null }, sellerUserId: { default: null }, participants: { default: [] }, participantCount: { default: 0 }, city: { default: null }, lastMessageAt: { default: null }, lastSeq: { default: 0 }, lastMsgNo: { default: 0 }, safeModeRequired: { default: false }, meetingAt: { default: null }, panelVersion: { default: null }, shotlist: { default: null, of: 'ShotProgress' }, pins: { default: null }, disputeMessageId: { default: null }, version: { default: 0 }, seq: { default: 0, frame: true } },
    'Participant': { lastReadMsgId: { default: null }, lastReadAt: { default: null }, removedAt: { default: null }, seq: { default: 0, frame: true } },
    'FileVariant': { w: { default: null }, h: { default: null }, size: { default: 0 } },
    'Attachment': { s3Key: { default: null }, manifestRef: { default: null }, mime: { default: null }, w: { default: null }, h: { default: null }, variants: { of: 'FileVariant' } },
    'MessageAction': { version: { default: 0 } },
    'MessageFlags': { moderation: { default: 'clean' }, policyHints: { default: [] } },
    'Reaction': { userIds: { default: [] } },
    'Message': { threadId: { frame: true }, seq: { default: 0, frame: true }, msgNo: { default: 0 }, type: { default: 'text' }, attachments: { default: [], of: 'Attachment' }, action: { default: null, of: 'MessageAction' }, authorUserId: { default: null }, nsfwBand: { default: 0 }, flags: { default: {}, of: 'MessageFlags' }, clientId: { default: null }, replyTo: { default: null }, editedAt: { default: null }, deletedAt: { default: null }, reactions: { default: [], of: 'Reaction' } },
    'CardAwaiting': { by: { default: null } },
    'OwnTransition': { from: { default: null }, by: { default: null } },
    'Card': { version: { default: 0 }, expiresAt: { default: null }, lastIntent: { default: null }, seq: { default: 0, frame: true }, note: { default: null }, error: { default: null }, awaiting: { default: null, of: 'CardAwaiting' }, supersedes: { default: null }, supersededBy: { default: null }, allowedTransitions: { default: null, of: 'OwnTransition' }, open: { default: null } },
    'Tab': { version: { default: 0 }, updatedBy: { default: null }, seq: { default: 0, frame: true }, shotlist: { of: 'ShotProgress' } },
    'LastMessage': { authorUserId: { default: null }, type: { default: 'text' } },
    'MessageRequest': { creditCost: { default: 0 } },
    'Entry': { subject: { default: null }, lastMessageAt: { default: null }, lastSeq: { default: 0 }, unread: { default: 0 }, lastMessage: { default: null, of: 'LastMessage' }, pinned: { default: false }, archived: { default: false }, muted: { default: false }, mutedUntil: { default: null }, label: { default: null }, request: { default: null, of: 'MessageRequest' }, openCards: { default: 0 }, snoozedUntil: { default: null }, createdAt: { default: null }, safeModeRequired: { default: null }, readNo: { default: null }, blockedUntil: { default: null } },
  },
  events: {
    'thread.created': { item: 'Thread' },
    'thread.updated': { item: 'Thread' },
    'participant.added': { item: 'Participant' },
    'participant.updated': { item: 'Participant' },
    'participant.removed': { item: 'Participant' },
    'message.created': { item: 'Message' },
    'message.updated': { item: 'Message' },
    'card.updated': { item: 'Card' },
    'tab.updated': { item: 'Tab' },
    'inbox.updated': { entry: 'Entry' },
  },
  replies: {
    'card.list': { cards: 'Card' },
    'inbox.list': { entries: 'Entry' },
    'message.list': { messages: 'Message' },
    'moderation.threads': { threads: 'Thread' },
    'participant.list': { participants: 'Participant' },
    'thread.byProject': { threads: 'Thread' },
    'thread.changes': { changes: 'Change' },
    'thread.get': { participants: 'Participant', tabs: 'Tab' },
    'thread.open': { participants: 'Participant', tabs: 'Tab', messages: 'Message', cards: 'Card', changes: 'Change' },
  },
};
