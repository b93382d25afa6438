import { useNote } from '@parley/shared';
import { useCallback, type ClipboardEvent } from 'react';
import { kPickedMax } from './attaching.js';
import { useAttaching } from './attaching_context.js';
import { filesIn, useDroppedFiles } from './dropped_files.js';

interface Attach {
  attach: (files: readonly File[]) => void;
  onPaste: (event: ClipboardEvent) => void;
  /** Files are being dragged over the page. */
  dragging: boolean;
}

/** The ways to add files to the next message: the picker, a paste, and a drop. `then` runs after files were added. */
export function useAttach(threadId: string, enabled: boolean, then: () => void): Attach {
  const attaching = useAttaching();
  const note = useNote();
  const attach = useCallback(
    (files: readonly File[]) => {
      const left = attaching.add(threadId, files);
      if (left > 0) note(`A message has at most ${kPickedMax} files: ${left} ${left === 1 ? 'was' : 'were'} left out.`);
      then();
    },
    [attaching, threadId, note, then],
  );
  const dragging = useDroppedFiles(enabled ? attach : null);
  // Text from an office program comes with a picture of itself, which nobody means to send.
  const onPaste = (event: ClipboardEvent): void => {
    const files = filesIn(event.clipboardData);
    if (!enabled || files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    attach(files);
  };
  return { attach, onPaste, dragging };
}
