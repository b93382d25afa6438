import type { Frame } from './codec.js';
import type { Store } from './store.js';
import { holdCard } from './thread_state.js';
import type { Card } from './types.js';

const kPage = 200;

/**
 * Keeps what the viewer may do with each card. Events go to everybody and do not say; and a card can open or close
 * what is possible with another. So after any change the list is asked for again: one request at a time per thread,
 * and one more if something changed meanwhile.
 */
export class CardSync {
  /** Threads whose list is being asked for; true: once more after that. */
  private readonly asking = new Map<string, boolean>();

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {}

  async refresh(threadId: string): Promise<void> {
    if (this.store.thread(threadId)?.thread?.kind !== 'project') return; // inquiries have no cards
    if (this.asking.has(threadId)) return void this.asking.set(threadId, true);
    try {
      do {
        this.asking.set(threadId, false);
        const { cards } = (await this.request('card.list', { threadId, limit: kPage })) as { cards?: Card[] };
        this.store.updateThread(threadId, (thread) => (cards ?? []).reduce(holdCard, thread));
      } while (this.asking.get(threadId) === true);
    } catch {
      return; // without the list cards show no buttons; the next hello or change asks again
    } finally {
      this.asking.delete(threadId);
    }
  }
}
