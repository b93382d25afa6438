import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conflictingTab, type ParleyClient } from '../src/index.js';
import { FakeServer } from './fake_server.js';
import { card, message, openReply, range, tab, thread } from './items.js';
import { clientOf, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;
const held = () => client.state.threads['thrd_a']!;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new FakeServer();
  const reply = openReply('thrd_a', range(1, 3), { thread: thread('thrd_a', { kind: 'project' }), tabs: [tab(1)] });
  server.answers['thread.open'] = () => ({ ...reply });
  server.answers['card.list'] = () => ({ cards: [card('msg_000003', { allowed: ['accept'] })], cursor: null });
  client = clientOf(server);
  client.start();
  client.showThread('thrd_a');
  await settle();
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

const updated = (seq: number): void =>
  server.line.push({ ev: 'card.updated', threadId: 'thrd_a', seq, item: card('msg_000003', { seq, version: seq - 102 }) });

describe('a project', () => {
  it('has its panel, cards and allowed actions when it is opened', () => {
    expect(held().panel.brief?.version).toBe(1);
    expect(held().cards['msg_000003']?.allowed).toEqual(['accept']);
  });

  it('requests the allowed actions once more after cards changed, however many events arrived', async () => {
    server.answers['card.list'] = () => ({ cards: [card('msg_000003', { seq: 106, version: 4, allowed: ['decline'] })], cursor: null });
    for (const seq of [104, 105, 106]) updated(seq);
    expect(held().cards['msg_000003']?.allowed).toBeUndefined();
    await settle();
    expect(server.asked('card.list')).toHaveLength(3); // on opening, at the first event, once for the others
    expect(held().cards['msg_000003']?.allowed).toEqual(['decline']);
  });

  it('requests only ended cards on screen, since opening it returns the open ones', async () => {
    const reported = openReply('thrd_b', [...range(1, 2), message(3, { type: 'action' })], { thread: thread('thrd_b', { kind: 'project' }) });
    server.answers['thread.open'] = () => ({ ...reported, cards: [card('msg_000003', { open: true, allowed: ['accept'] })] });
    client.showThread('thrd_b');
    await settle();
    expect(client.state.threads['thrd_b']!.cards['msg_000003']?.allowed).toEqual(['accept']);
    expect(server.asked('card.list').filter(({ threadId }) => threadId === 'thrd_b')).toEqual([]);

    server.answers['thread.open'] = () => ({ ...reported, thread: thread('thrd_c', { kind: 'project' }), cards: [] });
    server.answers['card.list'] = () => ({ cards: [card('msg_000003', { state: 'DECLINED', open: false })] });
    client.showThread('thrd_c');
    await settle();
    expect(server.asked('card.list').filter(({ threadId }) => threadId === 'thrd_c')).toMatchObject([{ open: false }]);
    expect(client.state.threads['thrd_c']!.cards['msg_000003']?.state).toBe('DECLINED');
  });

  it('acts on the seen version, and shows the copy in an error', async () => {
    const current = card('msg_000003', { seq: 110, version: 2, state: 'DECLINED' });
    server.answers['card.act'] = () => ({ error: { code: 'VERSION_CONFLICT', message: 'x', hint: 'Moved on.', current } });
    await expect(client.project.act('thrd_a', held().cards['msg_000003']!, { intent: 'accept' })).rejects.toThrow();
    expect(server.asked('card.act')[0]).toMatchObject({ messageId: 'msg_000003', version: 1, intent: 'accept' });
    expect(held().cards['msg_000003']?.state).toBe('DECLINED');
  });

  it('returns and stores the other version of a tab after a conflict', async () => {
    const theirs = tab(2);
    server.answers['tab.put'] = () => ({ error: { code: 'PANEL_VERSION_CONFLICT', message: 'x', hint: 'y', current: theirs } });
    const error: unknown = await client.project.putTab('thrd_a', 'brief', 1, { title: 'mine' }).catch((e: unknown) => e);
    expect(conflictingTab(error)).toEqual(theirs);
    expect(held().panel.brief).toEqual(theirs);
    expect(conflictingTab(new Error('another'))).toBeNull();
  });

  it('receives tabs live', () => {
    server.line.push({ ev: 'tab.updated', threadId: 'thrd_a', seq: 104, item: tab(2, { seq: 104 }) });
    expect(held().panel.brief?.content).toEqual({ title: 'title 2' });
  });

  it('reads a moodboard again for an adult, since its event omits mature content', async () => {
    client.stop();
    client = clientOf(server, { safeMode: false });
    client.start();
    client.showThread('thrd_a');
    await settle();
    expect(server.asked('session.hello').map(({ safeMode }) => safeMode)).toEqual([undefined, false]);
    const pins = (withheld: boolean) => ({ pins: [{ id: 'p1', nsfwBand: 2, ...(withheld ? { withheld } : { url: 'https://example.org/p' }) }] });
    server.answers['tab.get'] = () => ({ tab: tab(1, { tab: 'moodboard', seq: 104, content: pins(false) }) });
    for (const name of ['moodboard', 'brief'] as const) {
      server.line.push({ ev: 'tab.updated', threadId: 'thrd_a', seq: name === 'brief' ? 105 : 104, item: tab(1, { tab: name, content: pins(true) }) });
    }
    await settle();
    expect(server.asked('tab.get')).toEqual([{ threadId: 'thrd_a', tab: 'moodboard' }]);
    expect(held().panel.moodboard?.content).toEqual(pins(false));
  });

  it('updates the thread’s list of tabs from a tab', () => {
    const shotlist = { done: 1, total: 2 };
    server.line.push({
      ev: 'tab.updated',
      threadId: 'thrd_a',
      seq: 104,
      item: tab(1, { tab: 'shotlist', seq: 104, panelVersion: 2, shotlist, content: { shots: [] } }),
    });
    expect(held().thread).toMatchObject({ panelVersion: 2, shotlist });
    server.line.push({ ev: 'tab.updated', threadId: 'thrd_a', seq: 105, item: tab(2, { seq: 105, panelVersion: 3 }) });
    expect(held().thread).toMatchObject({ panelVersion: 3, shotlist });
    // An older copy, as in a page, undoes nothing.
    server.line.push({ ev: 'tab.updated', threadId: 'thrd_a', seq: 106, item: tab(1, { seq: 103, panelVersion: 1 }) });
    expect(held().thread).toMatchObject({ panelVersion: 3, shotlist });
  });
});
