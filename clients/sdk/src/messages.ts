import { bindMethods } from './bound.js';
import type { Frame } from './codec.js';
import type { Pager } from './pager.js';
import { pinnedMessages, withFarPin } from './pins.js';
import type { Store } from './store.js';
import { applyChanges } from './thread_state.js';
import type { Message } from './types.js';
import type { MessageVersion } from './wire.js';

const kVersionsMax = 200;

/** Edits, deletes, reacts to and pins existing messages. The effect appears with the event or with the reply's item. */
export class Messages {
  constructor(
    private readonly store: Store,
    private readonly request: (op: string, args: Frame) => Promise<Frame>,
    private readonly pager: Pager,
  ) {
    bindMethods(this);
  }

  edit(threadId: string, messageId: string, body: string): Promise<void> {
    return this.change('message.edit', { threadId, messageId, body });
  }

  delete(threadId: string, messageId: string): Promise<void> {
    return this.change('message.delete', { threadId, messageId });
  }

  pin(threadId: string, messageId: string, pinned: boolean): Promise<void> {
    return this.change('message.pin', { threadId, messageId, pinned });
  }

  /** The reply has no seq, so it cannot be ordered against other copies: wait for the event. */
  async react(threadId: string, messageId: string, emoji: string, on: boolean): Promise<void> {
    await this.request('message.react', { threadId, messageId, emoji, on });
  }

  /** Returns the earlier versions of a message, the last change first. Staff only; the access log records the call. */
  async history(threadId: string, messageId: string): Promise<MessageVersion[]> {
    const reply = await this.request('message.history', { threadId, messageId, limit: kVersionsMax });
    return (reply['versions'] as MessageVersion[] | undefined) ?? [];
  }

  /** Reads those of the `most` last pinned messages that are outside of the window. */
  async loadPins(threadId: string, most: number): Promise<void> {
    const held = this.store.thread(threadId);
    if (held === undefined) return;
    for (const { messageId, message } of pinnedMessages(held.thread, held.timeline, held.farPins).slice(0, most)) {
      if (message !== undefined) continue;
      const read = await this.pager.one(threadId, messageId);
      if (read === undefined) continue;
      this.store.updateThread(threadId, (thread) => ({ ...thread, farPins: withFarPin(thread.farPins, read) }));
    }
  }

  private async change(op: string, args: Frame & { threadId: string }): Promise<void> {
    const item = (await this.request(op, args))['message'] as Message;
    this.store.updateThread(args.threadId, (thread) => applyChanges(thread, [{ seq: item.seq, kind: 'message', item }]));
  }
}
