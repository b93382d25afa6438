import type { Attachment } from '@parley/sdk';
import { Dialog, FileImage, Icon, useAttempt, useFileUrl } from '@parley/shared';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { isVideo, variantOf } from './attachment_view.js';
import { useClient } from './client_context.js';
import { download, useAsk } from './file_actions.js';
import { attachmentFacts } from './files.js';

export type Shown = Attachment & { attachmentId: string };

interface GalleryProps {
  pictures: readonly Shown[];
  /** The attachmentId of the picture on screen. */
  at: string;
  onAt: (attachmentId: string) => void;
  onClose: () => void;
}

/** The pictures of a message, one at a time; arrow keys turn the pages, Escape closes. */
export function Gallery({ pictures, at, onAt, onClose }: GalleryProps) {
  const client = useClient();
  const attempt = useAttempt();
  const index = pictures.findIndex(({ attachmentId }) => attachmentId === at);
  const picture = pictures[index]!;
  const { name, facts } = attachmentFacts(picture);
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []); // the dialog itself would choose the first button
  const turn = (by: number): void => {
    const next = pictures[index + by];
    if (next !== undefined) onAt(next.attachmentId);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLMediaElement) return; // its arrow keys wind
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    turn(by);
  };
  return (
    <Dialog title={name} testId="gallery" wide onClose={onClose}>
      <div className="gallery" onKeyDown={onKeyDown}>
        <div className="gallery-stage" data-testid="gallery-picture" data-attachment-id={at}>
          {isVideo(picture) ? <Video key={at} attachmentId={at} name={name} /> : <Large key={at} picture={picture} name={name} />}
        </div>
        <p className="muted" role="status" data-testid="gallery-status">
          {pictures.length > 1 ? `${index + 1} of ${pictures.length} · ` : ''}
          {facts.join(' · ')}
        </p>
        <div className="dialog-actions gallery-actions">
          {pictures.length > 1 ? (
            <>
              <button type="button" className="icon-button" data-testid="gallery-previous" aria-label="Previous picture" title="Previous" aria-disabled={index === 0} onClick={() => turn(-1)}>
                <Icon name="left" size={20} />
              </button>
              <button type="button" className="icon-button" data-testid="gallery-next" aria-label="Next picture" title="Next" aria-disabled={index === pictures.length - 1} onClick={() => turn(1)}>
                <Icon name="right" size={20} />
              </button>
            </>
          ) : null}
          <button type="button" className="button" data-testid="gallery-download" onClick={() => void attempt(() => download(client, at, name))}>
            Download
          </button>
          <button type="button" className="button primary" data-testid="gallery-close" ref={close} onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Large({ picture, name }: { picture: Shown; name: string }) {
  const preview = variantOf(picture, 'preview');
  const ask = useAsk(picture.attachmentId, preview === null ? 'original' : 'preview');
  const { w, h } = preview ?? picture;
  return <FileImage ask={ask} alt={name} size={{ w, h }} testId="gallery-image" />;
}

function Video({ attachmentId, name }: { attachmentId: string; name: string }) {
  const { url, failure, onError } = useFileUrl(useAsk(attachmentId, 'original'));
  if (failure !== null) return <span className="image-failed">{failure}</span>;
  return url === null ? <span className="image-waiting" /> : <video src={url} controls aria-label={name} data-testid="gallery-video" onError={onError} />;
}
