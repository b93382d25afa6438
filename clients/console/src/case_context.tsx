import type { Attachment, Case, CaseView } from '@parley/sdk';
import { Isolated } from '@parley/shared';
import { UserLink } from './case_facts.js';
import { CaseFiles } from './case_files.js';
import { MessageRow } from './message_row.js';
import { PlaceLink } from './place_context.js';

interface CaseContextProps {
  of: Case;
  view: Pick<CaseView, 'context' | 'masked'>;
  onFile: (changed: Attachment) => void;
}

/** The subject of a case: the messages around it and the participants. */
export function CaseContextView({ of, view, onFile }: CaseContextProps) {
  const { context } = view;
  if (context === null || context.thread === null) return <p className="muted">The case is not about a conversation.</p>;
  const { thread, messages, participants } = context;
  return (
    <>
      {view.masked === true ? (
        <p className="masked" data-testid="masked">
          Phone numbers, addresses and codes are masked. They are shown once the case is escalated.
        </p>
      ) : null}
      <p>
        <strong>{thread.subject === null ? 'A conversation' : <Isolated text={thread.subject} />}</strong> ({thread.kind}, {thread.status}) between{' '}
        {participants.map(({ userId }, at) => (
          <span key={userId}>
            {at === 0 ? '' : at === participants.length - 1 ? ' and ' : ', '}
            <UserLink userId={userId} />
          </span>
        ))}
      </p>
      {messages.length === 0 ? (
        <p className="muted">No messages.</p>
      ) : (
        <ol className="messages" data-testid="case-messages">
          {messages.map((message) => (
            <MessageRow key={message.messageId} message={message} reported={message.messageId === of.messageId} files={<CaseFiles attachments={message.attachments ?? []} onChanged={onFile} />} />
          ))}
        </ol>
      )}
      <PlaceLink to={{ view: 'thread', id: thread.threadId, caseId: of.caseId }} testId="look-in-link">
        Read the whole conversation
      </PlaceLink>
    </>
  );
}
