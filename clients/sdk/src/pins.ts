import { findMessage, type Timeline } from './timeline.js';
import type { Message, Thread } from './types.js';

/** Pinned messages that lie outside of the window, by id. */
export type FarPins = Readonly<Record<string, Message>>;

/** The thread's list follows from its messages: no event of its own tells that one was pinned or taken down. */
export function withPinOf(thread: Thread, { messageId, pin }: Message): Thread {
  const pins = thread.pins ?? [];
  if (pins.includes(messageId) === (pin !== undefined)) return thread;
  return { ...thread, pins: pin === undefined ? pins.filter((id) => id !== messageId) : [...pins, messageId] };
}

export function withFarPin(far: FarPins, message: Message): FarPins {
  const held = far[message.messageId];
  return held === undefined || held.seq < message.seq ? { ...far, [message.messageId]: message } : far;
}

/** The last one pinned first. A message that was not read yet is undefined. */
export function pinnedMessages(thread: Thread | null, timeline: Timeline, far: FarPins): { messageId: string; message: Message | undefined }[] {
  return [...(thread?.pins ?? [])].reverse().map((messageId) => ({ messageId, message: findMessage(timeline, messageId) ?? far[messageId] }));
}
