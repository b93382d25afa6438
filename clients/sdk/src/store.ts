import { kDefaultLimits } from './bounds.js';
import type { ClosedBy, ConnectionState } from './connection.js';
import type { ParleyError } from './errors.js';
import { kEmptyInbox, type Inbox } from './inbox.js';
import type { Outbox } from './outbox.js';
import type { ThreadState } from './thread_state.js';
import type { EntryFolder, UserRole } from './types.js';
import type { BlockedUser, Counts, Limits, Nudge, SafeModeState, SendRefusal, UserName } from './wire.js';

/** Everything a user interface shows, as one immutable value. */
export interface ClientState {
  connection: ConnectionState;
  /** Why the connection is `closed`, in words for people. */
  connectionHint: string | null;
  /** Why it is `closed`; null while it is not, or if the owner stopped it. */
  closedBy: ClosedBy | null;
  /** Why the client is not connected, also while it retries; null if no reason is known. */
  connectionError: ParleyError | null;
  userId: string;
  role: UserRole;
  limits: Limits;
  safeMode: SafeModeState;
  /** Server clock minus local clock, in ms. */
  clockSkewMs: number;
  inbox: Inbox;
  folder: EntryFolder;
  inboxLoading: boolean;
  inboxFailure: string | null;
  /** The folder totals; null until the first reply. */
  counts: Counts | null;
  /** Participants of threads that are not held, if the inbox has no other name for the thread. */
  people: Readonly<Record<string, readonly string[]>>;
  /** The users' names that have been requested. */
  names: ReadonlyMap<string, UserName>;
  threads: Readonly<Record<string, ThreadState>>;
  outbox: Outbox;
  /** By thread: the text policy's remark on the last message sent there. */
  nudges: Readonly<Record<string, Nudge>>;
  /** By thread: the error of the last message, if it means that the viewer cannot write there. */
  refusals: Readonly<Record<string, SendRefusal>>;
  /** The users that the viewer has blocked; null until loaded. */
  blocked: readonly BlockedUser[] | null;
}

export function initialState(userId: string, outbox: Outbox): ClientState {
  return {
    connection: 'connecting',
    connectionHint: null,
    closedBy: null,
    connectionError: null,
    userId,
    role: 'member',
    limits: kDefaultLimits,
    safeMode: { bandMax: 1, mayLift: false },
    clockSkewMs: 0,
    inbox: kEmptyInbox,
    folder: 'all',
    inboxLoading: false,
    inboxFailure: null,
    counts: null,
    people: {},
    names: new Map(),
    threads: {},
    outbox,
    nudges: {},
    refusals: {},
    blocked: null,
  };
}

/** Looks up an own property only, since the id may come from an address: `constructor` is no thread. */
export function heldThread({ threads }: Pick<ClientState, 'threads'>, threadId: string): ThreadState | undefined {
  return Object.hasOwn(threads, threadId) ? threads[threadId] : undefined;
}

/** Owns the state, and notifies subscribers at most once per turn of the event loop. */
export class Store {
  private readonly listeners = new Set<() => void>();
  private scheduled = false;

  constructor(private state: ClientState) {}

  get(): ClientState {
    return this.state;
  }

  update(change: Partial<ClientState>): void {
    this.state = { ...this.state, ...change };
    if (this.scheduled) return;
    this.scheduled = true;
    setTimeout(() => {
      this.scheduled = false;
      for (const listener of [...this.listeners]) listener();
    }, 0);
  }

  thread(threadId: string): ThreadState | undefined {
    return heldThread(this.state, threadId);
  }

  /** Changes only a held thread: a late answer must not bring an evicted thread back. */
  updateThread(threadId: string, change: (thread: ThreadState) => ThreadState): void {
    const thread = this.thread(threadId);
    if (thread === undefined) return;
    const changed = change(thread);
    if (changed !== thread) this.update({ threads: { ...this.state.threads, [threadId]: changed } });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
