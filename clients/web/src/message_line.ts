import { cutText, type Message } from '@parley/sdk';
import type { Named } from './drafts.js';
import { cardTitle } from './card_text.js';
import { attachmentFacts } from './files.js';
import { plainText } from './markdown.js';

/** One line that describes a message, for quotes and lists. */
export function messageLine({ action, deletedAt, body, attachments }: Message): string {
  if (action !== null) return cardTitle(action.type);
  if (deletedAt !== null) return 'Message deleted';
  const line = cutText(plainText(body), 160);
  const [first] = attachments ?? [];
  return line === '' && first !== undefined ? attachmentFacts(first).name : line;
}

/** The form in which the send box names the message that it answers or edits. */
export function named(message: Message): Named {
  const { messageId, authorUserId } = message;
  return { messageId, authorUserId, line: messageLine(message) };
}
