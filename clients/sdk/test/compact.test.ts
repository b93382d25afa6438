import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillEvent, fillReply } from '../src/compact.js';
import { kCompactRules } from '../src/compact_rules.js';
import { asyncapi, generated, sourceOf } from './generated.mjs';
import { FakeServer } from './fake_server.js';
import { card, message, openReply } from './items.js';
import { clientOf, settle } from './setup_client.js';

interface Reported {
  ev: string;
  item: Record<string, unknown>;
  [field: string]: unknown;
}

const created = (): Reported => ({
  ev: 'message.created',
  threadId: 'thrd_a',
  seq: 7,
  item: { messageId: 'msg_1', msgNo: 3, createdAt: '2025-11-05T12:00:00.000Z', body: 'x', authorUserId: 'usr_bob' },
});

describe('rules and types', () => {
  it('match the server’s description', () => {
    for (const [file, source] of Object.entries(generated())) expect(sourceOf(file), `npm run rules -w @parley/sdk: ${file}`).toBe(source);
  });
});

describe('an omitted field', () => {
  it('is one that the server’s rules name', () => {
    expect(kCompactRules, 'npm run rules -w @parley/sdk').toEqual(asyncapi.channels.session['x-compact']);
  });

  it('of an event is restored: from defaults and from its frame', () => {
    const event = created();
    fillEvent(event);
    expect(event).toEqual({
      ev: 'message.created',
      threadId: 'thrd_a',
      seq: 7,
      at: '2025-11-05T12:00:00.000Z',
      item: {
        messageId: 'msg_1',
        threadId: 'thrd_a',
        seq: 7,
        msgNo: 3,
        createdAt: '2025-11-05T12:00:00.000Z',
        type: 'text',
        body: 'x',
        attachments: [],
        action: null,
        authorUserId: 'usr_bob',
        nsfwBand: 0,
        flags: { moderation: 'clean', policyHints: [] },
        clientId: null,
        replyTo: null,
        editedAt: null,
        deletedAt: null,
        reactions: [],
      },
    });
  });

  it('is never a present one', () => {
    const event: Reported = { ...created(), at: '2026-01-01T00:00:00.000Z' };
    Object.assign(event.item, { seq: 6, threadId: 'thrd_b', flags: { policyHints: ['phone'] }, attachments: [{ kind: 'preview', w: 0 }] });
    fillEvent(event);
    expect(event['at']).toBe('2026-01-01T00:00:00.000Z');
    expect(event.item).toMatchObject({ seq: 6, threadId: 'thrd_b', flags: { moderation: 'clean', policyHints: ['phone'] } });
    expect(event.item).toMatchObject({ attachments: [{ kind: 'preview', w: 0, h: null, mime: null }] });
  });

  it('is not restored if its absence has a meaning', () => {
    const event = { ev: 'card.updated', threadId: 'thrd_a', seq: 7, item: { ...card('msg_1') } };
    fillEvent(event);
    expect(event.item).not.toHaveProperty('allowed');
    expect(event.item).not.toHaveProperty('dueAt');
  });

  it('is a new object for each item', () => {
    const [one, other] = [created(), created()];
    fillEvent(one);
    fillEvent(other);
    (one.item['reactions'] as string[]).push('x');
    expect(other.item['reactions']).toEqual([]);
  });

  it('of a page is restored by its op, of changes by their kind, and nothing else is', () => {
    const page = { messages: [{ messageId: 'msg_1', threadId: 'thrd_a', seq: 9 }], cursor: null };
    fillReply('message.list', page);
    expect(page.messages[0]).toMatchObject({ seq: 9, type: 'text', reactions: [], editedAt: null });
    const changes = { changes: [{ seq: 4, kind: 'tab', item: { tab: 'brief', seq: 4 } }], lastSeq: 4 };
    fillReply('thread.changes', changes);
    expect(changes).toEqual({ changes: [{ seq: 4, kind: 'tab', item: { tab: 'brief', seq: 4, version: 0, updatedBy: null } }], lastSeq: 4 });
    const sent = { messageId: 'msg_1', messages: [{}] };
    fillReply('message.send', sent);
    expect(sent).toEqual({ messageId: 'msg_1', messages: [{}] });
  });

  it('of a malformed frame stays omitted', () => {
    for (const item of [null, 7, 'x', [1]]) {
      const event = { ev: 'message.created', threadId: 'thrd_a', seq: 7, item };
      fillEvent(event);
      expect(event.item).toEqual(item);
    }
    expect(() => fillReply('thread.changes', { changes: [null, { kind: 'nothing', item: {} }] })).not.toThrow();
  });
});

describe('a session', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('requests the compact form, and shows full items', async () => {
    const server = new FakeServer();
    const { messageId: first } = message(1);
    server.answers['thread.open'] = ({ threadId }) => ({
      ...openReply(threadId as string, []),
      lastSeq: 101,
      messages: [{ messageId: first, threadId, seq: 101, msgNo: 1, body: 'x' }],
    });
    const client = clientOf(server);
    client.start();
    await settle();
    expect(server.asked('session.hello')[0]).toMatchObject({ compact: true });
    client.showThread('thrd_a');
    await settle();
    const { messageId, msgNo, createdAt, body } = message(2);
    server.line.push({ ev: 'message.created', threadId: 'thrd_a', seq: 102, item: { messageId, msgNo, createdAt, body } });
    await settle();
    const shown = client.state.threads['thrd_a']?.timeline.messages ?? [];
    expect(shown.map(({ seq, type, reactions, deletedAt }) => ({ seq, type, reactions, deletedAt }))).toEqual([
      { seq: 101, type: 'text', reactions: [], deletedAt: null },
      { seq: 102, type: 'text', reactions: [], deletedAt: null },
    ]);
    client.stop();
  });

  it('accepts the full form of a server without the compact one', async () => {
    const server = new FakeServer();
    const hello = server.answers['session.hello']!;
    server.answers['session.hello'] = (args) =>
      args['compact'] === undefined
        ? hello(args)
        : { error: { code: 'BAD_REQUEST', message: 'unknown field', hint: 'x', fields: { compact: 'is not known' } } };
    const client = clientOf(server);
    client.start();
    await settle();
    await settle();
    expect(client.state.connection).toBe('connected');
    expect(server.asked('session.hello').map(({ compact }) => compact)).toEqual([true, undefined]);
    client.stop();
  });
});
