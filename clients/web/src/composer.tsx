import { findMessage, outboxFull, outboxIsFull, type Limits, type OutboxItem, type ThreadState } from '@parley/sdk';
import { Icon, isComposing, Name, useAttempt, utf8Length } from '@parley/shared';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { AttachButton } from './attach_button.js';
import { useAttaching, usePicked } from './attaching_context.js';
import { useClient } from './client_context.js';
import type { Closing } from './closing.js';
import { ComposerClosed } from './composer_closed.js';
import type { Edit, Named } from './drafts.js';
import { useDraft, useDrafts, useEdit } from './drafts_context.js';
import { messageLine, named } from './message_line.js';
import { PickedFiles } from './picked_files.js';
import { refusalTitle, toPutRight } from './refusals.js';
import { useAttach } from './use_attach.js';

interface ComposerProps {
  thread: ThreadState;
  limits: Limits;
  /** The reason why writing is not possible here, or null. */
  closing: Closing | null;
  /** The viewer's messages that are pending or failed. */
  outbox: readonly OutboxItem[];
  onEditLast: () => void;
}

export function Composer({ thread, limits, closing, outbox, onEditLast }: ComposerProps) {
  const client = useClient();
  const attempt = useAttempt();
  const drafts = useDrafts();
  const { threadId, timeline } = thread;
  const draft = useDraft(threadId);
  const edit = useEdit(threadId);
  const changing = edit?.shown === true ? edit : null;
  const replyTo = draft?.replyTo ?? null;
  const text = changing === null ? (draft?.text ?? '') : changing.text;
  const box = useRef<HTMLTextAreaElement>(null);
  const bytes = utf8Length(text);
  const tooLong = bytes > limits.maxBodyBytes;
  const attaching = useAttaching();
  const picked = usePicked(threadId);
  const files = changing === null ? picked : [];
  const uploaded = files.every(({ state }) => state === 'ready');
  const ready = (text.trim() !== '' || files.length > 0) && uploaded && !tooLong && closing === null && thread.loaded;

  const focus = useCallback(() => box.current?.focus(), []);
  const attachable = changing === null && closing === null && thread.loaded;
  const { attach, onPaste, dragging } = useAttach(threadId, attachable, focus);

  const about = changing?.message.messageId ?? replyTo?.messageId;
  const kind = changing !== null ? 'edit' : replyTo !== null ? 'reply' : 'new';
  useEffect(() => {
    if (about !== undefined) box.current?.focus();
  }, [about, kind]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  // Returns a message rejected for its content to the send box, as soon as the box is empty.
  const refused = toPutRight(outbox);
  const [complaint, setComplaint] = useState<string | null>(null);
  useEffect(() => {
    if (refused === undefined || text !== '' || kind === 'edit') return;
    const answeredTo = refused.replyTo === null ? undefined : findMessage(timeline, refused.replyTo);
    if (answeredTo !== undefined && kind === 'new') drafts.answer(threadId, named(answeredTo));
    drafts.keep(threadId, refused.body);
    attaching.giveBack(threadId, (refused.attachments ?? []).flatMap((file) => ('attachmentId' in file ? file.attachmentId : [])));
    setComplaint(`${refusalTitle(refused.code ?? '')} ${refused.hint ?? ''}`);
    client.discardSend(refused.clientId);
  }, [client, drafts, attaching, threadId, timeline, refused, text, kind]);

  // When writing becomes possible again, the focused reason is removed, so moves the focus to the send box.
  const closed = closing !== null;
  const wasClosed = useRef(closed);
  useEffect(() => {
    if (wasClosed.current && !closed && document.activeElement === document.body) box.current?.focus();
    wasClosed.current = closed;
  }, [closed]);

  const change = (value: string): void => {
    if (changing !== null) return drafts.keepEdit(threadId, value);
    drafts.keep(threadId, value);
    if (value.trim() === '') client.typingStopped(threadId);
    else client.typing(threadId);
  };

  const save = async ({ message: { messageId }, body }: Edit): Promise<void> => {
    if (text !== body && !(await attempt(() => client.messages.edit(threadId, messageId, text)))) return;
    if (drafts.edit(threadId)?.text === text) drafts.endEdit(threadId); // otherwise the user continued editing
  };

  const submit = async (): Promise<void> => {
    if (!ready) return;
    if (changing !== null) return save(changing);
    const accepted = await attempt(() => {
      if (outboxIsFull(client.state.outbox)) throw outboxFull();
      const attachments = attaching.take(threadId);
      void client.send(threadId, { body: text.trim() === '' ? '' : text, attachments, ...(replyTo === null ? {} : { replyTo: replyTo.messageId }) }); // the outbox shows the result
    });
    if (!accepted) return;
    setComplaint(null);
    drafts.drop(threadId);
  };

  const cancel = (): void => {
    if (changing !== null) drafts.endEdit(threadId);
    else drafts.answer(threadId, null);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void submit();
    } else if (event.key === 'Escape' && kind !== 'new') {
      cancel();
    } else if (event.key === 'ArrowUp' && text === '' && kind === 'new') {
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
      {about === undefined ? null : <ModeBar kind={changing === null ? 'reply' : 'edit'} message={(changing?.message ?? replyTo)!} timeline={timeline} onCancel={cancel} />}
      {changing === null ? <PickedFiles threadId={threadId} /> : null}
      {dragging ? (
        <div className="drop-area" data-testid="drop-area">
          Drop files here to send them
        </div>
      ) : null}
      <div className="composer-row">
        {changing === null ? <AttachButton disabled={!attachable} onFiles={attach} /> : null}
        <label className="visually-hidden" htmlFor="send-box">
          {kind === 'edit' ? 'Edit message' : 'Message'}
        </label>
        <textarea
          id="send-box"
          data-testid="send-box"
          ref={box}
          rows={1}
          dir="auto"
          placeholder={kind === 'edit' ? 'Edit message' : 'Write a message'}
          value={text}
          enterKeyHint="send"
          aria-invalid={tooLong || complaint !== null}
          aria-describedby={tooLong ? 'send-box-limit' : complaint === null ? undefined : 'send-box-complaint'}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => client.typingStopped(threadId)}
        />
        <button
          type="submit"
          className="send-button"
          data-testid="send-button"
          disabled={!ready}
          aria-label={kind === 'edit' ? 'Save' : 'Send'}
          title={kind === 'edit' ? 'Save' : 'Send'}
        >
          <Icon name={kind === 'edit' ? 'check' : 'send'} size={20} />
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

interface ModeBarProps {
  kind: 'reply' | 'edit';
  message: Named;
  timeline: ThreadState['timeline'];
  onCancel: () => void;
}

/** The message being answered or edited, in its current state if loaded. */
function ModeBar({ kind, message, timeline, onCancel }: ModeBarProps) {
  const now = findMessage(timeline, message.messageId);
  return (
    <div className="composer-mode" data-testid="composer-mode" data-mode={kind}>
      <Icon name={kind} size={16} />
      <span className="composer-mode-text">
        <strong>
          {kind === 'edit' ? 'Editing' : <>Replying to <Name id={message.authorUserId} /></>}
        </strong>
        <span dir="auto">{now === undefined ? message.line : messageLine(now)}</span>
      </span>
      <button type="button" className="icon-button" aria-label="Cancel" title="Cancel" onClick={onCancel}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
