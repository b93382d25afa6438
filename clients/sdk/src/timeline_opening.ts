import type { ThreadState } from './thread_state.js';
import { oldest } from './timeline.js';
import type { Me, Message } from './types.js';

const kPage = 200;
const kPagesMax = 5;
const kBeforeAll = 'msg_00000000000000000000000000';

/** Returns true if the first unread message lies above the window, which is the newest page. */
export function unreadAbove({ me, timeline }: Pick<ThreadState, 'me' | 'timeline'>): boolean {
  const first = oldest(timeline);
  return me?.readNo !== undefined && timeline.hasOlder && first !== undefined && first.msgNo > me.readNo + 1;
}

/**
 * Returns the id of the first unread message, or null if it was not found. It comes right after the read cursor,
 * unless the viewer joined or wrote after that; then a limited number of pages is searched.
 */
export async function firstUnreadId(me: Me, listAfter: (after: string, limit: number) => Promise<readonly Message[]>): Promise<string | null> {
  let after = me.lastReadMsgId ?? kBeforeAll;
  for (let page = 0; page <= kPagesMax; ++page) {
    const messages = await listAfter(after, page === 0 ? 1 : kPage);
    const found = messages.find(({ msgNo }) => msgNo > (me.readNo ?? 0));
    const last = messages.at(-1);
    if (found !== undefined) return found.messageId;
    if (last === undefined) return null;
    after = last.messageId;
  }
  return null;
}
