import { kDefaultBackoff, type BackoffOptions } from './backoff.js';
import { limitsOf } from './bounds.js';
import type { Frame } from './codec.js';
import { bindMethods } from './bound.js';
import { Connection } from './connection.js';
import { creationArgs } from './creation.js';
import { badArgument, stopped } from './errors.js';
import type { FileContent } from './file_source.js';
import { Files, type FileUrlOptions, type UploadOptions, type UploadStorage } from './files.js';
import { Http } from './http.js';
import { newClientId } from './ids.js';
import { InboxSync } from './inbox_sync.js';
import { Messages } from './messages.js';
import { Names } from './names.js';
import { restored } from './outbox.js';
import { Pager } from './pager.js';
import { Project } from './project.js';
import { Reader } from './reader.js';
import { Safety } from './safety.js';
import { Sender, type OutboxStorage } from './sender.js';
import { browserSocket, type SocketFactory } from './session.js';
import { initialState, Store, type ClientState } from './store.js';
import { kThreadsHeld, kThreadsHeldMax, ThreadManager } from './thread_manager.js';
import { applyChanges, withPresence, withReadCursor, withTyping } from './thread_state.js';
import type { TokenWish } from './tokens.js';
import { TypingOut, TypingIn } from './typing.js';
import type { Attachment, Entry, EntryChange, EntryFolder, MessageRequest, Participant, Tab } from './types.js';
import type { HelloReply, InboxFilter, NewThreadArgs, Presence, Resume, SafeModeState, SendArgs, Sent, SharedEvent } from './wire.js';

export interface ClientOptions {
  /** ws(s)://host/v1/ws */
  url: string;
  userId: string;
  /** Returns a token of that user, for example from TokenKeeper. Rejects with a transient or final ParleyError. */
  getToken: (wish: TokenWish) => Promise<string>;
  outboxStorage?: OutboxStorage;
  /** Keeps incomplete uploads over a reload of the page. */
  uploadStorage?: UploadStorage;
  /** False: the user, an adult by their token, wants to see mature content in threads that allow it. */
  safeMode?: boolean;
  /** How many threads stay open at once, from 1 to 100 (default 5); the least recently shown is closed first. */
  threadsHeld?: number;
  /** Required without a global WebSocket, as in Node.js before 22. */
  socketFactory?: SocketFactory;
  backoff?: BackoffOptions;
  random?: () => number;
}

const kDefaultTypingTtlMs = 10_000;

/**
 * A live view of a user's conversations. `state` is an immutable value, replaced on every change; `subscribe` reports
 * each change. Methods that return a promise reject with ParleyError, whose `hint` can be shown to people. Methods
 * are bound: `const { send } = client` works.
 */
export class ParleyClient {
  private readonly store: Store;
  private readonly connection: Connection;
  private readonly sender: Sender;
  private readonly threads: ThreadManager;
  private readonly inbox: InboxSync;
  private readonly pager: Pager;
  private readonly reader: Reader;
  private readonly names: Names;
  /** Cards and panel tabs of the held threads. */
  readonly project: Project;
  /** Requests from strangers, blocks and reports. */
  readonly safety: Safety;
  /** Edits, reactions and pins of existing messages. */
  readonly messages: Messages;
  private readonly files: Files;
  private readonly typingIn: TypingIn;
  private readonly typingOut: TypingOut;
  private epoch: string | null = null;

  constructor(private readonly options: ClientOptions) {
    const storage = options.outboxStorage ?? null;
    this.store = new Store(initialState(options.userId, restored(loadFrom(storage), Date.now())));
    const request = (op: string, args: Frame): Promise<Frame> => this.connection.request(op, args);
    const notify = (op: string, args: Frame): void => this.connection.notify(op, args);
    this.sender = new Sender(this.store, request, newClientId, storage);
    this.threads = new ThreadManager(
      this.store, request, notify, this.sender, (threadId) => this.pager.toUnread(threadId), threadsHeld(options),
    );
    this.inbox = new InboxSync(this.store, request);
    this.project = new Project(this.store, request, (threadId) => this.threads.refreshCards(threadId));
    this.pager = new Pager(this.store, request);
    this.messages = new Messages(this.store, request, this.pager);
    this.reader = new Reader(this.store, request, this.inbox);
    this.names = new Names(this.store, request);
    this.safety = new Safety(this.store, request, this.inbox, this.threads);
    this.files = new Files({
      http: new Http(options.url, options.getToken),
      safeMode: options.safeMode,
      storage: options.uploadStorage,
      backoff: options.backoff ?? kDefaultBackoff,
      random: options.random ?? Math.random,
      skewMs: () => this.state.clockSkewMs,
    });
    this.typingIn = new TypingIn((threadId) => this.store.updateThread(threadId, (thread) => withTyping(thread, [])));
    this.typingOut = new TypingOut((threadId, typing) => notify('typing.set', { threadId, typing }));
    this.connection = new Connection(
      {
        url: options.url,
        getToken: options.getToken,
        socketFactory: options.socketFactory ?? browserSocket,
        backoff: options.backoff ?? kDefaultBackoff,
        random: options.random ?? Math.random,
        safeMode: options.safeMode,
      },
      {
        onState: (connection, connectionHint, closedBy, connectionError) => {
          this.store.update({ connection, connectionHint, closedBy, connectionError });
          if (connection === 'closed') this.sender.abandon(connectionError ?? stopped());
          if (connection === 'reconnecting' || connection === 'closed') this.threads.onDisconnected();
        },
        onEvent: (event) => this.receive(event),
        resume: () => this.resume(),
        onHello: (reply) => this.onHello(reply),
      },
    );
    bindMethods(this);
  }

  get state(): ClientState {
    return this.store.get();
  }

  subscribe(listener: () => void): () => void {
    return this.store.subscribe(listener);
  }

  start(): void {
    this.sender.begin();
    this.files.begin();
    this.connection.start();
  }

  stop(): void {
    this.sender.stop();
    this.files.stop();
    this.typingIn.stop();
    this.inbox.stop();
    this.names.stop();
    this.connection.stop();
  }

  reconnectNow(): void {
    this.files.wake();
    this.connection.reconnectNow();
  }

  /** Sends any op of the protocol, for ops that have no method here. */
  request(op: string, args: Frame): Promise<Frame> {
    return this.connection.request(op, args);
  }

  /** Requests a user's name, which `state.names` will have soon. Cheap enough to call on every render. */
  wantName(userId: string): void {
    this.names.want(userId);
  }

  // Inbox

  showFolder(folder: EntryFolder): void {
    this.inbox.show(folder);
  }

  /** Filters all folders; `{}` removes the filter. */
  filterInbox(filter: InboxFilter): void {
    this.inbox.narrow(filter);
  }

  moreInbox(): Promise<void> {
    return this.inbox.more();
  }

  async setEntry(threadId: string, change: EntryChange): Promise<void> {
    const reply = await this.request('inbox.set', { threadId, ...change });
    this.inbox.onEntry(reply['entry'] as Entry);
  }

  async mute(threadId: string, muted: boolean): Promise<void> {
    const reply = await this.request('participant.mute', { threadId, muted });
    this.inbox.onEntry(reply['entry'] as Entry);
  }

  // Threads

  async createThread(args: NewThreadArgs): Promise<string> {
    const reply = await this.request('thread.create', creationArgs(args, this.state.userId));
    return (reply['thread'] as { threadId: string }).threadId;
  }

  showThread(threadId: string): void {
    this.threads.show(threadId);
  }

  loadOlder(threadId: string): Promise<void> {
    return this.pager.older(threadId);
  }

  loadNewer(threadId: string): Promise<void> {
    return this.pager.newer(threadId);
  }

  /** Moves the window to a message, however far away it is; returns false if the message does not exist. */
  showMessage(threadId: string, messageId: string): Promise<boolean> {
    return this.pager.around(threadId, messageId);
  }

  /** Moves the window back to the newest messages. */
  async jumpToNewest(threadId: string): Promise<void> {
    if (this.store.thread(threadId)?.timeline.hasNewer === true) await this.threads.load(threadId);
  }

  /** Returns the request that a stranger must accept first, or null if the user was added at once. */
  async addParticipant(threadId: string, userId: string): Promise<MessageRequest | null> {
    const reply = await this.request('participant.add', { threadId, userId });
    this.participantChanged(threadId, reply);
    return (reply['request'] as MessageRequest | undefined) ?? null;
  }

  async removeParticipant(threadId: string, userId: string): Promise<void> {
    this.participantChanged(threadId, await this.request('participant.remove', { threadId, userId }));
    if (userId === this.state.userId) this.left(threadId);
  }

  private participantChanged(threadId: string, reply: Frame): void {
    const item = reply['participant'] as Participant;
    this.store.updateThread(threadId, (thread) => applyChanges(thread, [{ seq: item.seq, kind: 'participant', item }]));
  }

  // Messages

  /**
   * Resolves with the message once the server has stored it. Rejects with the server's error, OUTBOX_FULL, DISCARDED,
   * or the reason the client is closed. `state.outbox` shows the same result, so the promise may be ignored.
   */
  send(threadId: string, args: SendArgs): Promise<Sent> {
    this.typingOut.stopped(threadId);
    const sent = this.sender.send(threadId, args);
    void this.jumpToNewest(threadId);
    return sent;
  }

  /**
   * Uploads a file for a message of this thread: `send(threadId, {body, attachments: [{attachmentId}]})`. Continues by
   * itself after a lost connection, and, with `uploadStorage`, after a reload if it is called with the same file.
   * Resolves with the attachment once the server has all bytes; it may still be `scanning`, and can be sent all the
   * same. Rejects with the server's error, DISCONNECTED after many attempts, CANCELLED, or STOPPED.
   */
  upload(threadId: string, file: FileContent, options: UploadOptions = {}): Promise<Attachment> {
    return this.files.upload(threadId, file, options);
  }

  /**
   * Returns an address of a file's bytes, for an image, a player or a download. It needs no other credential and is
   * valid for some minutes; until then the same one is returned.
   */
  fileUrl(attachmentId: string, options: FileUrlOptions = {}): Promise<string> {
    return this.files.url(attachmentId, options);
  }

  retrySend(clientId: string): Promise<Sent> {
    return this.sender.retry(clientId);
  }

  discardSend(clientId: string): void {
    this.sender.discard(clientId);
  }

  /** Adopts unsent messages saved elsewhere by `OutboxStorage.save`. Skips those that are already in the outbox. */
  adoptSends(kept: unknown): void {
    this.sender.adopt(kept);
  }

  typing(threadId: string): void {
    this.typingOut.typed(threadId);
  }

  typingStopped(threadId: string): void {
    this.typingOut.stopped(threadId);
  }

  /**
   * Sets the thread whose newest message the user is looking at, or null. New messages there are marked as read at
   * once.
   */
  attend(threadId: string | null): void {
    this.reader.attend(threadId);
  }

  /** Marks this message and all before it as read. */
  readTo(threadId: string, messageId: string): void {
    this.reader.readTo(threadId, messageId);
  }

  // Session

  private resume(): Resume | null {
    return this.epoch === null ? null : { epoch: this.epoch, threads: this.threads.held() };
  }

  private async onHello(reply: HelloReply): Promise<void> {
    this.epoch = reply.epoch;
    this.typingOut.ttlMs = reply.typingTtlMs || kDefaultTypingTtlMs;
    this.typingIn.ttlMs = reply.typingTtlMs || kDefaultTypingTtlMs;
    this.store.update({
      role: reply.role,
      limits: limitsOf(reply.limits, this.state.limits),
      safeMode: this.safeModeOf(reply),
      clockSkewMs: Date.parse(reply.serverTime) - Date.now() || 0,
    });
    this.inbox.markOthersUnknown();
    this.names.markOld();
    if (this.state.blocked !== null) void this.safety.readBlocks().catch(() => undefined);
    const threads = this.threads.resume(reply);
    const inbox = this.inbox.refresh('loaded');
    this.sender.pump();
    this.files.wake();
    await Promise.all([threads, inbox]);
    this.reader.markAttended();
  }

  /** An older server does not report it. */
  private safeModeOf(reply: HelloReply): SafeModeState {
    return (reply.safeMode as SafeModeState | undefined) ?? { bandMax: this.options.safeMode === false ? 2 : 1, mayLift: false };
  }

  private receive(event: Frame & { ev: string }): void {
    const threadId = event['threadId'] as string;
    switch (event.ev) {
      case 'inbox.updated':
        this.inbox.onEntry(event['entry'] as Entry);
        return this.threads.cameBack((event['entry'] as Entry).threadId);
      case 'request.updated':
        return this.receiveRequest(threadId, event['request'] as MessageRequest);
      case 'thread.synced':
        return this.threads.onSynced(threadId, event['seq'] as number);
      case 'participant.read':
        return this.store.updateThread(threadId, (thread) =>
          withReadCursor(
            thread,
            event['userId'] as string,
            (event['lastReadMsgId'] as string | null) ?? '',
            event['lastReadAt'] as string | null,
          ),
        );
      case 'typing':
        this.typingIn.received(threadId);
        return this.store.updateThread(threadId, (thread) => withTyping(thread, event['userIds'] as string[]));
      case 'presence':
        return this.store.updateThread(threadId, (thread) => withPresence(thread, event as unknown as Presence));
      default:
        if (typeof event['seq'] === 'number') this.receiveShared(event as unknown as SharedEvent);
    }
  }

  private receiveRequest(threadId: string, request: MessageRequest): void {
    this.inbox.onRequest(threadId, request);
    if (request.state !== 'accepted') return;
    this.safety.forgetRefusal(threadId);
    this.threads.letIn(threadId);
  }

  private receiveShared(event: SharedEvent): void {
    this.threads.onShared(event);
    if (event.ev === 'participant.removed' && (event.item as Participant).userId === this.state.userId) {
      return this.left(event.threadId);
    }
    if (this.options.safeMode === false) this.readWithheld(event);
    const attended = this.reader.attends(event.threadId);
    this.inbox.onShared(event, attended);
    if (attended && event.ev === 'message.created') this.reader.markAttended();
  }

  /** Reads the moodboard again: shared events omit mature content, which this user may see. */
  private readWithheld({ ev, threadId, item }: SharedEvent): void {
    const tab = ev === 'tab.updated' ? (item as Tab).tab : null;
    if (tab === 'moodboard' && this.store.thread(threadId) !== undefined) void this.project.readTab(threadId, tab).catch(() => undefined);
  }

  private left(threadId: string): void {
    this.inbox.remove(threadId);
    this.threads.fail(threadId, 'You are no longer part of this conversation.');
  }
}

function threadsHeld({ threadsHeld: held = kThreadsHeld }: ClientOptions): number {
  if (!Number.isInteger(held) || held < 1 || held > kThreadsHeldMax) throw badArgument(`threadsHeld is not a whole number from 1 to ${kThreadsHeldMax}`);
  return held;
}

function loadFrom(storage: OutboxStorage | null): unknown {
  try {
    return storage?.load();
  } catch {
    return null;
  }
}
