import type { Attachment, Message } from '@parley/sdk';
import { Icon, useAttempt } from '@parley/shared';
import { useState } from 'react';
import { attachmentView, isPictured, isUpload, viewWords, type AttachmentView } from './attachment_view.js';
import { useClient } from './client_context.js';
import { download } from './file_actions.js';
import { FileView, fileIcon } from './file_view.js';
import { attachmentFacts } from './files.js';
import { Gallery, type Shown } from './gallery.js';
import { Picture } from './picture.js';
import type { Viewer } from './viewer.js';

const kHidden: readonly AttachmentView[] = ['unjudged', 'blurred', 'blocked'];

/** The files of a message: pictures together, then all others, one in each row. */
export function Attachments({ message, viewer }: { message: Message | null; viewer: Viewer }) {
  const [open, setOpen] = useState<string | null>(null);
  const attachments = message?.attachments ?? [];
  if (attachments.length === 0) return null;
  const seen = attachments.map((attachment) => ({ attachment, view: attachmentView(attachment, viewer) }));
  const pictures = seen.filter(({ attachment, view }) => isPictured(attachment) && (view === 'clear' || kHidden.includes(view)));
  const others = seen.filter((one) => !pictures.includes(one));
  const shown = pictures.flatMap(({ attachment, view }): Shown[] => (view === 'clear' && isUpload(attachment) ? [attachment] : []));
  return (
    <>
      {pictures.length === 0 ? null : (
        <ul className="pictures" aria-label="Pictures" data-count={pictures.length}>
          {pictures.map(({ attachment, view }) => (
            <li key={attachment.attachmentId}>
              <Picture attachment={attachment as Shown} view={view} onOpen={() => setOpen(attachment.attachmentId!)} required={viewer.bandMax === 0} />
            </li>
          ))}
        </ul>
      )}
      {others.length === 0 ? null : (
        <ul className="files" aria-label="Attachments">
          {others.map(({ attachment, view }, at) => (
            <li key={attachment.attachmentId ?? at}>
              {isUpload(attachment) ? <UploadRow attachment={attachment} view={view} /> : <FileView file={attachmentFacts(attachment)} testId="attachment" />}
            </li>
          ))}
        </ul>
      )}
      {open === null || !shown.some(({ attachmentId }) => attachmentId === open) ? null : (
        <Gallery pictures={shown} at={open} onAt={setOpen} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

/** A file that can be saved, or the reason why it cannot. */
function UploadRow({ attachment, view }: { attachment: Attachment & { attachmentId: string }; view: AttachmentView }) {
  const client = useClient();
  const attempt = useAttempt();
  const { attachmentId } = attachment;
  const { name, facts, sort } = attachmentFacts(attachment);
  const words = viewWords(view);
  const text = (
    <span className="file-text">
      <span className="file-name" dir="auto">
        {name}
      </span>
      <small className="muted">{words ?? facts.join(' · ')}</small>
    </span>
  );
  const mark = view === 'quarantined' || view === 'failed' ? 'shield' : view === 'pending' || view === 'unjudged' ? 'clock' : fileIcon(sort);
  const icon = (
    <span className="file-icon">
      <Icon name={mark} size={20} />
    </span>
  );
  const traits = { 'data-testid': 'attachment', 'data-attachment-id': attachmentId, 'data-view': view };
  if (words !== null) {
    return (
      <span className="file" {...traits}>
        {icon}
        {text}
      </span>
    );
  }
  return (
    <button type="button" className="file" {...traits} aria-label={`Download ${name}, ${facts.join(', ')}`} title={name} onClick={() => void attempt(() => download(client, attachmentId, name))}>
      {icon}
      {text}
      <Icon name="download" size={18} />
    </button>
  );
}
