import type { Frame } from './codec.js';
import { ParleyError } from './errors.js';
import { listed } from './inbox.js';
import type { Store } from './store.js';
import type { Entry } from './types.js';

const kPeopleMax = 300;
const kLookedAt = 60;

/** Without a subject a thread is called after its people, whom an entry does not name beyond its last author. */
function nameless({ subject, lastMessage, kind, gated }: Entry, userId: string): boolean {
  if (gated === true) return false; // its request names who asks, and nothing else is told
  if (subject !== null && subject !== '') return false;
  const author = lastMessage?.authorUserId ?? null;
  return kind === 'group' || author === null || author === userId;
}

/** Learns who is in the threads that the inbox shows and that would have no name otherwise, one at a time. */
export class PeopleSync {
  private readonly asked = new Set<string>();
  private busy = false;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {}

  async look(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let threadId = this.next(); threadId !== undefined; threadId = this.next()) {
        this.asked.add(threadId); // also if it is refused: then it goes without a name
        const { thread } = (await this.request('thread.get', { threadId })) as { thread?: { participants?: string[] } };
        if (thread?.participants !== undefined) this.hold(threadId, thread.participants);
      }
    } catch (error) {
      if (error instanceof ParleyError && error.transient) this.asked.clear(); // the next page asks again
    } finally {
      this.busy = false;
    }
  }

  private next(): string | undefined {
    const { inbox, folder, threads, userId } = this.store.get();
    return listed(inbox, folder)
      .slice(0, kLookedAt)
      .find((entry) => nameless(entry, userId) && threads[entry.threadId] === undefined && !this.asked.has(entry.threadId))?.threadId;
  }

  private hold(threadId: string, userIds: readonly string[]): void {
    const people = { ...this.store.get().people, [threadId]: userIds };
    const ids = Object.keys(people);
    if (ids.length > kPeopleMax) delete people[ids[0]!];
    this.store.update({ people });
  }
}
