import type { Frame } from './codec.js';
import type { Store } from './store.js';
import { holdCard } from './thread_state.js';
import type { Card } from './types.js';
import type { OpenReply } from './wire.js';

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

  /**
   * After `thread.open`. Where its reply told the open cards, only those that ended are missing, and only if the thread has
   * any: they have nothing to press, but say how they ended.
   */
  async opened(threadId: string, { cards }: Pick<OpenReply, 'cards'>): Promise<void> {
    if (cards === undefined) return this.refresh(threadId);
    const held = this.store.thread(threadId);
    const missing = held?.timeline.messages.some(({ type, messageId }) => type === 'action' && held.cards[messageId] === undefined);
    if (missing !== true) return;
    const ended = await this.request('card.list', { threadId, open: false, limit: kPage }).catch(() => null);
    this.hold(threadId, ended);
  }

  private hold(threadId: string, reply: Frame | null): void {
    const cards = (reply?.['cards'] as Card[] | undefined) ?? [];
    this.store.updateThread(threadId, (thread) => cards.reduce(holdCard, thread));
  }

  async refresh(threadId: string): Promise<void> {
    if (this.store.thread(threadId)?.thread?.kind !== 'project') return; // no other kind has cards
    if (this.asking.has(threadId)) return void this.asking.set(threadId, true);
    try {
      do {
        this.asking.set(threadId, false);
        this.hold(threadId, await this.request('card.list', { threadId, limit: kPage }));
      } while (this.asking.get(threadId) === true);
    } catch {
      return; // without the list cards show no buttons; the next hello or change asks again
    } finally {
      this.asking.delete(threadId);
    }
  }
}
