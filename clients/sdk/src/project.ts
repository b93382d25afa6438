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
 * Acts on a project's cards and writes its panel tabs. If an error contains the server's copy, the state takes it
 * over before the error is thrown, so the user sees why.
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

  /** Acts on the version of the card that the caller saw. */
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

  /**
   * `version` is the one that the content is based on. Rejects with PANEL_VERSION_CONFLICT; conflictingTab() returns
   * the other version.
   */
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

/** Returns the server's copy of a tab that another user changed first, or null for any other error. */
export function conflictingTab(error: unknown): Tab | null {
  if (!(error instanceof ParleyError) || error.code !== 'PANEL_VERSION_CONFLICT') return null;
  return (error.details.current as Tab | undefined) ?? null;
}
