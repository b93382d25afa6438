import { bindMethods } from './bound.js';
import type { Frame } from './codec.js';
import { ParleyError } from './errors.js';
import { newClientId } from './ids.js';
import type { Store } from './store.js';
import { holdCard, holdTab } from './thread_state.js';
import type { Card, Fields, Tab, TabName } from './types.js';
import { withoutReservedNames } from './well_formed.js';
import type { ActArgs, CardArgs } from './wire.js';

/**
 * A project's cards and panel tabs: what a user does to them. A refusal that brings the server's copy updates what is
 * held before it is thrown, so the user sees why.
 */
export class Project {
  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly refreshCards: (threadId: string) => void,
  ) {
    bindMethods(this);
  }

  async createCard(threadId: string, args: CardArgs): Promise<Card> {
    const reply = await this.request('card.create', { threadId, ...args });
    return this.holdCard(threadId, reply['card'] as Card);
  }

  /** Acts on the card as the caller saw it. */
  async act(threadId: string, card: Pick<Card, 'messageId' | 'version'>, args: ActArgs): Promise<Card> {
    const { messageId, version } = card;
    try {
      const reply = await this.request('card.act', { threadId, messageId, version, clientId: newClientId(), ...args });
      return this.holdCard(threadId, reply['card'] as Card);
    } catch (error) {
      const current = error instanceof ParleyError ? (error.details.current as Partial<Card> | undefined) : undefined;
      if (current?.messageId === messageId) this.holdCard(threadId, current as Card);
      this.refreshCards(threadId);
      throw error;
    }
  }

  private holdCard(threadId: string, card: Card): Card {
    this.store.updateThread(threadId, (thread) => holdCard(thread, card));
    return card;
  }

  async readTab(threadId: string, tab: TabName): Promise<Tab> {
    const reply = await this.request('tab.get', { threadId, tab });
    return this.holdTab(threadId, reply['tab'] as Tab);
  }

  /** `version` is the one this content is based on. Rejects with PANEL_VERSION_CONFLICT; conflictingTab() has theirs. */
  async putTab(threadId: string, tab: TabName, version: number, content: Fields): Promise<Tab> {
    try {
      const reply = await this.request('tab.put', { threadId, tab, version, content: withoutReservedNames(content) });
      return this.holdTab(threadId, reply['tab'] as Tab);
    } catch (error) {
      const theirs = conflictingTab(error);
      if (theirs !== null) this.holdTab(threadId, theirs);
      throw error;
    }
  }

  private holdTab(threadId: string, tab: Tab): Tab {
    this.store.updateThread(threadId, (thread) => holdTab(thread, tab));
    return tab;
  }
}

/** The server's copy of a tab that somebody else wrote meanwhile; null if the error is another. */
export function conflictingTab(error: unknown): Tab | null {
  if (!(error instanceof ParleyError) || error.code !== 'PANEL_VERSION_CONFLICT') return null;
  return (error.details.current as Tab | undefined) ?? null;
}
