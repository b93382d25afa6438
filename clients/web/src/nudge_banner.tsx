import type { Nudge } from '@parley/sdk';
import { Icon } from '@parley/shared';

/** The text policy's remark on the last sent message; can be dismissed. */
export function NudgeBanner({ nudge, onDismiss }: { nudge: Nudge | undefined; onDismiss: () => void }) {
  // The region is always in the page, because screen readers announce changes in it, but not reliably a new region.
  return (
    <div role="status">
      {nudge === undefined ? null : (
        <div className="nudge" data-testid="nudge" data-message-id={nudge.messageId}>
          <Icon name="shield" size={18} />
          <span dir="auto">
            {nudge.redacted ? 'A part of your message was removed. ' : ''}
            {nudge.hint ?? 'Please keep to the rules of this service.'}
          </span>
          <button type="button" className="icon-button" data-testid="nudge-dismiss" aria-label="Dismiss the hint" onClick={onDismiss}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </div>
  );
}
