// A user who writes into several threads as fast as replies arrive, records sends and answers, and after a crash resends
// unanswered ones. It checks every answer; audit.mjs checks the store.
import assert from 'node:assert/strict';
import {Disconnected, Session} from './client.mjs';
import {Mirror} from './mirror.mjs';

/** One message.send: `reply` once answered; `stored` is the message that the audit found after the last crash. */
class Send {
  constructor(args) {
    this.args = args;
    this.reply = null;
    this.stored = null;
    this.edits = [];  // {body, acked}, in the order sent
  }
}

export class Writer {
  /** plan: userId, encoding, random, threadIds, editable (the thread whose messages get edited), buddy, lanes. */
  constructor(server, plan) {
    Object.assign(this, plan);
    this.server = server;
    this.sends = [];
    this.creates = [];   // {args, threadId} of thread.create
    this.reads = new Map(this.threadIds.map((id) => [id, {acked: 0, open: []}]));
    this.mirror = new Mirror();
    this.threadIds.forEach((id) => this.mirror.thread(id));
    this.session = null;
    this.epoch = '';
    this.failure = null;
    this.onAck = () => {};
  }

  /** Connects, catches up with every thread and checks the events received. */
  async connect() {
    const first = this.session === null;
    // Any epoch is valid at first, because no thread is held yet.
    this.epoch = first ? await this.#epoch() : this.epoch;
    this.session = await Session.as(this.server, this.userId, {
      encoding: this.encoding, resume: this.mirror.resume(this.epoch), onEvent: this.mirror.take});
    assert.equal(this.session.hello.epoch, this.epoch, 'the epoch survives the crash');
    for (const threadId of this.threadIds) {
      assert.equal(this.session.hello.resumed[threadId], 'ok', `resume of ${threadId}`);
      await this.session.nextEvent({ev: 'thread.synced', threadId});
    }
    this.mirror.check();
  }

  async #epoch() {
    const probe = await Session.as(this.server, this.userId);
    await probe.close();
    return probe.hello.epoch;
  }

  /**
   * Resends unanswered messages in order and pipelined; each answer must state correctly whether the message existed
   * before.
   */
  async retry() {
    const open = this.sends.filter((send) => send.reply === null);
    await Promise.all([
      ...open.map(async (send) => {
        const reply = await this.session.request('message.send', send.args);
        const was = send.stored;
        assert.equal(reply.duplicate, was !== null, `a retried send: ${JSON.stringify({was, reply, args: send.args})}`);
        if (was) assert.deepEqual([reply.messageId, reply.msgNo, reply.createdAt], [was.messageId, was.msgNo, was.createdAt]);
        send.reply = reply;
      }),
      ...this.creates.filter((create) => create.threadId === null).map((create) => this.#create(create)),
    ]);
    for (const send of this.sends) {
      for (const edit of send.edits) edit.acked ||= send.stored !== null && send.stored.body === edit.body;
      send.edits = send.edits.filter((edit) => edit.acked);
    }
    for (const read of this.reads.values()) read.open = [];
    this.#checkOrder();
  }

  /** One user's messages in one thread are in the order sent, retries included. */
  #checkOrder() {
    const last = new Map();
    for (const {args: {threadId}, reply} of this.sends) {
      assert.ok(reply.msgNo > (last.get(threadId) ?? 0), `${this.userId}'s order in ${threadId}`);
      last.set(threadId, reply.msgNo);
    }
  }

  /** Writes on all lanes until the connection ends or stop() is called. */
  async run() {
    this.stopping = false;
    try {
      await Promise.all(Array.from({length: this.lanes}, async () => {
        while (!this.stopping) await this.#step();
      }));
    } catch (error) {
      if (!(error instanceof Disconnected)) this.failure ??= error;
    }
  }

  stop() {
    this.stopping = true;
  }

  async #step() {
    const {random} = this;
    const dice = random.unit();
    const answered = dice < 0.2 ? this.sends.filter((send) => send.reply !== null) : [];
    if (answered.length === 0) return this.#send();
    if (dice < 0.08) return this.#repeat(random.pick(answered));
    if (dice < 0.13) return this.#read();
    if (dice < 0.14) return this.#createThread();
    const mine = answered.filter((send) => send.args.threadId === this.editable);
    return mine.length > 0 ? this.#edit(random.pick(mine)) : this.#send();
  }

  async #send() {
    const {random} = this;
    const send = new Send({threadId: random.pick(this.threadIds), clientId: `c${this.sends.length}`, type: 'text',
                           body: random.text(random.chance(0.05) ? 6000 : random.int(1, 200))});
    this.sends.push(send);
    send.reply = await this.session.request('message.send', send.args);
    assert.equal(send.reply.duplicate, false, `a first send is no duplicate: ${JSON.stringify(send)}`);
    this.onAck();
  }

  async #repeat(send) {
    const again = await this.session.request('message.send', send.args);
    assert.deepEqual({...again, duplicate: false}, {...send.reply, duplicate: false}, 'a repeat has the first result');
    assert.equal(again.duplicate, true);
  }

  async #read() {
    const threadId = this.random.pick(this.threadIds);
    const seen = this.mirror.thread(threadId).messages();
    if (seen.length === 0) return;
    const {messageId, msgNo} = this.random.pick(seen.slice(-20));
    const read = this.reads.get(threadId);
    read.open.push(msgNo);
    await this.session.request('read.mark', {threadId, messageId});
    read.acked = Math.max(read.acked, msgNo);
  }

  async #edit(send) {
    const edit = {body: this.random.text(30), acked: false};
    send.edits.push(edit);
    await this.session.request('message.edit', {threadId: this.editable, messageId: send.reply.messageId, body: edit.body});
    edit.acked = true;
  }

  async #createThread() {
    const create = {threadId: null, args: {
      kind: 'project', buyerUserId: this.userId, sellerUserId: this.buddy, clientId: `t${this.creates.length}`,
      firstMessage: this.random.chance(0.5) ? 'a first message' : undefined}};
    this.creates.push(create);
    await this.#create(create);
  }

  async #create(create) {
    const {thread} = await this.session.request('thread.create', create.args);
    create.threadId = thread.threadId;
  }
}
