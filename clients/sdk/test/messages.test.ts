import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { pinnedMessages } from '../src/pins.js';
import type { Message } from '../src/types.js';
import { FakeServer } from './fake_server.js';
import { message, openReply, range, thread } from './items.js';
import { clientOf, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;
const held = () => client.state.threads['thrd_a']!;
const numbers = (): number[] => held().timeline.messages.map(({ msgNo }) => msgNo);

/** Answers `message.list` as the server does, over messages 1 to 300. */
function list({ before, after, limit }: Record<string, unknown>): { messages: Message[]; cursor: string | null } {
  const no = (id: unknown): number => Number((id as string).slice(4));
  const size = limit as number;
  if (after !== undefined) {
    const last = Math.min(300, no(after) + size);
    return { messages: range(no(after) + 1, last), cursor: last < 300 ? 'more' : null };
  }
  const end = before === undefined ? 300 : no(before) - 1;
  const first = Math.max(1, end - size + 1);
  return { messages: range(first, end).reverse(), cursor: first > 1 ? 'more' : null };
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new FakeServer();
  const pins = ['msg_000001', 'msg_000300'];
  server.answers['thread.open'] = () => ({ ...openReply('thrd_a', range(251, 300), { cursor: 'c', thread: thread('thrd_a', { pins }) }) });
  server.answers['message.list'] = list;
  client = clientOf(server);
  client.start();
  client.showThread('thrd_a');
  await settle();
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

describe('a message far from the window', () => {
  it.each([1, 2, 100, 249, 250])('is shown with the messages around it: number %i', async (no) => {
    await Promise.all([client.showMessage('thrd_a', message(no).messageId), settle()]);
    expect(numbers()).toContain(no);
    expect(numbers()).toEqual(range(numbers()[0]!, numbers().at(-1)!).map(({ msgNo }) => msgNo));
    expect(held().timeline).toMatchObject({ hasOlder: numbers()[0]! > 1, hasNewer: true });
    expect(server.asked('message.list')).toHaveLength(2);
  });

  it('is not requested if it is in the window', async () => {
    await expect(client.showMessage('thrd_a', 'msg_000260')).resolves.toBe(true);
    expect(server.asked('message.list')).toEqual([]);
  });

  it('does not move the window if it does not exist', async () => {
    server.answers['message.list'] = () => ({ messages: range(10, 11), cursor: null });
    const [shown] = await Promise.all([client.showMessage('thrd_a', 'msg_000001'), settle()]);
    expect(shown).toBe(false);
    expect(numbers()[0]).toBe(251);
  });

  it('does not count as the newest: nothing is marked as read there', async () => {
    server.answers['read.mark'] = ({ messageId }) => ({ lastReadMsgId: messageId, lastReadAt: null, unread: 0 });
    await Promise.all([client.showMessage('thrd_a', 'msg_000100'), settle()]);
    client.attend('thrd_a');
    await settle();
    expect(server.asked('read.mark')).toEqual([]);
    await Promise.all([client.jumpToNewest('thrd_a'), settle()]);
    client.attend('thrd_a');
    await settle();
    expect(server.asked('read.mark')).toEqual([{ threadId: 'thrd_a', messageId: 'msg_000300' }]);
  });

  it('leads back to the newest ones', async () => {
    await Promise.all([client.showMessage('thrd_a', 'msg_000100'), settle()]);
    await Promise.all([client.jumpToNewest('thrd_a'), settle()]);
    expect(numbers().at(-1)).toBe(300);
  });
});

describe('pinned messages', () => {
  it('are read once if they are outside of the window', async () => {
    for (let i = 0; i < 2; ++i) await Promise.all([client.messages.loadPins('thrd_a', 20), settle()]);
    const shown = pinnedMessages(held().thread, held().timeline, held().farPins);
    expect(shown.map(({ message: one }) => one?.body)).toEqual(['body 300', 'body 1']);
    expect(server.asked('message.list')).toHaveLength(2);
  });

  it('are read up to the requested number', async () => {
    await Promise.all([client.messages.loadPins('thrd_a', 1), settle()]); // the last pinned message is in the window
    expect(server.asked('message.list')).toEqual([]);
  });

  it('follow an edit, inside or outside of the window', async () => {
    await Promise.all([client.messages.loadPins('thrd_a', 20), settle()]);
    const pin = { by: 'usr_bob', at: 'then' };
    server.line.push({ ev: 'message.updated', threadId: 'thrd_a', seq: 401, item: message(1, { seq: 401, body: 'edited', pin }) });
    expect(held().farPins['msg_000001']?.body).toBe('edited');
  });

  it('change with the reply to the user who pins', async () => {
    const pin = { by: 'usr_alice', at: 'then' };
    server.answers['message.pin'] = ({ pinned }) => ({ message: message(299, { seq: pinned ? 401 : 402, ...(pinned ? { pin } : {}) }) });
    await Promise.all([client.messages.pin('thrd_a', 'msg_000299', true), settle()]);
    expect(held().thread?.pins).toEqual(['msg_000001', 'msg_000300', 'msg_000299']);
    await Promise.all([client.messages.pin('thrd_a', 'msg_000299', false), settle()]);
    expect(held().thread?.pins).toEqual(['msg_000001', 'msg_000300']);
  });
});

describe('an act on a message', () => {
  it('sends its op; a reaction is shown when its event arrives', async () => {
    const reactions = [{ emoji: '👍', userIds: ['usr_alice'] }];
    server.answers['message.react'] = () => ({ reactions });
    await Promise.all([client.messages.react('thrd_a', 'msg_000300', '👍', true), settle()]);
    expect(server.asked('message.react')).toEqual([{ threadId: 'thrd_a', messageId: 'msg_000300', emoji: '👍', on: true }]);
    expect(held().timeline.messages.at(-1)?.reactions).toEqual([]);
    server.line.push({ ev: 'message.updated', threadId: 'thrd_a', seq: 401, item: message(300, { seq: 401, reactions }) });
    expect(held().timeline.messages.at(-1)?.reactions).toEqual(reactions);
  });

  it('leaves a history for staff, the last change first', async () => {
    const versions = [{ seq: 9, at: 'then', by: 'usr_bob', reason: null, before: message(2) }];
    server.answers['message.history'] = () => ({ versions, cursor: null });
    const [reported] = await Promise.all([client.messages.history('thrd_a', 'msg_000002'), settle()]);
    expect(reported).toEqual(versions);
  });
});
