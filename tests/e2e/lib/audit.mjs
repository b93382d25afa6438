// Checks after a crash that the store contains every acknowledged write once, numbered without gaps, and that the inboxes agree.
// Reads only over the wire, and computes the expected state from the writers' records.
import assert from 'node:assert/strict';
import {Session} from './client.mjs';
import {allChanges, allEntries, allMessages} from './world.mjs';

/** Audits everything and notes for each send the stored message. */
export async function audit(server, writers, threadIds, editable) {
  const sessions = await Promise.all(writers.map((writer, i) => (
    Session.as(server, writer.userId, {encoding: i % 2 ? 'json' : 'msgpack'}))));
  try {
    const threads = new Map();
    for (const threadId of threadIds) {
      threads.set(threadId, await auditThread(sessions[0], writers, threadId, threadId === editable));
    }
    for (const [i, writer] of writers.entries()) await auditInbox(sessions[i], writer, threads);
  } finally {
    await Promise.all(sessions.map((session) => session.drop()));
  }
}

async function auditThread(session, writers, threadId, edited) {
  const messages = await allMessages(session, threadId);
  const where = `in ${threadId}`;
  messages.forEach((message, i) => {
    assert.equal(message.msgNo, i + 1, `msgNo has no hole ${where}`);
    if (i === 0) return;
    const before = messages[i - 1];
    assert.ok(before.createdAt + before.messageId < message.createdAt + message.messageId, `order ${where}`);
  });
  const stored = new Map();
  for (const message of messages) {
    const key = `${message.authorUserId} ${message.clientId}`;
    assert.ok(!stored.has(key), `${key} is stored twice ${where}`);
    stored.set(key, message);
  }
  for (const writer of writers) auditSends(writer, threadId, stored);
  assert.equal(stored.size, 0, `messages nobody sent ${where}: ${[...stored.keys()]}`);
  for (const writer of writers) auditSeen(writer, threadId, messages);

  const {changes, lastSeq} = await allChanges(session, threadId);
  const seqs = changes.map((change) => change.seq);
  if (edited) assert.equal(seqs.at(-1), lastSeq);
  else assert.deepEqual(seqs, Array.from({length: lastSeq}, (_, i) => i + 1), `seq has no hole ${where}`);
  const fromChanges = changes.filter((c) => c.kind === 'message').map((c) => c.item).sort((a, b) => a.msgNo - b.msgNo);
  assert.deepEqual(fromChanges, messages, `thread.changes and message.list agree ${where}`);
  const {thread} = await session.request('thread.get', {threadId});
  assert.deepEqual([thread.lastSeq, thread.lastMsgNo], [lastSeq, messages.length]);
  assert.equal(thread.lastMessageAt, messages.at(-1)?.createdAt ?? null);
  return {messages, lastSeq};
}

/** Removes this writer's messages from `stored`, and checks that no acknowledged one is missing or different. */
function auditSends(writer, threadId, stored) {
  for (const send of writer.sends.filter((s) => s.args.threadId === threadId)) {
    const key = `${writer.userId} ${send.args.clientId}`;
    const message = stored.get(key) ?? null;
    stored.delete(key);
    send.stored = message;
    if (send.reply) {
      assert.ok(message, `an acknowledged send is lost: ${key}, ${JSON.stringify(send.reply)}`);
      assert.deepEqual([message.messageId, message.msgNo, message.createdAt],
                       [send.reply.messageId, send.reply.msgNo, send.reply.createdAt], `what was acknowledged of ${key}`);
    }
    if (message) auditBody(send, message);
  }
}

/** The body must be that of the last acknowledged edit or of a later unanswered one. */
function auditBody(send, message) {
  const states = [{body: send.args.body, acked: true}, ...send.edits];
  const acked = states.map((state) => state.acked).lastIndexOf(true);
  const possible = states.slice(acked).map((state) => state.body);
  assert.ok(possible.includes(message.body), `the body of ${message.messageId}: ${message.body}, not of ${possible}`);
}

/** Everything shown to a session must be on disk: an event never precedes the sync. */
function auditSeen(writer, threadId, messages) {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  for (const seen of writer.mirror.thread(threadId).messages()) {
    const now = byId.get(seen.messageId);
    assert.ok(now, `${writer.userId} was shown ${seen.messageId}, which is lost`);
    assert.ok(now.seq >= seen.seq, `${writer.userId} was shown a later state of ${seen.messageId} than is stored`);
  }
}

async function auditInbox(session, writer, threads) {
  const entries = await allEntries(session);
  const places = entries.map((entry) => [entry.lastMessageAt ?? '', entry.threadId]);
  const withMessages = places.filter(([at]) => at !== '').map(([at, id]) => at + id);
  assert.deepEqual(withMessages, [...withMessages].sort().reverse(), `${writer.userId}'s inbox is in order`);
  for (const {threadId} of writer.creates.filter((create) => create.threadId !== null)) {
    assert.ok(entries.some((entry) => entry.threadId === threadId), `a created thread is lost: ${threadId}`);
  }
  const own = entries.filter((entry) => !threads.has(entry.threadId));
  assert.ok(own.length <= writer.creates.length, `${own.length} threads of ${writer.creates.length} creations`);
  for (const [threadId, {messages, lastSeq}] of threads) {
    const entry = entries.find((e) => e.threadId === threadId);
    assert.ok(entry, `${writer.userId} has no entry of ${threadId}`);
    const {me} = await session.request('thread.get', {threadId});
    const readNo = messages.find((m) => m.messageId === me.lastReadMsgId)?.msgNo ?? 0;
    const {acked, open} = writer.reads.get(threadId);
    assert.ok(readNo === acked || (readNo > acked && open.includes(readNo)), `read to ${readNo}, acknowledged ${acked}`);
    writer.reads.get(threadId).acked = readNo;
    const lastOwn = messages.findLast((m) => m.authorUserId === writer.userId)?.msgNo ?? 0;
    const above = Math.max(readNo, lastOwn);
    const unread = messages.filter((m) => m.msgNo > above && m.deletedAt === null).length;
    assert.deepEqual({unread: entry.unread, lastSeq: entry.lastSeq, last: entry.lastMessage?.messageId},
                     {unread, lastSeq, last: messages.at(-1)?.messageId}, `${writer.userId}'s entry of ${threadId}`);
  }
}
