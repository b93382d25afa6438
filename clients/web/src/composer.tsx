import type { Limits, Message, OutboxItem, ThreadState } from '@parley/sdk';
import { Icon, useAttempt, useNames, utf8Length } from '@parley/shared';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useClient } from './client_context.js';
import type { Closing } from './closing.js';
import { ComposerClosed } from './composer_closed.js';
import { useDrafts } from './drafts_context.js';
import { messageLine } from './message_line.js';
import { refusalTitle, toPutRight } from './refusals.js';

export type ComposerMode = { kind: 'new' } | { kind: 'reply' | 'edit'; message: Message };

interface ComposerProps {
  thread: ThreadState;
  limits: Limits;
  mode: ComposerMode;
  /** Why writing is not possible here, or null. */
  closing: Closing | null;
  /** The viewer's messages that are on their way, or failed. */
  outbox: readonly OutboxItem[];
  onDone: () => void;
  onEditLast: () => void;
}

export function Composer({ thread, limits, mode, closing, outbox, onDone, onEditLast }: ComposerProps) {
  const client = useClient();
  const attempt = useAttempt();
  const drafts = useDrafts();
  const { threadId } = thread;
  const [text, setText] = useState(() => drafts.get(threadId));
  const box = useRef<HTMLTextAreaElement>(null);
  const bytes = utf8Length(text);
  const tooLong = bytes > limits.maxBodyBytes;
  const ready = text.trim() !== '' && !tooLong && closing === null && thread.loaded;

  useEffect(() => {
    if (mode.kind === 'edit') setText(mode.message.body);
    if (mode.kind !== 'new') box.current?.focus();
  }, [mode]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  // What was refused for what it says comes back to be put right, as soon as there is room for it.
  const refused = toPutRight(outbox);
  const [complaint, setComplaint] = useState<string | null>(null);
  useEffect(() => {
    if (refused === undefined || text !== '' || mode.kind === 'edit') return;
    setText(refused.body);
    drafts.keep(threadId, refused.body);
    setComplaint(`${refusalTitle(refused.code ?? '')} ${refused.hint ?? ''}`);
    client.discardSend(refused.clientId);
  }, [client, drafts, threadId, refused, text, mode.kind]);

  // The way is free again, and what said that it was not has gone with the focus on it.
  const closed = closing !== null;
  const wasClosed = useRef(closed);
  useEffect(() => {
    if (wasClosed.current && !closed && document.activeElement === document.body) box.current?.focus();
    wasClosed.current = closed;
  }, [closed]);

  const change = (value: string): void => {
    setText(value);
    if (mode.kind === 'edit') return;
    drafts.keep(threadId, value);
    if (value.trim() === '') client.typingStopped(threadId);
    else client.typing(threadId);
  };

  const finish = (): void => {
    setComplaint(null);
    setText(mode.kind === 'edit' ? drafts.get(threadId) : '');
    if (mode.kind !== 'edit') drafts.keep(threadId, '');
    onDone();
  };

  const submit = async (): Promise<void> => {
    if (!ready) return;
    if (mode.kind === 'edit') {
      const { messageId, body } = mode.message;
      if (text === body || (await attempt(() => client.messages.edit(threadId, messageId, text)))) finish();
      return;
    }
    const replyTo = mode.kind === 'reply' ? { replyTo: mode.message.messageId } : {};
    const accepted = await attempt(() => client.send(threadId, { body: text, ...replyTo }));
    if (accepted) finish();
  };

  const cancel = (): void => {
    if (mode.kind === 'edit') setText(drafts.get(threadId));
    onDone();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return; // Enter confirms an input method's candidate
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void submit();
    } else if (event.key === 'Escape' && mode.kind !== 'new') {
      cancel();
    } else if (event.key === 'ArrowUp' && text === '' && mode.kind === 'new') {
      event.preventDefault();
      onEditLast();
    }
  };

  if (closing !== null) return <ComposerClosed threadId={threadId} closing={closing} />;
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {mode.kind === 'new' ? null : <ModeBar mode={mode} onCancel={cancel} />}
      <div className="composer-row">
        <label className="visually-hidden" htmlFor="send-box">
          {mode.kind === 'edit' ? 'Edit message' : 'Message'}
        </label>
        <textarea
          id="send-box"
          data-testid="send-box"
          ref={box}
          rows={1}
          dir="auto"
          placeholder={mode.kind === 'edit' ? 'Edit message' : 'Write a message'}
          value={text}
          enterKeyHint="send"
          aria-invalid={tooLong || complaint !== null}
          aria-describedby={tooLong ? 'send-box-limit' : complaint === null ? undefined : 'send-box-complaint'}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => client.typingStopped(threadId)}
        />
        <button
          type="submit"
          className="send-button"
          data-testid="send-button"
          disabled={!ready}
          aria-label={mode.kind === 'edit' ? 'Save' : 'Send'}
          title={mode.kind === 'edit' ? 'Save' : 'Send'}
        >
          <Icon name={mode.kind === 'edit' ? 'check' : 'send'} size={20} />
        </button>
      </div>
      {complaint === null ? null : (
        <p id="send-box-complaint" className="form-error" data-testid="send-refused" role="alert" dir="auto">
          {complaint} Your text is above: change it, and send it again.
        </p>
      )}
      {tooLong ? (
        <p id="send-box-limit" className="form-error" role="alert">
          Too long: {bytes} of {limits.maxBodyBytes} bytes.
        </p>
      ) : null}
    </form>
  );
}

function ModeBar({ mode, onCancel }: { mode: Exclude<ComposerMode, { kind: 'new' }>; onCancel: () => void }) {
  const nameOf = useNames();
  const title = mode.kind === 'edit' ? 'Editing' : `Replying to ${nameOf(mode.message.authorUserId)}`;
  return (
    <div className="composer-mode" data-testid="composer-mode" data-mode={mode.kind}>
      <Icon name={mode.kind} size={16} />
      <span className="composer-mode-text">
        <strong dir="auto">{title}</strong>
        <span dir="auto">{messageLine(mode.message)}</span>
      </span>
      <button type="button" className="icon-button" aria-label="Cancel" title="Cancel" onClick={onCancel}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
