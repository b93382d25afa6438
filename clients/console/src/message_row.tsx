import type { Message } from '@parley/sdk';
import { fullTime, Name, timeOfDay } from '@parley/shared';
import type { ReactNode } from 'react';
import { kModerationWords } from './words.js';

interface MessageRowProps {
  message: Message;
  /** The case is about this message. */
  reported?: boolean;
  /** Its files, where they can be looked at. */
  files?: ReactNode;
  children?: ReactNode;
}

/** Returns the text shown in place of a body, or null if there is a body. */
export function bodyless({ deletedAt, flags, body, type }: Message): string | null {
  if (flags?.moderation === 'redacted') return 'Redacted';
  if (deletedAt !== null) return 'Deleted';
  return body === '' ? (type === 'action' ? 'An action card' : 'No text') : null;
}

/** A message exactly as typed: the console draws user content only as plain text. */
export function MessageRow({ message, reported = false, files, children }: MessageRowProps) {
  const at = Date.parse(message.createdAt);
  const instead = bodyless(message);
  const moderation = message.flags?.moderation;
  return (
    <li className="said" data-testid="message" data-message-id={message.messageId} data-moderation={moderation} data-reported={reported}>
      <p className="said-by">
        <strong><Name id={message.authorUserId} /></strong>{' '}
        <time className="muted" dateTime={message.createdAt} title={fullTime(at)}>
          {timeOfDay(at)}
        </time>
        {reported ? <span className="chip reported">Reported</span> : null}
        {moderation === undefined || moderation === 'clean' ? null : <span className="chip">{kModerationWords[moderation]}</span>}
        {message.editedAt !== null && message.deletedAt === null ? <span className="muted">edited</span> : null}
      </p>
      {instead === null ? (
        <p className="said-body" dir="auto" data-testid="message-body">
          {message.body}
        </p>
      ) : (
        <p className="muted" data-testid="message-body">
          {instead}
        </p>
      )}
      {files ?? (message.attachments !== undefined && message.attachments.length > 0 ? (
        <p className="muted">
          {message.attachments.length} {message.attachments.length === 1 ? 'file' : 'files'}
        </p>
      ) : null)}
      {children}
    </li>
  );
}
