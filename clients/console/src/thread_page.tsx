import type { Message, MessageModeration, OpenReply, SharedEvent, Thread } from '@parley/sdk';
import { CloseActions, Dialog, Name, useAttempt, useNames, useNote } from '@parley/shared';
import { useEffect, useState } from 'react';
import { UserLink } from './case_facts.js';
import { LookInGate } from './look_in_gate.js';
import { lookInOf, withEvent, withMessage, withOlder, type LookIn } from './look_in.js';
import { MessageRow } from './message_row.js';
import { PlaceLink } from './place_context.js';
import { ReasonForm } from './reason_form.js';
import { useStaff } from './staff_context.js';
import { threadWords } from './thread_list.js';
import { When } from './when.js';
import { kModerationWords, plain } from './words.js';

const kOlder = 50;

interface ThreadPageProps {
  threadId: string;
  /** The case that linked here. */
  caseId: string | null;
  ready: boolean;
}

/** Reads nothing before the viewer gives a reason, even after following a link, because reading is recorded. */
export function ThreadPage({ threadId, caseId, ready }: ThreadPageProps) {
  const client = useStaff();
  const [held, setHeld] = useState<LookIn | null>(null);
  const [reason, setReason] = useState('');
  const [live, setLive] = useState(false);
  const looking = held !== null;

  const look = async (why: string): Promise<void> => {
    const opened = (await client.request('thread.open', { threadId, reason: why })) as unknown as OpenReply;
    setReason(why);
    setHeld(lookInOf(opened));
    setLive(true);
  };
  useEffect(() => {
    if (!ready) setLive(false); // the server forgot this session's grant, and only the viewer may ask again
  }, [ready]);
  useEffect(() => {
    if (!looking) return;
    const off = client.onEvent((event) => setHeld((now) => (now === null ? null : withEvent(now, event as unknown as SharedEvent))));
    return () => {
      off();
      client.request('thread.close', { threadId }).catch(() => undefined);
    };
  }, [client, threadId, looking]);

  if (held === null) return <LookInGate threadId={threadId} caseId={caseId} look={look} />;
  return <Looking held={held} set={(change) => setHeld((now) => (now === null ? null : change(now)))} again={live ? null : () => look(reason)} />;
}

interface LookingProps {
  held: LookIn;
  set: (change: (held: LookIn) => LookIn) => void;
  /** Reads the conversation again after a lost connection; null: it is live. */
  again: (() => Promise<void>) | null;
}

function Looking({ held, set, again }: LookingProps) {
  const client = useStaff();
  const { moderation } = client;
  const attempt = useAttempt();
  const note = useNote();
  const nameOf = useNames();
  const [moderated, setModerated] = useState<Message | null>(null);
  const { thread, participants, messages, cursor } = held;
  const moderating = moderated !== null;
  useEffect(() => {
    // The action may have removed the button that opened the dialog.
    if (!moderating && document.activeElement === document.body) document.getElementById('page')?.focus();
  }, [moderating]);
  const { threadId } = thread;

  const older = async (): Promise<void> => {
    const page = (await client.request('message.list', { threadId, before: cursor, limit: kOlder })) as unknown as { messages: Message[]; cursor: string | null };
    set((now) => withOlder(now, page.messages, page.cursor));
  };
  const setStatus = async (status: Thread['status'], reason: string): Promise<void> => {
    const { thread: changed } = (await client.request('thread.setStatus', { threadId, status, reason })) as unknown as { thread: Thread };
    set((now) => ({ ...now, thread: changed }));
    note(`The conversation is now ${changed.status}.`);
  };

  return (
    <>
      <h1 id="page-title" data-testid="thread" data-thread-id={threadId} data-status={thread.status} dir="auto">
        {threadWords(thread, nameOf)}
      </h1>
      <p className="masked" data-testid="looking" data-live={again === null}>
        {again === null ? (
          'You are reading this conversation, live. This is recorded.'
        ) : (
          <>
            The connection was lost: this is what you saw until then.{' '}
            <button type="button" className="link-button" data-testid="look-again" onClick={() => void attempt(again)}>
              Read again; this is recorded
            </button>
          </>
        )}
      </p>
      <div className="case">
        <div className="case-column">
          <section className="card" aria-labelledby="messages-title">
            <h2 id="messages-title">Messages</h2>
            {cursor === null ? null : (
              <button type="button" className="link-button" data-testid="older" onClick={() => void attempt(older)}>
                Older messages
              </button>
            )}
            <ol className="messages" data-testid="messages">
              {messages.map((message) => (
                <MessageRow key={message.messageId} message={message}>
                  {message.flags?.moderation === 'redacted' || message.deletedAt !== null ? null : (
                    <button type="button" className="link-button" data-testid="moderate" onClick={() => setModerated(message)}>
                      Moderate…<span className="visually-hidden"> the message of <Name id={message.authorUserId} /></span>
                    </button>
                  )}
                </MessageRow>
              ))}
            </ol>
          </section>
        </div>
        <div className="case-column">
          <section className="card" aria-labelledby="facts-title">
            <h2 id="facts-title">Facts</h2>
            <dl className="facts">
              <dt>Kind</dt>
              <dd>{plain(thread.kind)}</dd>
              <dt>Status</dt>
              <dd data-testid="thread-status">
                {plain(thread.status)}
                {thread.statusReason ? <>: <bdi>{thread.statusReason}</bdi></> : null}
              </dd>
              <dt>Began</dt>
              <dd>
                <When at={thread.createdAt} long />
              </dd>
              <dt>Members</dt>
              <dd>
                <ul className="reports">
                  {participants.map(({ userId, permission, removedAt }) => (
                    <li key={userId}>
                      <UserLink userId={userId} /> <span className="muted">{removedAt === null ? permission : 'left'}</span>
                    </li>
                  ))}
                </ul>
              </dd>
            </dl>
            <StatusForm now={thread.status} change={setStatus} />
            <PlaceLink to={{ view: 'audit', filter: { threadId } }} testId="thread-audit">
              All records of this conversation
            </PlaceLink>
          </section>
        </div>
      </div>
      {moderated === null ? null : (
        <ModerateDialog
          message={moderated}
          onClose={() => setModerated(null)}
          change={async (moderation_, reason) => {
            const changed = await moderation.moderateMessage(threadId, moderated.messageId, moderation_, reason);
            set((now) => withMessage(now, changed));
            note(`The message is now: ${kModerationWords[moderation_].toLowerCase()}.`);
            setModerated(null);
          }}
        />
      )}
    </>
  );
}

function StatusForm({ now, change }: { now: Thread['status']; change: (status: Thread['status'], reason: string) => Promise<void> }) {
  const next = now === 'open' ? 'locked' : 'open';
  return <ReasonForm testId="status" verb={next === 'locked' ? 'Lock the conversation' : 'Open it again'} act={(reason) => change(next, reason)} />;
}

const kModerations = Object.keys(kModerationWords) as MessageModeration[];

interface ModerateDialogProps {
  message: Message;
  onClose: () => void;
  change: (moderation: MessageModeration, reason: string) => Promise<void>;
}

function ModerateDialog({ message, onClose, change }: ModerateDialogProps) {
  const [moderation, setModeration] = useState<MessageModeration>('redacted');
  return (
    <Dialog title="Moderate a message" testId="moderate-dialog" onClose={onClose}>
      <blockquote className="said-body" dir="auto">
        {message.body}
      </blockquote>
      <ReasonForm testId="moderate-form" verb={moderation === 'redacted' ? 'Redact for good' : 'Change'} act={(reason) => change(moderation, reason)}>
        <label className="field">
          Becomes
          <select data-testid="moderate-state" value={moderation} onChange={(event) => setModeration(kModerations.find((known) => known === event.target.value) ?? 'redacted')}>
            {kModerations.map((known) => (
              <option key={known} value={known}>
                {kModerationWords[known]}
              </option>
            ))}
          </select>
        </label>
      </ReasonForm>
      <CloseActions words="Cancel" onClose={onClose} />
    </Dialog>
  );
}
