import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ParleyClient } from '../src/client.js';
import { unreadThreads, unreadTotal } from '../src/counts_sync.js';
import { listed } from '../src/inbox.js';
import { FakeServer } from './fake_server.js';
import { entry, thread } from './items.js';
import { clientOf, later, settle } from './setup_client.js';

let server: FakeServer;
let client: ParleyClient;
const shown = (): string[] => listed(client.state.inbox, client.state.folder).map(({ threadId }) => threadId);
const total = (): number => unreadTotal(client.state.inbox, client.state.counts);

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  client = clientOf(server);
});

afterEach(() => {
  client.stop();
  vi.useRealTimers();
});

async function start(): Promise<void> {
  client.start();
  await later(400);
}

describe('the inbox on screen', () => {
  it('loads pinned entries besides the first page', async () => {
    const pinned = entry('thrd_old', { pinned: true, lastMessageAt: '2020-01-01T00:00:00.000Z' });
    server.answers['inbox.list'] = ({ folder }) =>
      folder === 'pinned' ? { entries: [pinned], cursor: null } : { entries: [entry('thrd_a')], cursor: 'more' };
    await start();
    expect(shown()).toEqual(['thrd_old', 'thrd_a']);
    expect(server.asked('inbox.list').map(({ folder }) => folder)).toEqual(['pinned', 'all']);
  });

  it('requests the entries of one label, in any folder', async () => {
    const pages: Record<string, string> = { wedding: 'thrd_w' };
    server.answers['inbox.list'] = ({ label }) => ({ entries: [label === undefined ? entry('thrd_a') : entry(pages[label as string]!, { label: label as string })], cursor: null });
    client.start();
    await settle();
    client.showFolder('unread');
    client.filterInbox({ label: 'wedding' });
    await settle();
    client.showFolder('all');
    await settle();
    expect(server.asked('inbox.list').at(-1)).toMatchObject({ folder: 'all', label: 'wedding' });
    expect(shown()).toEqual(['thrd_w']);
    client.filterInbox({});
    await settle();
    expect(server.asked('inbox.list').at(-1)).not.toHaveProperty('label');
    expect(shown()).toContain('thrd_a');
  });

  /** A server with `count` threads that returns the newest first. */
  const serve = (count: number): void => {
    server.answers['inbox.list'] = ({ folder, limit, cursor }) => {
      if (folder === 'pinned') return { entries: [], cursor: null };
      const from = Number(cursor ?? 0);
      const to = Math.min(count, from + (limit as number));
      const name = (i: number): string => `thrd_${String(9_999 - i)}`;
      const entries = Array.from({ length: to - from }, (_, i) => entry(name(from + i), { lastMessageAt: new Date(1e12 - (from + i) * 1_000).toISOString() }));
      return { entries, cursor: to < count ? String(to) : null };
    };
  };

  it('keeps its length after a lost connection, and is read again down to its end', async () => {
    serve(1_000);
    await start();
    for (let i = 0; i < 6; ++i) await client.moreInbox();
    expect(shown()).toHaveLength(630);
    serve(999);
    server.requests.length = 0;
    server.line.cut(1006);
    await later(10_000);
    expect(server.asked('inbox.list').filter(({ folder }) => folder === 'all').map(({ cursor }) => cursor)).toEqual([undefined, '200', '400', '600']);
    expect(shown()).toHaveLength(800);
    await client.moreInbox();
    await client.moreInbox();
    expect(new Set(shown()).size).toBe(999);
  });

  it('keeps its length when a new conversation arrives, and reads only its first page', async () => {
    serve(1_000);
    await start();
    for (let i = 0; i < 6; ++i) await client.moreInbox();
    server.requests.length = 0;
    client.showFolder('all');
    await settle();
    expect(server.asked('inbox.list').filter(({ folder }) => folder === 'all')).toHaveLength(1);
    expect(shown()).toHaveLength(630);
  });

  it('ends at the last page read before the switch to another folder', async () => {
    serve(1_000);
    await start();
    for (let i = 0; i < 6; ++i) await client.moreInbox();
    server.line.cut(1006);
    const answer = server.answers['inbox.list']!;
    server.answers['inbox.list'] = (args) => {
      if (args['cursor'] === '200') client.showFolder('unread');
      return answer(args);
    };
    await later(10_000);
    server.requests.length = 0;
    expect(client.state.folder).toBe('unread');
    expect(listed(client.state.inbox, 'all')).toHaveLength(400);
  });

  it('drops a page that was requested before the filter changed', async () => {
    await start();
    server.answers['inbox.list'] = () => 'silence';
    client.showFolder('unread');
    await settle();
    const { id } = server.requests.at(-1)!;
    client.filterInbox({ label: 'wedding' });
    server.line.push({ id, ok: { entries: [entry('thrd_a', { unread: 1 })], cursor: 'more' } });
    await settle();
    expect(client.state.inbox.folders.unread.loaded).toBe(false);
    expect(client.state.inbox.entries).toEqual({});
  });

  it('loads the participants of a nameless thread, once, and of no other', async () => {
    const last = (authorUserId: string) => ({ messageId: 'm', authorUserId, type: 'text' as const, preview: 'hi', createdAt: 'x' });
    const entries = [
      entry('thrd_named'),
      entry('thrd_theirs', { kind: 'direct', subject: null, lastMessage: last('usr_bob') }),
      entry('thrd_mine', { kind: 'direct', subject: null, lastMessage: last('usr_alice') }),
    ];
    server.answers['inbox.list'] = () => ({ entries, cursor: null });
    server.answers['thread.get'] = ({ threadId }) => ({ thread: thread(threadId as string, { participants: ['usr_alice', 'usr_carol'] }) });
    await start();
    server.line.push({ ev: 'inbox.updated', entry: entry('thrd_new') });
    await settle();
    expect(server.asked('thread.get')).toEqual([{ threadId: 'thrd_mine' }]);
    expect(client.state.people['thrd_mine']).toEqual(['usr_alice', 'usr_carol']);
  });
});

describe('a thread without a name', () => {
  const nameless = (threadId: string) => entry(threadId, { kind: 'group', subject: null });

  it('stays nameless if it may not be read, and is requested again after a lost connection', async () => {
    const refusal = (code: string) => ({ error: { code, message: 'x', hint: 'y' } });
    server.answers['inbox.list'] = ({ folder }) => ({ entries: folder === 'all' ? [nameless('thrd_a')] : [], cursor: null });
    server.answers['thread.get'] = () => refusal('UNAVAILABLE');
    await start();
    client.showFolder('all');
    await settle();
    expect(server.asked('thread.get')).toHaveLength(2);
    server.answers['thread.get'] = () => refusal('FORBIDDEN');
    for (let i = 0; i < 3; ++i) {
      client.showFolder('all');
      await settle();
    }
    expect(server.asked('thread.get')).toHaveLength(3);
  });
});

describe('the unread total', () => {
  it('is the server’s count, requested once after several changes', async () => {
    let unreadMessages = 7;
    server.answers['inbox.counts'] = () => ({ folders: [{ folder: 'unread', threads: 2, unread: 2 }], unreadMessages });
    await start();
    expect([total(), unreadThreads(client.state.counts)]).toEqual([7, 2]);
    unreadMessages = 9;
    for (const unread of [1, 2]) server.line.push({ ev: 'inbox.updated', entry: entry('thrd_a', { unread, lastSeq: 3 + unread }) });
    await later(400);
    expect(server.asked('inbox.counts')).toHaveLength(2);
    expect(total()).toBe(9);
  });

  it('is not requested if no count changes', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a')], cursor: null });
    await start();
    server.line.push({ ev: 'inbox.updated', entry: entry('thrd_a', { label: 'new', lastSeq: 4 }) });
    await later(400);
    expect(server.asked('inbox.counts')).toHaveLength(1);
  });

  it('is the sum of visible entries if the server does not count messages', async () => {
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a', { unread: 3 }), entry('thrd_b', { unread: 4, archived: true })], cursor: null });
    await start();
    expect(total()).toBe(3);
    server.answers['inbox.list'] = () => ({ entries: [entry('thrd_a', { unread: 3 })], cursor: 'more' });
    server.answers['inbox.counts'] = () => ({ folders: [{ folder: 'unread', threads: 40, unread: 40 }] });
    client.showFolder('all');
    server.line.push({ ev: 'inbox.updated', entry: entry('thrd_c', { unread: 1 }) });
    await later(400);
    expect(total()).toBe(40);
  });
});

describe('a new thread', () => {
  it.each([
    ['direct', ['usr_bob'], { participants: [{ userId: 'usr_bob' }] }],
    ['group', ['usr_bob', 'usr_carol'], { participants: [{ userId: 'usr_bob' }, { userId: 'usr_carol' }] }],
    ['inquiry', ['usr_bob'], { buyerUserId: 'usr_alice', sellerUserId: 'usr_bob' }],
    ['project', ['usr_bob', 'usr_carol'], { buyerUserId: 'usr_alice', sellerUserId: 'usr_bob', participants: [{ userId: 'usr_carol' }] }],
  ] as const)('of kind %s names its people as that kind does', async (kind, otherUserIds, expected) => {
    server.answers['thread.create'] = () => ({ thread: thread('thrd_new') });
    await start();
    await Promise.all([client.createThread({ kind, otherUserIds, clientId: 'c' }), settle()]);
    expect(server.asked('thread.create')).toEqual([{ kind, clientId: 'c', ...expected }]);
  });
});
