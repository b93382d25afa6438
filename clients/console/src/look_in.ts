import type { Message, OpenReply, Participant, SharedEvent, Thread } from '@parley/sdk';

/** A conversation as staff read it. */
export interface LookIn {
  thread: Thread;
  participants: readonly Participant[];
  /** Oldest first. */
  messages: readonly Message[];
  /** Cursor to older messages; null: all are loaded. */
  cursor: string | null;
}

export function lookInOf({ thread, participants, messages, cursor }: OpenReply): LookIn {
  return { thread, participants, messages: inOrder(messages), cursor };
}

function inOrder(messages: readonly Message[]): Message[] {
  return [...messages].sort((a, b) => a.msgNo - b.msgNo);
}

/** Adds or replaces a message; ignores a copy older than the held one. */
export function withMessage(held: LookIn, message: Message): LookIn {
  const known = held.messages.find(({ messageId }) => messageId === message.messageId);
  if (known !== undefined && known.seq > message.seq) return held;
  const others = held.messages.filter(({ messageId }) => messageId !== message.messageId);
  const oldest = held.messages[0];
  // A change above the loaded messages is read with its page.
  if (known === undefined && held.cursor !== null && oldest !== undefined && message.msgNo < oldest.msgNo) return held;
  return { ...held, messages: inOrder([...others, message]) };
}

/** Adds a page of older messages. */
export function withOlder(held: LookIn, messages: readonly Message[], cursor: string | null): LookIn {
  const known = new Set(held.messages.map(({ messageId }) => messageId));
  return { ...held, messages: inOrder([...messages.filter(({ messageId }) => !known.has(messageId)), ...held.messages]), cursor };
}

/** Applies an event of the conversation. Joins and leaves appear only when it is read again. */
export function withEvent(held: LookIn, event: SharedEvent): LookIn {
  if (event.threadId !== held.thread.threadId) return held;
  if (event.ev === 'message.created' || event.ev === 'message.updated') return withMessage(held, event.item as Message);
  return event.ev === 'thread.updated' ? { ...held, thread: { ...held.thread, ...(event.item as Thread) } } : held;
}
