import { Icon } from '@parley/shared';
import { useRef } from 'react';

interface AttachButtonProps {
  disabled: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's picker of files. */
export function AttachButton({ disabled, onFiles }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="attach-button" data-testid="attach" aria-label="Attach files" title="Attach files" disabled={disabled} onClick={() => input.current?.click()}>
        <Icon name="clip" size={20} />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        data-testid="attach-input"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = ''; // so that the same file can be chosen again
        }}
      />
    </>
  );
}
