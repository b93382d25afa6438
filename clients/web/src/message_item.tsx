import type { Card, Message, Participant } from '@parley/sdk';
import { Avatar, fullTime, Icon, listNames, Name, timeOfDay, useNames } from '@parley/shared';
import { memo, useLayoutEffect, useRef, type RefObject } from 'react';
import { ActionCard } from './action_card.js';
import { Attachments } from './attachments.js';
import { useClient } from './client_context.js';
import { Markdown } from './markdown_view.js';
import { MessageActions } from './message_actions.js';
import { messageLine } from './message_line.js';
import { Reactions } from './reactions.js';
import { isNotice, type Row } from './rows.js';
import type { Viewer } from './viewer.js';

interface MessageItemProps {
  row: Row;
  /** The message is the list's stop of the Tab key; the elements inside it are the next stops. */
  stop: boolean;
  viewer: Viewer;
  /** The message that this one answers, if loaded. */
  quoted: Message | undefined;
  readers: readonly Participant[] | undefined;
  /** Every other participant has read up to here. */
  everyone: boolean;
  editable: boolean;
  /** The card of an action message, if held. */
  card: Card | null;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
  onQuoted: (messageId: string) => void;
}

const kControls = 'a[href], button, input, select, textarea';

/**
 * Makes links and buttons stops of the Tab key only in the message that is the list's stop. Skips toolbars, which
 * manage their own, and boxes that scroll.
 */
function useStops(item: RefObject<HTMLElement | null>, stop: boolean): void {
  useLayoutEffect(() => {
    for (const control of item.current?.querySelectorAll<HTMLElement>(kControls) ?? [])
      if (control.closest('[role=toolbar]') === null) control.tabIndex = stop ? 0 : -1;
  });
}

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const nameOf = useNames();
  const { row, stop, viewer, quoted, readers, everyone, editable, onQuoted, onReply, onEdit } = props;
  const { message } = row;
  const item = useRef<HTMLLIElement>(null);
  useStops(item, stop);
  const own = row.authorUserId === viewer.userId;
  const deleted = message?.deletedAt != null;
  return (
    <li
      ref={item}
      className="message"
      data-testid="message"
      data-key={row.key}
      data-message-id={message?.messageId ?? row.item?.ack?.messageId ?? ''}
      data-client-id={message?.clientId ?? row.item?.clientId ?? ''}
      data-msg-no={message?.msgNo ?? row.item?.ack?.msgNo ?? ''}
      data-state={row.state}
      data-own={own}
      data-leads={row.leads}
      data-notice={isNotice(row)}
      tabIndex={stop ? 0 : -1}
    >
      {own || isNotice(row) ? null : row.leads ? <Avatar id={row.authorUserId} /> : <span className="avatar-gap" />}
      <div className="message-main">
        <p className={row.leads && !own ? 'message-author' : 'visually-hidden'} data-testid="message-author" dir="auto">
          <Name id={row.authorUserId} />
        </p>
        <div className="bubble">
          {row.replyTo === null ? null : <Quote quoted={quoted} onOpen={() => onQuoted(row.replyTo!)} />}
          <div className="message-body" data-testid="message-body" dir="auto">
            {deleted ? <em className="message-deleted">Message deleted</em> : <Body {...props} />}
          </div>
          {deleted ? null : <Attachments message={message} viewer={viewer} />}
          <Meta row={row} own={own} />
          {message === null || isNotice(row) ? null : (
            <MessageActions message={message} stop={stop} viewer={viewer} editable={editable} onReply={onReply} onEdit={onEdit} />
          )}
        </div>
        {message === null || deleted ? null : <Reactions message={message} userId={viewer.userId} writable={viewer.writable} />}
        {row.state === 'failed' && row.item !== null ? <Failed clientId={row.item.clientId} hint={row.item.hint} /> : null}
        {row.state === 'pending' && row.item?.hint != null ? (
          <p className="message-waiting" data-testid="message-waiting" role="status">
            {row.item.hint} It is sent by itself.
          </p>
        ) : null}
        {readers === undefined ? null : (
          <p className="receipt" data-testid="receipt">
            {everyone ? 'Read' : `Read by ${listNames(readers.map((reader) => reader.userId), nameOf)}`}
          </p>
        )}
      </div>
    </li>
  );
});

function Body({ row: { message, item, body }, card, viewer }: MessageItemProps) {
  if (message?.type === 'action') return <ActionCard message={message} card={card} asStaff={viewer.asStaff} />;
  if (body !== '') return <Markdown source={body} />;
  const files = message === null ? (item?.attachments ?? []).length : 0;
  if (files > 0) return <em>{files === 1 ? 'A file' : `${files} files`}</em>;
  return message?.type === 'asset' && (message.attachments ?? []).length === 0 ? <em>Attachment</em> : null;
}

function Meta({ row, own }: { row: Row; own: boolean }) {
  const nameOf = useNames();
  const { message } = row;
  return (
    <span className="message-meta">
      {message?.pin === undefined ? null : (
        <span title={`Pinned by ${nameOf(message.pin.by)}`}>
          <Icon name="pin" size={12} />
          <span className="visually-hidden">Pinned</span>
        </span>
      )}
      {message?.editedAt != null && message.deletedAt === null ? <span data-testid="message-edited">edited</span> : null}
      <time dateTime={new Date(row.at).toISOString()} title={fullTime(row.at)}>
        {timeOfDay(row.at)}
      </time>
      {own ? <SendState state={row.state} /> : null}
    </span>
  );
}

function Quote({ quoted, onOpen }: { quoted: Message | undefined; onOpen: () => void }) {
  return (
    <button type="button" className="quote" data-testid="quote" onClick={onOpen}>
      {quoted === undefined ? (
        <span>In reply to an earlier message</span>
      ) : (
        <>
          <strong dir="auto"><Name id={quoted.authorUserId} /></strong>
          <span dir="auto">{messageLine(quoted)}</span>
        </>
      )}
    </button>
  );
}

function SendState({ state }: { state: Row['state'] }) {
  const words = { pending: 'Sending', sent: 'Sent', failed: 'Not sent' }[state];
  return (
    <span className="send-state" title={words}>
      <Icon name={state === 'pending' ? 'clock' : state === 'sent' ? 'check' : 'close'} size={13} />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

function Failed({ clientId, hint }: { clientId: string; hint: string | null }) {
  const client = useClient();
  return (
    <p className="message-failed" role="alert">
      <span>Not sent. {hint}</span>
      <button type="button" className="link-button" data-testid="message-retry" onClick={() => client.retrySend(clientId)}>
        Try again
      </button>
      <button type="button" className="link-button" data-testid="message-discard" onClick={() => client.discardSend(clientId)}>
        Discard
      </button>
    </p>
  );
}
