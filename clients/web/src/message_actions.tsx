import type { Message } from '@parley/sdk';
import { Icon, type IconName, Toolbar, useAttempt, useFocusBack } from '@parley/shared';
import { useRef, useState } from 'react';
import { useClient } from './client_context.js';
import { HistoryDialog } from './history_dialog.js';
import { ReactionPicker } from './reactions.js';
import { ReportDialog } from './report_dialog.js';
import type { Viewer } from './viewer.js';

interface MessageActionsProps {
  message: Message;
  /** The message is the list's stop of the Tab key. */
  stop: boolean;
  viewer: Viewer;
  /** Its author may still edit it. */
  editable: boolean;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
}

function Action({ testId, icon, label, pressed, onPress }: { testId: string; icon: IconName; label: string; pressed?: boolean; onPress: () => void }) {
  return (
    <button type="button" className="icon-button" data-testid={testId} aria-label={label} aria-pressed={pressed} title={label} onClick={onPress}>
      <Icon name={icon} size={16} />
    </button>
  );
}

/** The actions on a message, shown on hover and focus. */
export function MessageActions({ message, stop, viewer, editable, onReply, onEdit }: MessageActionsProps) {
  const client = useClient();
  const attempt = useAttempt();
  const [asking, setAsking] = useState<'delete' | 'history' | 'report' | null>(null);
  const [acting, setActing] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  useFocusBack(asking === 'delete', box);
  const { threadId, messageId, authorUserId, deletedAt, editedAt, pin } = message;
  // Not every participant sees a safety report, so it can be neither answered nor pinned.
  const open = viewer.writable && deletedAt === null && message.action?.type !== 'SAFETY';
  const changed = viewer.staff && (deletedAt !== null || editedAt !== null);
  const reportable = viewer.member && deletedAt === null && authorUserId !== null && authorUserId !== viewer.userId;
  if (!open && !changed && !reportable) return null;

  if (asking === 'delete') {
    return (
      <span className="message-actions" data-open="true" role="group" aria-label="Delete this message?">
        <button
          type="button"
          className="link-button danger"
          data-testid="message-delete-confirm"
          autoFocus
          onClick={() => {
            setAsking(null);
            void attempt(() => client.messages.delete(threadId, messageId));
          }}
        >
          Delete
        </button>
        <button type="button" className="link-button" onClick={() => setAsking(null)}>
          Keep
        </button>
      </span>
    );
  }
  const pinned = pin !== undefined;
  return (
    <span ref={box} data-acting={acting} onClick={(event) => (event.target === event.currentTarget ? undefined : setActing(false))}>
      <button
        type="button"
        className="message-more"
        data-testid="message-more"
        aria-label="Message actions"
        aria-expanded={acting}
        onClick={(event) => {
          event.stopPropagation();
          setActing(!acting);
        }}
      >
        <Icon name="dots" size={18} />
      </button>
      <Toolbar label="Message actions" className="message-actions" stop={stop}>
        {open ? (
          <>
            <ReactionPicker message={message} userId={viewer.userId} />
            <Action testId="message-reply" icon="reply" label="Reply" onPress={() => onReply(message)} />
            <Action
              testId="message-pin"
              icon="pin"
              label={pinned ? 'Unpin' : 'Pin for everyone'}
              pressed={pinned}
              onPress={() => void attempt(() => client.messages.pin(threadId, messageId, !pinned))}
            />
          </>
        ) : null}
        {open && editable ? (
          <>
            <Action testId="message-edit" icon="edit" label="Edit" onPress={() => onEdit(message)} />
            <Action testId="message-delete" icon="trash" label="Delete" onPress={() => setAsking('delete')} />
          </>
        ) : null}
        {reportable ? <Action testId="message-report" icon="flag" label="Report" onPress={() => setAsking('report')} /> : null}
        {changed ? <Action testId="message-history" icon="history" label="Earlier versions" onPress={() => setAsking('history')} /> : null}
      </Toolbar>
      {asking === 'report' ? <ReportDialog about={{ threadId, messageId }} what="this message" onClose={() => setAsking(null)} /> : null}
      {asking === 'history' ? <HistoryDialog message={message} onClose={() => setAsking(null)} /> : null}
    </span>
  );
}
