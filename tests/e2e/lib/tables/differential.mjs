// Sends the same random requests to several servers and compares the subject's outcomes with those of each other one.
import {within} from '../deadline.mjs';
import {startEndpoint} from './endpoints.mjs';
import {differences, isWrite, makeTables, outcomeAt, repair, storedAt, storedText, touchedBy} from './player.mjs';
import {kTables} from './random_values.mjs';

const kSilentMs = 5000;

/** Another server. If it throws or does not answer, it is restarted with the subject's items. */
class Peer {
  constructor(name, prefix) {
    Object.assign(this, {name, prefix, failures: 0});
  }

  async start() {
    this.server = await startEndpoint(this.name);
    await makeTables(this.server, this.prefix);
  }

  async stop() {
    await this.server.stop();
  }

  /** → the outcome, or undefined if the peer lacks a needed ability or gave up */
  async play(request) {
    const outcome = await within(outcomeAt(this.server, request), 'an answer', {ms: kSilentMs}).catch(() => ({error: 'Silence'}));
    return ['Error', 'TimeoutError', 'Silence'].includes(outcome?.error) ? 'failed' : outcome;
  }

  /** Restarts it with the subject's items. */
  async copy(subject) {
    this.failures += 1;
    await this.stop();
    await this.start();
    await this.align(subject);
  }

  /** Makes it store exactly the subject's items. An item that it refuses was noted as a difference before. */
  async align(subject) {
    for (const table of kTables) {
      const TableName = this.prefix + table.name;
      const keyOf = (item) => Object.fromEntries([table.keys.hash, table.keys.range].filter(Boolean).map(({name}) => [name, item[name]]));
      const wanted = (await subject.db.Scan({TableName})).Items;
      const keys = new Set(wanted.map((item) => storedText([keyOf(item)])));
      for (const item of (await this.server.db.Scan({TableName})).Items) {
        if (keys.has(storedText([keyOf(item)]))) continue;
        // An item whose key an update damaged cannot be deleted any more.
        const deleted = await this.server.db.DeleteItem({TableName, Key: keyOf(item)}).then(() => true, () => false);
        if (!deleted) return this.copy(subject);
      }
      for (const Item of wanted) await this.server.db.PutItem({TableName, Item}).catch(() => {});
    }
    return undefined;
  }
}

export class Differential {
  /**
   * excuses: [{server, why, when({request, mine, theirs, differs})}], for differences that are not the subject's
   * faults.
   */
  constructor(subject, peerNames, prefix, excuses) {
    Object.assign(this, {subject, prefix, excuses, found: [], excused: new Map(), compared: 0});
    this.peers = peerNames.map((name) => new Peer(name, prefix));
  }

  async start() {
    await Promise.all([makeTables(this.subject, this.prefix), ...this.peers.map((peer) => peer.start())]);
  }

  async stop() {
    await Promise.all(this.peers.map((peer) => peer.stop()));
  }

  async play(request) {
    const touched = isWrite(request) ? touchedBy(request, this.prefix) : [];
    const before = touched.length > 0 ? await storedAt(this.subject, touched) : [];
    const [mine, ...theirs] = await Promise.all([outcomeAt(this.subject, request), ...this.peers.map((peer) => peer.play(request))]);
    const after = touched.length > 0 ? await storedAt(this.subject, touched) : [];
    await Promise.all(this.peers.map((peer, i) => this.judge(peer, {request, touched, before, after, mine, theirs: theirs[i]})));
  }

  async judge(peer, {request, touched, before, after, mine, theirs}) {
    if (theirs === 'failed') return peer.copy(this.subject);
    const stored = await storedAt(peer.server, touched);
    const same = storedText(stored) === storedText(after);
    let noted = false;
    if (mine && theirs) {
      const differs = [...differences(request, mine, theirs, peer.server), ...(same ? [] : ['stored'])];
      this.compared += 1;
      noted = differs.length > 0;
      if (noted) this.note({peer: peer.name, request, differs, mine, theirs, before: storedText(before), after: storedText(after), stored: storedText(stored)});
    }
    // A server that accepted what the other refused may have written other keys too.
    if (noted && isWrite(request) && (request.name === 'TransactWriteItems' || Boolean(mine.error) !== Boolean(theirs.error))) return peer.align(this.subject);
    if (same) return undefined;
    return repair(peer.server, touched, after).catch(() => peer.copy(this.subject));
  }

  note(difference) {
    const excuse = this.excuses.find(({server, when}) => (server === undefined || server === difference.peer || server === this.subject.name)
      && when(difference));
    if (excuse) this.excused.set(excuse.why, (this.excused.get(excuse.why) ?? 0) + 1);
    else this.found.push(difference);
  }

  /** The differences found, by kind, the most frequent first: [{kind, all}] */
  kinds() {
    const groups = new Map();
    for (const one of this.found) {
      const kind = `${one.peer}: ${one.request.name} differs in ${one.differs.join(', ')}: ${shortly(one.mine)} | ${shortly(one.theirs)}`;
      groups.set(kind, [...(groups.get(kind) ?? []), one]);
    }
    return [...groups].map(([kind, all]) => ({kind, all})).sort((a, b) => b.all.length - a.all.length);
  }
}

const shortly = ({error, message}) => (error ? `${error}: ${message?.slice(0, 90)}` : 'taken');

/** A difference in readable form. */
export function reported({request, mine, theirs, before, after, stored}) {
  const json = (value) => JSON.stringify(value, (_, one) => (one?.type === 'Buffer' ? `bytes ${Buffer.from(one.data).toString('hex')}` : one));
  return [`request ${json(request.input)}`, ...(before || after ? [`before  ${before}`, `after   ${after}`] : []), `ours    ${json(mine).slice(0, 1500)}`,
          `theirs  ${json(theirs).slice(0, 1500)}`, ...(stored !== after ? [`stored there ${stored}`] : [])].join('\n');
}
