import type { Limits, Message, ThreadState } from '@parley/sdk';
import { Icon, useAttempt, useNames, utf8Length } from '@parley/shared';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useClient } from './client_context.js';
import { useDrafts } from './drafts_context.js';
import { messageLine } from './message_line.js';

export type ComposerMode = { kind: 'new' } | { kind: 'reply' | 'edit'; message: Message };

interface ComposerProps {
  thread: ThreadState;
  limits: Limits;
  mode: ComposerMode;
  /** Why writing is not possible here, or null. */
  refusal: string | null;
  onDone: () => void;
  onEditLast: () => void;
}

export function Composer({ thread, limits, mode, refusal, onDone, onEditLast }: ComposerProps) {
  const client = useClient();
  const attempt = useAttempt();
  const drafts = useDrafts();
  const { threadId } = thread;
  const [text, setText] = useState(() => drafts.get(threadId));
  const box = useRef<HTMLTextAreaElement>(null);
  const bytes = utf8Length(text);
  const tooLong = bytes > limits.maxBodyBytes;
  const ready = text.trim() !== '' && !tooLong && refusal === null && thread.loaded;

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

  const change = (value: string): void => {
    setText(value);
    if (mode.kind === 'edit') return;
    drafts.keep(threadId, value);
    if (value.trim() === '') client.typingStopped(threadId);
    else client.typing(threadId);
  };

  const finish = (): void => {
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

  if (refusal !== null) return <p className="composer-refusal">{refusal}</p>;
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
          aria-invalid={tooLong}
          aria-describedby={tooLong ? 'send-box-limit' : undefined}
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
