// Crash cycles: writers under full load, the server killed and started again, everything audited, and so on. The caller sets the
// disk's fault in between (`afterKill`).
import {audit} from './audit.mjs';
import {Session} from './client.mjs';
import {within} from './deadline.mjs';
import {Random} from './random.mjs';
import {createThread, fresh} from './world.mjs';
import {Writer} from './writer.mjs';

// Small values, so that tables are written and compacted and logs dropped within a run, and crashes hit those too.
export const kSmallMemtables = ['--memtable-bytes', String(1 << 20)];

// Every other start has several executors, which must read the store of one, and vice versa.
const kTwoOfEach = ['--executor-threads', '2', '--io-threads', '2'];

export class CrashRun {
  constructor(server, seed, {writers = 6, threads = 4, lanes = 8} = {}) {
    this.server = server;
    this.seed = seed;
    this.random = new Random(seed);
    this.sizes = {writers, threads, lanes};
    this.cycles = 0;
    this.args = server.options.args ?? [];
  }

  /** Creates the users and the threads that all of them are in. */
  async prepare() {
    const {writers, threads, lanes} = this.sizes;
    const users = Array.from({length: writers}, () => fresh('writer'));
    const owner = await Session.as(this.server, users[0]);
    this.threadIds = [];
    for (let i = 0; i < threads; ++i) {
      const participants = users.slice(2).map((userId) => ({userId, roleContext: 'admin'}));
      this.threadIds.push((await createThread(owner, users[1], {participants})).thread.threadId);
    }
    await owner.close();
    this.editable = this.threadIds[0];
    this.writers = users.map((userId, i) => new Writer(this.server, {
      userId, encoding: i % 2 ? 'msgpack' : 'json', random: new Random(this.seed + 1 + i), threadIds: this.threadIds,
      editable: this.editable, buddy: fresh('buddy'), lanes}));
    await Promise.all(this.writers.map((writer) => writer.connect()));
  }

  /** Runs load, kills the server, applies `afterKill`, and starts it. */
  async crash(afterKill = () => {}) {
    this.cycles += 1;
    const goal = this.random.int(30, 250);
    let acks = 0;
    let killed;
    for (const writer of this.writers) {
      writer.onAck = () => {
        if (++acks === goal) killed = this.server.kill9();
      };
    }
    await within(Promise.all(this.writers.map((writer) => writer.run())), 'the writers to notice the crash',
                 {ms: 60_000, context: () => this.server.child.tail()});
    await killed;
    this.#failures();
    await afterKill();
    this.server.options = {...this.server.options, args: this.cycles % 2 ? [...this.args, ...kTwoOfEach] : this.args};
    await this.server.launch();
  }

  /** Audits the restarted store, then lets the writers catch up and resend unanswered messages. */
  async recover() {
    await audit(this.server, this.writers, this.threadIds, this.editable);
    await Promise.all(this.writers.map((writer) => writer.connect()));
    await Promise.all(this.writers.map((writer) => writer.retry()));
    this.#failures();
  }

  /** After all answers a last audit must find every send stored. */
  async finish() {
    await audit(this.server, this.writers, this.threadIds, this.editable);
    await Promise.all(this.writers.map((writer) => writer.session.close()));
    return {cycles: this.cycles, sends: this.sends.length, seed: this.seed};
  }

  /** Every send of every writer, answered or not. */
  get sends() {
    return this.writers.flatMap((writer) => writer.sends);
  }

  #failures() {
    for (const writer of this.writers) {
      if (writer.failure) throw writer.failure;
      writer.mirror.check();
    }
  }
}
