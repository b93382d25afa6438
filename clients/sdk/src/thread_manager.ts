import { CardSync } from './card_sync.js';
import type { Frame } from './codec.js';
import { hintOf, ParleyError } from './errors.js';
import { ofThread } from './outbox.js';
import type { Sender } from './sender.js';
import { advance, classify, synced } from './seq_tracker.js';
import type { Store } from './store.js';
import { applyChanges, applyEvent, disconnected as disconnectedThread, emptyThread, mergePeople, opened, rejoined, resuming } from './thread_state.js';
import { unreadAbove } from './timeline_opening.js';
import { Turns } from './turns.js';
import type { Message, Participant } from './types.js';
import type { ChangesReply, HelloReply, OpenReply, SharedEvent } from './wire.js';

// Threads kept in memory for switching back at once, each with at most kTimelineMax messages.
export const kThreadsHeld = 5;
export const kThreadsHeldMax = 100;
const kOpeningMax = 3; // after a reconnect
const kPage = 50;
const kPeoplePages = 5;
const kSyncedWaitMs = 15_000;

/**
 * Opens, resumes and repairs the threads on screen. Each held thread is one ThreadState in the store; this class
 * decides which requests to send and when.
 */
export class ThreadManager {
  /** Least recently shown first. */
  private order: string[] = [];
  private readonly repairing = new Set<string>();
  private readonly awaitingSynced = new Map<string, () => void>();
  private readonly opening = new Set<string>();
  private readonly turns = new Turns(kOpeningMax);
  private readonly cards: CardSync;

  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly notify: (op: string, args: Frame) => void,
    private readonly sender: Sender,
    private readonly toUnread: (threadId: string) => Promise<void>,
    private readonly heldMax = kThreadsHeld,
  ) {
    this.cards = new CardSync(store, request);
  }

  /** Requests the actions that the viewer may take on the cards. */
  refreshCards(threadId: string): void {
    void this.cards.refresh(threadId);
  }

  /** Shows a thread: from memory if it is held, else by `thread.open`, now or after the next hello. */
  show(threadId: string): void {
    this.order = [...this.order.filter((id) => id !== threadId), threadId];
    const held = this.store.thread(threadId);
    if (held === undefined) {
      this.store.update({ threads: { ...this.store.get().threads, [threadId]: emptyThread(threadId) } });
      while (this.order.length > this.heldMax) this.drop(this.order[0]!, true);
    }
    if (held === undefined || (held.failure !== null && !this.opening.has(threadId))) void this.load(threadId);
  }

  /** Reads an accepted request's thread if it is on screen and could not be read before. */
  letIn(threadId: string): void {
    const held = this.store.thread(threadId);
    if (held === undefined || held.failure === null) return; // a group hides a pending request, so its read did not fail
    this.store.updateThread(threadId, (thread) => ({ ...thread, failure: null, failureCode: null }));
    void this.load(threadId);
  }

  /** Reads a failed thread again once it has an entry: the viewer was added again. */
  cameBack(threadId: string): void {
    if (this.store.thread(threadId)?.failureCode !== 'MSG_GATE_REQUIRED') this.letIn(threadId);
  }

  drop(threadId: string, tellServer: boolean): void {
    this.order = this.order.filter((id) => id !== threadId);
    const threads = { ...this.store.get().threads };
    delete threads[threadId];
    this.store.update({ threads });
    this.sender.settle(threadId);
    if (tellServer) this.notify('thread.close', { threadId });
  }

  /** Returns the held seq of each loaded thread, for the next hello. */
  held(): Record<string, number> {
    const loaded = Object.values(this.store.get().threads).filter((thread) => thread.loaded);
    return Object.fromEntries(loaded.map((thread) => [thread.threadId, thread.tracker.held]));
  }

  /** REQUIRES: called before the first event of the new session. */
  resume(reply: HelloReply): Promise<void> {
    const work = [...this.order].reverse().map((threadId) =>
      this.store.thread(threadId)?.loaded === true && reply.resumed?.[threadId] === 'ok'
        ? this.catchUp(threadId)
        : this.turns.take(() => this.reload(threadId)), // `reset`; `gone`, whose error has the hint; or never loaded
    );
    return Promise.all(work).then(() => undefined);
  }

  /** Loads the thread, unless it was evicted while it waited for its turn. */
  private async reload(threadId: string): Promise<void> {
    if (this.store.thread(threadId) !== undefined) await this.load(threadId);
  }

  /** Waits for the thread's catch-up, then opens it again: presence, typing and read cursors are per session. */
  private async catchUp(threadId: string): Promise<void> {
    this.store.updateThread(threadId, resuming);
    await this.synced(threadId);
    const held = this.store.thread(threadId);
    if (held === undefined) return;
    try {
      const args = { threadId, afterSeq: held.tracker.held, limit: 1 };
      const reply = (await this.turns.take(() => this.request('thread.open', args))) as unknown as OpenReply;
      if (reply.reset === true) return await this.load(threadId);
      this.store.updateThread(threadId, (thread) => rejoined(thread, reply));
      this.reconcile(threadId);
      void this.cards.opened(threadId, reply);
    } catch (error) {
      this.fail(threadId, hintOf(error), error);
    }
  }

  private synced(threadId: string): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.awaitingSynced.delete(threadId);
        resolve();
      };
      const timer = setTimeout(done, kSyncedWaitMs);
      this.awaitingSynced.set(threadId, done);
    });
  }

  onSynced(threadId: string, seq: number): void {
    this.store.updateThread(threadId, (thread) => ({ ...thread, tracker: synced(thread.tracker, seq) }));
    this.awaitingSynced.get(threadId)?.();
  }

  /** The session ended: `thread.synced` will not arrive any more, and presence and typing are unknown. */
  onDisconnected(): void {
    for (const threadId of this.order) this.store.updateThread(threadId, disconnectedThread);
    for (const done of [...this.awaitingSynced.values()]) done();
  }

  /** Loads the whole thread: when first opened, after a reset, or if changes cannot repair it. */
  async load(threadId: string): Promise<void> {
    this.opening.add(threadId);
    try {
      const reply = (await this.request('thread.open', { threadId, limit: kPage })) as unknown as OpenReply;
      const first = this.store.thread(threadId)?.timeline.messages.length === 0;
      this.store.updateThread(threadId, (thread) => {
        const state = opened(thread, reply);
        return { ...state, placing: first && unreadAbove(state) };
      });
      this.reconcile(threadId);
      void this.cards.opened(threadId, reply);
      if (this.store.thread(threadId)?.placing === true) await this.place(threadId);
      await this.loadPeople(threadId, reply);
    } catch (error) {
      this.fail(threadId, hintOf(error), error);
    } finally {
      this.opening.delete(threadId);
    }
  }

  /** Moves the window to the first unread message; shows the thread even if that fails. */
  private async place(threadId: string): Promise<void> {
    try {
      await this.toUnread(threadId);
    } catch {
      // on an error the window stays at the newest message
    } finally {
      this.store.updateThread(threadId, (thread) => ({ ...thread, placing: false }));
    }
  }

  /** `thread.open` may name only the first participants of a large thread. */
  private async loadPeople(threadId: string, opened: OpenReply): Promise<void> {
    if (opened.participants.length >= opened.thread.participantCount) return;
    let cursor: string | null = null;
    for (let page = 0; page < kPeoplePages; ++page) {
      const args: Frame = { threadId, limit: 100 };
      if (cursor !== null) args['cursor'] = cursor;
      const reply = (await this.request('participant.list', args)) as { participants: Participant[]; cursor: string | null };
      this.store.updateThread(threadId, (thread) => ({
        ...thread,
        participants: mergePeople(thread.participants, reply.participants),
      }));
      cursor = reply.cursor;
      if (cursor === null) return;
    }
  }

  /**
   * Marks a thread as failed, except after a lost connection: then the data stays, and the next hello resumes from
   * it.
   */
  fail(threadId: string, hint: string, error?: unknown): void {
    if (error instanceof ParleyError && error.code === 'DISCONNECTED') return;
    this.store.updateThread(threadId, (thread) => ({ ...thread, loaded: false, failure: hint, failureCode: error instanceof ParleyError ? error.code : null }));
  }

  /** Returns true if the thread is held and the event was applied. */
  onShared(event: SharedEvent): boolean {
    const held = this.store.thread(event.threadId);
    if (held === undefined || !held.loaded) return false; // the reply that loads it contains this event
    const arrival = classify(held.tracker, event.seq);
    this.store.updateThread(event.threadId, (thread) => {
      const applied = applyEvent(thread, event);
      return arrival === 'next' ? { ...applied, tracker: advance(applied.tracker, event.seq) } : applied;
    });
    if (event.ev.startsWith('message.')) {
      this.sender.saw([event.item as Message]);
    }
    // The allowed actions also change when a thread opens, locks or becomes a project.
    if (event.ev === 'card.updated' || event.ev === 'thread.updated') this.refreshCards(event.threadId);
    if (arrival === 'hole') void this.repair(event.threadId);
    return true;
  }

  /**
   * Reads the changes in a hole of the seqs. `held` advances page by page, so an interrupted repair resumes
   * correctly.
   */
  private async repair(threadId: string): Promise<void> {
    if (this.repairing.has(threadId)) return;
    this.repairing.add(threadId);
    try {
      for (let more = true; more; ) {
        const thread = this.store.thread(threadId);
        if (thread === undefined) return;
        const args = { threadId, afterSeq: thread.tracker.held, limit: 200 };
        const reply = (await this.request('thread.changes', args)) as unknown as ChangesReply;
        if (reply.reset === true) return await this.load(threadId);
        more = reply.more && reply.changes.length > 0;
        const known = more ? reply.changes.at(-1)!.seq : reply.lastSeq;
        this.store.updateThread(threadId, (held) => {
          const changed = applyChanges(held, reply.changes);
          return { ...changed, tracker: synced(changed.tracker, known) };
        });
      }
      this.reconcile(threadId);
      this.refreshCards(threadId);
    } catch (error) {
      if (!(error instanceof ParleyError && error.code === 'DISCONNECTED')) await this.load(threadId);
    } finally {
      this.repairing.delete(threadId);
    }
  }

  /** Removes own sends from the outbox that are in the window. */
  private reconcile(threadId: string): void {
    const thread = this.store.thread(threadId);
    if (thread === undefined || ofThread(this.store.get().outbox, threadId).length === 0) return;
    this.sender.saw(thread.timeline.messages);
    this.sender.settle(threadId);
  }
}
