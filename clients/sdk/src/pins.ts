import { findMessage, type Timeline } from './timeline.js';
import type { Message, Thread } from './types.js';

/** Pinned messages outside of the window, by id. */
export type FarPins = Readonly<Record<string, Message>>;

/** Updates the thread's list from a message, because pinning has no event of its own. */
export function withPinOf(thread: Thread, { messageId, pin }: Message): Thread {
  const pins = thread.pins ?? [];
  if (pins.includes(messageId) === (pin !== undefined)) return thread;
  return { ...thread, pins: pin === undefined ? pins.filter((id) => id !== messageId) : [...pins, messageId] };
}

export function withFarPin(far: FarPins, message: Message): FarPins {
  const held = far[message.messageId];
  return held === undefined || held.seq < message.seq ? { ...far, [message.messageId]: message } : far;
}

/** Returns pinned messages, the last pinned first; undefined for a message that is not loaded. */
export function pinnedMessages(thread: Thread | null, timeline: Timeline, far: FarPins): { messageId: string; message: Message | undefined }[] {
  return [...(thread?.pins ?? [])].reverse().map((messageId) => ({ messageId, message: findMessage(timeline, messageId) ?? far[messageId] }));
}
