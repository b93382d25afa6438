import { Dialog } from '@parley/shared';
import { useShortcutList } from './shortcuts_context.js';

/** Lists the shortcuts of this page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { all, on, turn } = useShortcutList();
  return (
    <Dialog title="Keyboard shortcuts" testId="shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {all().map(({ keys, words }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, at) => (
                <kbd key={at}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>↑</kbd>
            <kbd>↓</kbd>
          </dt>
          <dd>Move in a list; Home and End go to its ends, Enter opens an entry</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Leave a field, so that the shortcuts work again</dd>
        </div>
      </dl>
      <form method="dialog">
        <label className="field field-check">
          Single keys are shortcuts
          <input type="checkbox" data-testid="shortcuts-on" checked={on} onChange={(event) => turn(event.target.checked)} />
        </label>
        <div className="dialog-actions">
          <button type="submit" className="button" data-testid="shortcuts-close">
            Close
          </button>
        </div>
      </form>
    </Dialog>
  );
}
