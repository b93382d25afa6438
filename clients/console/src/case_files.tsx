import type { Attachment, FileDecision } from '@parley/sdk';
import { CloseActions, Dialog, FileImage, Icon, saveFile, useAttempt, useNote } from '@parley/shared';
import { useCallback, useState } from 'react';
import { fileFacts, fileStateWords, kBandWords, lookOf } from './case_file.js';
import { ReasonForm } from './reason_form.js';
import { useStaff } from './staff_context.js';

interface CaseFilesProps {
  attachments: readonly Attachment[];
  onChanged: (changed: Attachment) => void;
}

/** The files of a message in a case. Nothing is fetched before the viewer asks for it, since each look is recorded. */
export function CaseFiles({ attachments, onChanged }: CaseFilesProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className="case-files" aria-label="Files">
      {attachments.map((attachment, at) => (
        <li key={attachment.attachmentId ?? at}>
          <CaseFile attachment={attachment} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  );
}

function CaseFile({ attachment, onChanged }: { attachment: Attachment; onChanged: (changed: Attachment) => void }) {
  const client = useStaff();
  const attempt = useAttempt();
  const [deciding, setDeciding] = useState(false);
  const { attachmentId, name = attachment.manifestRef ?? attachment.s3Key ?? 'File', state } = attachment;
  const look = lookOf(attachment);
  const [words, band] = fileStateWords(attachment);
  const save = async (): Promise<void> => saveFile(await client.fileUrl(attachmentId!), name);
  return (
    <div className="case-file" data-testid="case-file" data-attachment-id={attachmentId} data-state={state} data-band={attachment.nsfwBand}>
      <p className="case-file-name">
        <Icon name={state === 'quarantined' ? 'shield' : 'file'} size={16} /> <bdi>{name}</bdi>
      </p>
      <p className="muted">{fileFacts(attachment).join(' · ')}</p>
      {attachmentId === undefined ? null : (
        <>
          <p>
            <span className={state === 'quarantined' ? 'chip reported' : 'chip'}>{words}</span> <span className="chip">{band}</span>
          </p>
          {look === 'picture' ? <HiddenPicture attachmentId={attachmentId} name={name} /> : null}
          <p className="case-file-buttons">
            {look === null ? null : (
              <button type="button" className="link-button" data-testid="file-download" onClick={() => void attempt(save)}>
                Download; this is recorded<span className="visually-hidden">: {name}</span>
              </button>
            )}
            {look === null && state !== 'scanning' ? null : (
              <button type="button" className="link-button" data-testid="file-decide" onClick={() => setDeciding(true)}>
                Decide about this file…<span className="visually-hidden"> {name}</span>
              </button>
            )}
          </p>
        </>
      )}
      {deciding ? <FileDialog attachment={attachment} name={name} onClose={() => setDeciding(false)} onChanged={onChanged} /> : null}
    </div>
  );
}

/** Blurred first, then clear: two steps, so that nobody sees a picture unprepared. */
function HiddenPicture({ attachmentId, name }: { attachmentId: string; name: string }) {
  const client = useStaff();
  const [shown, setShown] = useState<'hidden' | 'blurred' | 'clear'>('hidden');
  const variant = shown === 'clear' ? 'preview' : 'blurred';
  const ask = useCallback((fresh: boolean) => client.fileUrl(attachmentId, { variant, fresh }), [client, attachmentId, variant]);
  const next = { hidden: 'blurred', blurred: 'clear', clear: 'hidden' } as const;
  const verbs = { hidden: 'Show blurred; this is recorded', blurred: 'Show clearly; this is recorded', clear: 'Hide' };
  return (
    <div className="case-picture" data-testid="case-picture" data-shown={shown}>
      {shown === 'hidden' ? null : <FileImage key={variant} ask={ask} alt={shown === 'clear' ? name : `${name}, blurred`} size={{ w: null, h: null }} testId="case-image" />}
      <button type="button" className="button" data-testid="file-show" onClick={() => setShown(next[shown])}>
        {verbs[shown]}
        <span className="visually-hidden">: {name}</span>
      </button>
    </div>
  );
}

interface FileDialogProps {
  attachment: Attachment;
  name: string;
  onClose: () => void;
  onChanged: (changed: Attachment) => void;
}

function FileDialog({ attachment, name, onClose, onChanged }: FileDialogProps) {
  const { moderation } = useStaff();
  const note = useNote();
  const [state, setState] = useState<NonNullable<FileDecision['state']> | ''>('');
  const [band, setBand] = useState('');
  const act = async (reason: string): Promise<void> => {
    const decision: FileDecision = { ...(state === '' ? {} : { state }), ...(band === '' ? {} : { nsfwBand: Number(band) }) };
    const changed = await moderation.decideFile(attachment.attachmentId!, decision, reason);
    onChanged(changed);
    note(`The file is now: ${fileStateWords(changed).join(', ').toLowerCase()}.`);
    onClose();
  };
  return (
    <Dialog title="Decide about a file" testId="file-dialog" onClose={onClose}>
      <p>
        <bdi>{name}</bdi>: {fileStateWords(attachment).join(', ').toLowerCase()}
      </p>
      <ReasonForm testId="file-form" verb="Decide" problem={state === '' && band === '' ? 'Choose a state or a band.' : null} act={act}>
        <label className="field">
          State
          <select data-testid="file-state" value={state} onChange={(event) => setState(event.target.value as NonNullable<FileDecision['state']> | '')}>
            <option value="">Unchanged</option>
            <option value="ready">Release</option>
            <option value="quarantined">Put into quarantine</option>
          </select>
        </label>
        <label className="field">
          Band
          <select data-testid="file-band" value={band} onChange={(event) => setBand(event.target.value)}>
            <option value="">Unchanged</option>
            {kBandWords.map((words, value) => (
              <option key={words} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </ReasonForm>
      <CloseActions words="Cancel" onClose={onClose} />
    </Dialog>
  );
}
