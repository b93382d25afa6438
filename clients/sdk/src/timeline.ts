import type { Message } from './types.js';

/**
 * A contiguous window of one thread's messages, as an immutable value.
 *
 * Invariants: ordered by msgNo, each msgNo at most once, at most kTimelineMax messages, and no hole inside once the
 * thread is synced. `hasOlder` and `hasNewer` are true if the thread continues beyond that end. If two copies of a
 * message meet, the higher seq wins, so pages, catch-up and live events may overlap in any order.
 */
export interface Timeline {
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export const kTimelineMax = 600;
export const kEmptyTimeline: Timeline = { messages: [], hasOlder: false, hasNewer: false };

/** Index of the first message with msgNo >= `msgNo`. */
function lowerBound(messages: readonly Message[], msgNo: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (messages[middle]!.msgNo < msgNo) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function newestMsgNo(timeline: Timeline): number {
  return timeline.messages.at(-1)?.msgNo ?? 0;
}

export function oldest(timeline: Timeline): Message | undefined {
  return timeline.messages[0];
}

export function newest(timeline: Timeline): Message | undefined {
  return timeline.messages.at(-1);
}

export function findMessage(timeline: Timeline, messageId: string): Message | undefined {
  return timeline.messages.find((message) => message.messageId === messageId);
}

/** Makes a window from a first page (in either order): the reply of `thread.open` or of `message.list` without cursor. */
export function fromPage(page: readonly Message[], cursor: string | null): Timeline {
  return mergePage({ ...kEmptyTimeline, hasOlder: cursor !== null }, page);
}

function mergePage(timeline: Timeline, page: readonly Message[]): Timeline {
  const byNo = new Map<number, Message>();
  for (const message of [...timeline.messages, ...page]) {
    const held = byNo.get(message.msgNo);
    if (held === undefined || held.seq <= message.seq) byNo.set(message.msgNo, message);
  }
  const messages = [...byNo.values()].sort((a, b) => a.msgNo - b.msgNo);
  return { ...timeline, messages };
}

/** Adds an older page at the front. Above the limit, drops the newest end, which the reader has scrolled away from. */
export function withOlder(timeline: Timeline, page: readonly Message[], cursor: string | null): Timeline {
  const merged = { ...mergePage(timeline, page), hasOlder: cursor !== null };
  if (merged.messages.length <= kTimelineMax) return merged;
  return { ...merged, messages: merged.messages.slice(0, kTimelineMax), hasNewer: true };
}

/** Adds a newer page at the end. Above the limit, drops the oldest end. */
export function withNewer(timeline: Timeline, page: readonly Message[], cursor: string | null): Timeline {
  return trimOldest({ ...mergePage(timeline, page), hasNewer: cursor !== null });
}

function trimOldest(timeline: Timeline): Timeline {
  if (timeline.messages.length <= kTimelineMax) return timeline;
  return { ...timeline, messages: timeline.messages.slice(-kTimelineMax), hasOlder: true };
}

/**
 * Applies one message in its latest state, from an event or a change. It replaces an older copy, or is inserted if it
 * lies in the window; a message beyond an end that is not loaded is left to a later page. Catch-up may deliver
 * message 6 before message 5 (which was edited since), so a hole inside is filled later, not rejected.
 */
export function upsert(timeline: Timeline, message: Message): Timeline {
  const { messages } = timeline;
  const at = lowerBound(messages, message.msgNo);
  const held = messages[at];
  if (held?.msgNo === message.msgNo) {
    return held.seq >= message.seq ? timeline : { ...timeline, messages: replaced(messages, at, 1, message) };
  }
  if (at === 0 && timeline.hasOlder) return timeline;
  if (at === messages.length && timeline.hasNewer) return timeline;
  return trimOldest({ ...timeline, messages: replaced(messages, at, 0, message) });
}

function replaced(messages: readonly Message[], at: number, remove: number, message: Message): readonly Message[] {
  const copy = messages.slice();
  copy.splice(at, remove, message);
  return copy;
}
