import { Icon, sizeText } from '@parley/shared';
import { useEffect, useRef, useState } from 'react';
import type { Picked } from './attaching.js';
import { useAttaching, usePicked } from './attaching_context.js';

/** The files that will be sent with the message, above the send box. */
export function PickedFiles({ threadId }: { threadId: string }) {
  const picked = usePicked(threadId);
  if (picked.length === 0) return null;
  const left = picked.filter(({ state }) => state === 'uploading' || state === 'waiting').length;
  const failed = picked.filter(({ state }) => state === 'failed').length;
  return (
    <>
      <ul className="picked-files" aria-label="Files to send" data-testid="picked-files">
        {picked.map((one) => (
          <PickedFile key={one.key} threadId={threadId} picked={one} />
        ))}
      </ul>
      <p className="visually-hidden" role="status" data-testid="picked-status">
        {left > 0 ? `${left} of ${picked.length} files still to upload.` : failed > 0 ? `${failed} of ${picked.length} files cannot be sent.` : `${picked.length} ${picked.length === 1 ? 'file' : 'files'} ready to send.`}
      </p>
    </>
  );
}

function PickedFile({ threadId, picked }: { threadId: string; picked: Picked }) {
  const attaching = useAttaching();
  const { key, name, size, state, sent, hint, retryable, file } = picked;
  return (
    <li className="picked-file" data-testid="picked-file" data-state={state} data-name={name}>
      <LocalPreview file={file} />
      <span className="picked-text">
        <span className="file-name" dir="auto">
          {name}
        </span>
        {state === 'uploading' ? <progress max={size} value={sent} aria-label={`Upload of ${name}`} /> : null}
        <small className={state === 'failed' ? 'picked-failure' : 'muted'} role={state === 'failed' ? 'alert' : undefined}>
          {state === 'failed' ? hint : state === 'uploading' ? `${sizeText(sent)} of ${sizeText(size)}` : state === 'waiting' ? `${sizeText(size)}, waiting` : sizeText(size)}
        </small>
      </span>
      {state === 'failed' && retryable ? (
        <button type="button" className="link-button" data-testid="picked-retry" onClick={() => attaching.retry(threadId, key)}>
          Try again
        </button>
      ) : null}
      <button
        type="button"
        className="icon-button"
        data-testid="picked-remove"
        aria-label={`${state === 'uploading' ? 'Cancel' : 'Remove'} ${name}`}
        title={state === 'uploading' ? 'Cancel' : 'Remove'}
        onClick={() => attaching.remove(threadId, key)}
      >
        <Icon name="close" size={16} />
      </button>
    </li>
  );
}

const kPreviewPx = 40;
const kPreviewBytesMax = 30_000_000;

/** Draws a picture before it is uploaded. The page's policy forbids addresses of local files, but not drawing them. */
function LocalPreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!file.type.startsWith('image/') || file.size > kPreviewBytesMax) return;
    let over = false;
    const draw = async (): Promise<void> => {
      const image = await createImageBitmap(file);
      const context = canvas.current?.getContext('2d');
      if (!over && context != null) {
        const side = Math.min(image.width, image.height);
        context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, 2 * kPreviewPx, 2 * kPreviewPx);
        setDrawn(true);
      }
      image.close();
    };
    draw().catch(() => undefined); // a type that this browser cannot draw
    return () => {
      over = true;
    };
  }, [file]);
  return (
    <span className="file-icon">
      <canvas ref={canvas} width={2 * kPreviewPx} height={2 * kPreviewPx} hidden={!drawn} aria-hidden="true" />
      {drawn ? null : <Icon name={file.type.startsWith('image/') ? 'image' : 'file'} size={20} />}
    </span>
  );
}
