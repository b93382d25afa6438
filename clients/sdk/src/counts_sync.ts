import type { Frame } from './codec.js';
import { hidden } from './folders.js';
import type { Inbox } from './inbox.js';
import type { Store } from './store.js';
import type { Entry } from './types.js';
import type { Counts } from './wire.js';

// Changes within this time share one request.
const kPauseMs = 300;

/**
 * Maintains the folder totals. They are absolute, so they are requested again after every change that may affect
 * them.
 */
export class CountsSync {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private lastAsked = 0;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly onCounts: (counts: Counts) => void,
  ) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.ask();
    }, kPauseMs);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async ask(): Promise<void> {
    const asked = ++this.lastAsked;
    try {
      const counts = (await this.request('inbox.counts', {})) as unknown as Partial<Counts>;
      if (asked !== this.lastAsked || !Array.isArray(counts.folders)) return;
      this.store.update({ counts: counts as Counts });
      this.onCounts(counts as Counts);
    } catch {
      return; // the next hello or change requests them again
    }
  }
}

/** Returns true if the change of an entry may change a total. */
export function countsOtherwise(before: Entry | undefined, after: Entry | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return before.unread !== after.unread || before.pinned !== after.pinned || hidden(before) !== hidden(after) || before.request?.state !== after.request?.state;
}

/**
 * Returns the unread messages of all visible threads. If the server does not count messages, adds up the held
 * entries, but returns at least the server's number of unread threads.
 */
export function unreadTotal(inbox: Inbox, counts: Counts | null): number {
  if (counts?.unreadMessages !== undefined) return counts.unreadMessages;
  const held = Object.values(inbox.entries).filter((entry) => !hidden(entry));
  const messages = held.reduce((sum, entry) => sum + entry.unread, 0);
  const complete = inbox.folders.all.loaded && inbox.folders.all.cursor === null;
  return complete ? messages : Math.max(messages, unreadThreads(counts));
}

export function unreadThreads(counts: Counts | null): number {
  return counts?.folders.find(({ folder }) => folder === 'unread')?.threads ?? 0;
}
