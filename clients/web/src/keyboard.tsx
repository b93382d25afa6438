import { CloseActions, Dialog, isComposing } from '@parley/shared';
import { useEffect, useState } from 'react';

const kKeys: readonly [keys: string, words: string][] = [
  ['?', 'Show this list'],
  ['Ctrl+K', 'Go to the conversations'],
  ['Tab', 'Go to the next part of the page; each list is one stop'],
  ['↑ ↓', 'Move through the conversations or the messages'],
  ['Home End', 'Go to the first or the last one'],
  ['← →', 'Move through the buttons of a message or a conversation'],
  ['Enter', 'Open a conversation; in the send box: send'],
  ['Shift+Enter', 'Start a new line'],
  ['↑ in an empty send box', 'Edit your last message'],
  ['Esc', 'Stop answering or editing a message'],
];

const kFields = 'input, textarea, select, [contenteditable="true"]';

const kEntries = ['.entry-open[tabindex="0"]', '[data-testid=new-thread]'];

/** Focuses the first of these elements that exists. */
function focusOn(selectors: readonly string[]): void {
  for (const selector of selectors) {
    const found = document.querySelector<HTMLElement>(selector);
    if (found !== null) return found.focus();
  }
}

/** Skip links, the keys that work everywhere, and the list of all keys. */
export function Keyboard() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || isComposing(event)) return;
      if (document.querySelector('dialog[open], [role=menu]') !== null) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return focusOn(kEntries);
      }
      const typing = event.target instanceof Element && event.target.closest(kFields) !== null;
      if (event.key !== '?' || event.ctrlKey || event.metaKey || typing) return;
      event.preventDefault();
      setShown(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <nav className="skip-links" aria-label="Skip">
        <SkipLink to={kEntries} words="Skip to the conversations" />
        <SkipLink to={[".message[tabindex='0']"]} words="Skip to the messages" />
        <SkipLink to={['#send-box']} words="Skip to the send box" />
      </nav>
      {shown ? <KeysDialog onClose={() => setShown(false)} /> : null}
    </>
  );
}

function SkipLink({ to, words }: { to: readonly string[]; words: string }) {
  return (
    <a
      href="#"
      onClick={(event) => {
        event.preventDefault();
        focusOn(to);
      }}
    >
      {words}
    </a>
  );
}

function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" testId="keyboard-help" onClose={onClose}>
      <dl className="keys">
        {kKeys.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <CloseActions words="Close" onClose={onClose} />
    </Dialog>
  );
}
