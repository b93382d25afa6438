import type { Frame } from './codec.js';
import { ParleyError } from './errors.js';
import { listed } from './inbox.js';
import type { Store } from './store.js';
import type { Entry } from './types.js';

const kPeopleMax = 300;
const kLookedAt = 60;

/**
 * Returns true if the entry needs its participants' names: it has no subject, and the entry names only the last
 * author.
 */
function nameless({ subject, lastMessage, kind, gated }: Entry, userId: string): boolean {
  if (gated === true) return false; // its request names the sender, and the rest is withheld
  if (subject !== null && subject !== '') return false;
  const author = lastMessage?.authorUserId ?? null;
  return kind === 'group' || author === null || author === userId;
}

/** Loads the participants of nameless threads in the inbox, one thread at a time. */
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
        this.asked.add(threadId); // also if the request fails: then the thread has no name
        const { thread } = (await this.request('thread.get', { threadId })) as { thread?: { participants?: string[] } };
        if (thread?.participants !== undefined) this.hold(threadId, thread.participants);
      }
    } catch (error) {
      if (error instanceof ParleyError && error.transient) this.asked.clear(); // the next page retries
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
