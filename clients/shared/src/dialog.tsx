import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  title: string;
  testId: string;
  /** Uses most of the window. */
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A modal dialog. Rendered outside of its opener, which may hide its own content when not hovered. Closed before it
 * is removed, so that the browser restores the focus.
 */
export function Dialog({ title, testId, wide = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return createPortal(
    <dialog
      className={wide ? 'dialog wide' : 'dialog'}
      ref={dialog}
      data-testid={testId}
      aria-labelledby={titleId}
      onClose={(event) => (event.currentTarget.open ? undefined : onClose())}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id={titleId} dir="auto">{title}</h2>
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

/** The footer of a dialog that has only a close button. */
export function CloseActions({ words, testId, onClose }: CloseActionsProps) {
  return (
    <div className="dialog-actions">
      <button type="button" className="button" data-testid={testId} onClick={onClose}>
        {words}
      </button>
    </div>
  );
}
