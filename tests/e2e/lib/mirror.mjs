// The state of threads in a client that follows the rules, and a check of the server's rules: catch-up ordered by seq,
// thread.synced once, then no gaps; nothing twice, nothing lost.
import assert from 'node:assert/strict';

const kKinds = {thread: 'threadId', participant: 'userId', message: 'messageId', card: 'messageId', tab: 'tab'};

export class ThreadMirror {
  constructor(threadId) {
    this.threadId = threadId;
    this.held = 0;         // the last seq received
    this.synced = false;   // in this connection: live, so that a gap means loss
    this.items = new Map();
    this.events = 0;
  }

  /** A new connection: catching up again from `held`. */
  reconnecting() {
    this.synced = false;
  }

  apply(event) {
    const where = `${this.threadId} held ${this.held}: ${JSON.stringify(event).slice(0, 300)}`;
    if (event.ev === 'thread.synced') {
      assert.ok(!this.synced, `thread.synced a second time, ${where}`);
      assert.ok(event.seq >= this.held, `thread.synced behind what was sent, ${where}`);
      this.held = event.seq;
      this.synced = true;
      return;
    }
    if (this.synced) assert.equal(event.seq, this.held + 1, `a hole or a repeat, ${where}`);
    else assert.ok(event.seq > this.held, `catch-up goes back, ${where}`);
    this.held = event.seq;
    this.events += 1;
    if (event.ev === 'skip') return;
    const [kind, verb] = event.ev.split('.');
    const key = `${kind} ${event.item[kKinds[kind]]}`;
    const known = this.items.get(key);
    const isNew = verb === 'created' || verb === 'added';
    if (kind === 'message' || kind === 'thread') {
      assert.equal(isNew, known === undefined, `created is for what is new, updated for what was known, ${where}`);
    }
    if (known) assert.ok(known.seq < event.item.seq, `an item in an older or the same state again, ${where}`);
    this.items.set(key, event.item);
  }

  messages() {
    return [...this.items].filter(([key]) => key.startsWith('message ')).map(([, item]) => item)
        .sort((a, b) => a.msgNo - b.msgNo);
  }

  /** Like thread.synced without catch-up: live after a hello that did not name the thread. */
  liveFrom(seq) {
    this.held = seq;
    this.synced = true;
  }
}

/** The mirrors of one user over all their connections. */
export class Mirror {
  constructor() {
    this.threads = new Map();
    this.failure = null;
  }

  thread(threadId) {
    if (!this.threads.has(threadId)) this.threads.set(threadId, new ThreadMirror(threadId));
    return this.threads.get(threadId);
  }

  /** The `resume` argument of the next hello. */
  resume(epoch) {
    for (const thread of this.threads.values()) thread.reconnecting();
    return {epoch, threads: Object.fromEntries([...this.threads].map(([id, {held}]) => [id, held]))};
  }

  /** For a session's onEvent. Keeps the first violation instead of throwing into the socket's callback. */
  take = (event) => {
    const mirror = this.threads.get(event.threadId);
    if (!mirror || (event.seq === undefined)) return;
    try {
      mirror.apply(event);
    } catch (error) {
      this.failure ??= error;
    }
  };

  check() {
    if (this.failure) throw this.failure;
  }
}
