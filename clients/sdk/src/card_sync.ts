import type { Frame } from './codec.js';
import type { Store } from './store.js';
import { holdCard } from './thread_state.js';
import type { Card } from './types.js';
import type { OpenReply } from './wire.js';

const kPage = 200;

/**
 * Maintains the list of actions that the viewer may take on each card. Events are the same for everyone and omit it,
 * and an action on one card can change the actions of another. So after any change the list is requested again: one
 * request at a time per thread, and one more if something changed during it.
 */
export class CardSync {
  /** Threads with a request in flight; true: request once more after it. */
  private readonly asking = new Map<string, boolean>();

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
  ) {}

  /**
   * Call after `thread.open`. If its reply contained the open cards, only ended cards are missing: they have no
   * actions, but the list shows how they ended. Skips the request if the thread has no ended card on screen.
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
    if (this.store.thread(threadId)?.thread?.kind !== 'project') return; // only projects have cards
    if (this.asking.has(threadId)) return void this.asking.set(threadId, true);
    try {
      do {
        this.asking.set(threadId, false);
        this.hold(threadId, await this.request('card.list', { threadId, limit: kPage }));
      } while (this.asking.get(threadId) === true);
    } catch {
      return; // cards show no buttons until the next hello or change requests the list again
    } finally {
      this.asking.delete(threadId);
    }
  }
}
