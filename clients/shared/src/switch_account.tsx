import { nameFromId } from './format.js';
import type { Offer } from './visitor.js';

interface SwitchAccountProps {
  offer: Offer;
  onAnswer: (take: boolean) => void;
}

/** Asks before a link replaces the signed-in user. */
export function SwitchAccount({ offer: { account, to }, onAnswer }: SwitchAccountProps) {
  const elsewhere = account.tenantId !== to.tenantId;
  const named = ({ userId, tenantId }: typeof to) => (
    <>
      <strong>
        <bdi>{nameFromId(userId)}</bdi>
      </strong>{' '}
      ({userId}
      {elsewhere ? ` of ${tenantId ?? 'no tenant'}` : ''})
    </>
  );
  return (
    <main className="picker" data-testid="switch-account" data-from={account.userId} data-to={to.userId}>
      <img className="picker-logo" src="/favicon.svg" alt="" width="48" height="48" />
      <div className="picker-words">
        <h1>Sign in as another user?</h1>
        <p>
          You are signed in as {named(account)}. The link that you opened signs you in as {named(to)} instead.
        </p>
        <p className="muted">If you did not ask for this link, stay signed in as you are: the other user could read your messages.</p>
      </div>
      <div className="picker-buttons">
        <button type="button" className="button primary" data-testid="switch-stay" autoFocus onClick={() => onAnswer(false)}>
          Stay <bdi>{nameFromId(account.userId)}</bdi>
        </button>
        <button type="button" className="button" data-testid="switch-take" onClick={() => onAnswer(true)}>
          Sign in as <bdi>{nameFromId(to.userId)}</bdi>
        </button>
      </div>
    </main>
  );
}
