import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  title: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog, outside of what opened it, which may hide its own when it is not pointed at. It is closed before it leaves the page, so
 * that the browser gives the focus back to what had it.
 */
export function Dialog({ title, testId, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return createPortal(
    <dialog
      className="dialog"
      ref={dialog}
      data-testid={testId}
      aria-labelledby={titleId}
      onClose={(event) => (event.currentTarget.open ? undefined : onClose())}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  );
}

interface CloseActionsProps {
  words: string;
  testId?: string;
  onClose: () => void;
}

/** The end of a dialog with nothing more to do than to close it. */
export function CloseActions({ words, testId, onClose }: CloseActionsProps) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button" data-testid={testId} onClick={onClose}>
        {words}
      </button>
    </div>
  );
}
