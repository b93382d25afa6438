import type { Card, Message, Participant } from '@parley/sdk';
import { memo, useState } from 'react';
import { ActionCard } from './action_card.js';
import { Avatar } from './avatar.js';
import { cardTitle } from './card_text.js';
import { useClient } from './client_context.js';
import { displayName, fullTime, listNames, timeOfDay } from './format.js';
import { Icon } from './icons.js';
import { plainText } from './markdown.js';
import { Markdown } from './markdown_view.js';
import { useAttempt } from './notices.js';
import { isNotice, type Row } from './rows.js';

interface MessageItemProps {
  row: Row;
  own: boolean;
  /** The message this one answers; `elsewhere` when it is not loaded. */
  quoted: Message | 'elsewhere' | null;
  readers: readonly Participant[] | undefined;
  /** All others have read up to here. */
  everyone: boolean;
  editable: boolean;
  /** The card an action message carries, where it is held. */
  card: Card | null;
  /** The viewer acts on cards as staff. */
  asStaff: boolean;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
  onQuoted: (messageId: string) => void;
}

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { row, own, quoted, readers, everyone, onQuoted } = props;
  const author = displayName(row.authorUserId);
  const deleted = row.message?.deletedAt != null;
  return (
    <li
      className="message"
      data-testid="message"
      data-key={row.key}
      data-message-id={row.message?.messageId ?? row.item?.ack?.messageId ?? ''}
      data-client-id={row.message?.clientId ?? row.item?.clientId ?? ''}
      data-msg-no={row.message?.msgNo ?? row.item?.ack?.msgNo ?? ''}
      data-state={row.state}
      data-own={own}
      data-leads={row.leads}
      data-notice={isNotice(row)}
    >
      {own || isNotice(row) ? null : row.leads ? <Avatar id={row.authorUserId} /> : <span className="avatar-gap" />}
      <div className="message-main">
        <p className={row.leads && !own ? 'message-author' : 'visually-hidden'} data-testid="message-author">
          {author}
        </p>
        <div className="message-line">
          <div className="bubble">
            {quoted === null ? null : <Quote quoted={quoted} onOpen={onQuoted} />}
            <div className="message-body" data-testid="message-body" dir="auto">
              {deleted ? <em className="message-deleted">Message deleted</em> : <Body {...props} />}
            </div>
            <span className="message-meta">
              {row.message?.editedAt != null && !deleted ? <span data-testid="message-edited">edited</span> : null}
              <time dateTime={new Date(row.at).toISOString()} title={fullTime(row.at)}>
                {timeOfDay(row.at)}
              </time>
              {own ? <SendState state={row.state} /> : null}
            </span>
          </div>
          {row.message !== null && !deleted && !isNotice(row) && row.message.type !== 'action' ? <MessageActions {...props} message={row.message} /> : null}
        </div>
        {row.state === 'failed' && row.item !== null ? <Failed clientId={row.item.clientId} hint={row.item.hint} /> : null}
        {readers === undefined ? null : (
          <p className="receipt" data-testid="receipt">
            {everyone ? 'Read' : `Read by ${listNames(readers.map((reader) => reader.userId))}`}
          </p>
        )}
      </div>
    </li>
  );
});

function Body({ row, card, asStaff }: MessageItemProps) {
  if (row.message?.type === 'action') return <ActionCard message={row.message} card={card} asStaff={asStaff} />;
  if (row.body === '' && row.message?.type === 'asset') return <em>Attachment</em>;
  return <Markdown source={row.body} />;
}

function Quote({ quoted, onOpen }: { quoted: Message | 'elsewhere'; onOpen: (messageId: string) => void }) {
  if (quoted === 'elsewhere') return <p className="quote quote-elsewhere">In reply to an earlier message</p>;
  return (
    <button type="button" className="quote" data-testid="quote" onClick={() => onOpen(quoted.messageId)}>
      <strong>{displayName(quoted.authorUserId)}</strong>
      <span>{quoted.action !== null ? cardTitle(quoted.action.type) : quoted.deletedAt === null ? plainText(quoted.body).slice(0, 160) : 'Message deleted'}</span>
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

function MessageActions({ message, editable, onReply, onEdit }: MessageItemProps & { message: Message }) {
  const client = useClient();
  const attempt = useAttempt();
  const [asking, setAsking] = useState(false);
  if (asking) {
    return (
      <span className="message-actions" data-open="true" role="group" aria-label="Delete this message?">
        <button
          type="button"
          className="link-button danger"
          data-testid="message-delete-confirm"
          autoFocus
          onClick={() => {
            setAsking(false);
            void attempt(() => client.deleteMessage(message.threadId, message.messageId));
          }}
        >
          Delete
        </button>
        <button type="button" className="link-button" onClick={() => setAsking(false)}>
          Keep
        </button>
      </span>
    );
  }
  return (
    <span className="message-actions">
      <button
        type="button"
        className="icon-button"
        data-testid="message-reply"
        aria-label="Reply"
        title="Reply"
        onClick={() => onReply(message)}
      >
        <Icon name="reply" size={16} />
      </button>
      {editable ? (
        <>
          <button
            type="button"
            className="icon-button"
            data-testid="message-edit"
            aria-label="Edit"
            title="Edit"
            onClick={() => onEdit(message)}
          >
            <Icon name="edit" size={16} />
          </button>
          <button
            type="button"
            className="icon-button"
            data-testid="message-delete"
            aria-label="Delete"
            title="Delete"
            onClick={() => setAsking(true)}
          >
            <Icon name="trash" size={16} />
          </button>
        </>
      ) : null}
    </span>
  );
}
