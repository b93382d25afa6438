import type { Nudge } from '@parley/sdk';
import { Icon } from '@parley/shared';

/** What the text policy says about the last message, which was sent: said politely, and gone at a press. */
export function NudgeBanner({ nudge, onDismiss }: { nudge: Nudge | undefined; onDismiss: () => void }) {
  // The region is always there: what comes into it is announced, a region that comes with its words may not be.
  return (
    <div role="status">
      {nudge === undefined ? null : (
        <div className="nudge" data-testid="nudge" data-message-id={nudge.messageId}>
          <Icon name="shield" size={18} />
          <span dir="auto">
            {nudge.redacted ? 'Something was taken out of your message. ' : ''}
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
