// Names and threads that are unique within a test run, so that tests can share a server without interfering.
let counter = 0;
const run = Math.random().toString(36).slice(2, 8);

/** A fresh id as the tenant chooses them, e.g. usr_ann_x1y2z3_17. */
export function fresh(label, prefix = 'usr') {
  counter += 1;
  return `${prefix}_${label}_${run}_${counter}`;
}

/** Fresh users by label: const {ann, bob} = users('ann', 'bob'). */
export function users(...labels) {
  return Object.fromEntries(labels.map((label) => [label, fresh(label)]));
}

/** A project thread made by `session` as buyer with `seller`; `more` adds args. → the ok of thread.create */
export function createThread(session, seller, more = {}) {
  return session.request('thread.create', {
    kind: 'project', buyerUserId: session.userId, sellerUserId: seller, clientId: fresh('create', 'cl'), ...more,
  });
}

/** Sends a text; → the ok of message.send */
export function say(session, threadId, body, more = {}) {
  return session.request('message.send', {threadId, clientId: fresh('say', 'cl'), type: 'text', body, ...more});
}

/** Every message of the thread, oldest first, by paging back from the newest. */
export async function allMessages(session, threadId, limit = 200) {
  const messages = [];
  let before;
  do {
    const page = await session.request('message.list', {threadId, before, limit});
    messages.push(...page.messages);
    before = page.cursor ?? undefined;
  } while (before !== undefined);
  return messages.reverse();
}

/** Every change of the thread after `afterSeq`, by paging; checks the paging rules on the way. */
export async function allChanges(session, threadId, afterSeq = 0, limit = 200) {
  const changes = [];
  let after = afterSeq;
  for (;;) {
    const page = await session.request('thread.changes', {threadId, afterSeq: after, limit});
    if (page.reset) throw new Error(`thread.changes of ${threadId} after ${after} says reset`);
    for (const change of page.changes) {
      if (change.seq <= after) throw new Error(`thread.changes goes back: ${change.seq} after ${after}`);
      after = change.seq;
    }
    changes.push(...page.changes);
    if (!page.more) return {changes, lastSeq: page.lastSeq};
    if (page.changes.length === 0) throw new Error('thread.changes says more and gives nothing');
  }
}

/** All entries of a folder by paging. */
export async function allEntries(session, args = {}, limit = 50) {
  const entries = [];
  let cursor;
  do {
    const page = await session.request('inbox.list', {...args, cursor, limit});
    entries.push(...page.entries);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return entries;
}

export async function entryOf(session, threadId, args = {}) {
  return (await allEntries(session, args)).find((entry) => entry.threadId === threadId);
}
