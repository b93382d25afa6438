import { useEffect, useState } from 'react';
import { Accounts, kTokensKey, sharedTokens, takeFragment, type Account } from './account.js';
import { demoOffered } from './demo_token.js';
import { giverOf } from './token_giver.js';

const kWaitMs = 3_000;

/** `asked`: whoever opened this page may still say who it is. `nobody`: nobody signed in; a demo lets them choose. */
export type Visitor = { kind: 'asked' } | { kind: 'nobody'; demo: boolean } | { kind: 'account'; account: Account };

const giver = giverOf(window);
export const accounts = new Accounts(sharedTokens(localStorage), giver, location.origin, navigator.locks as Accounts['locks']);

function fromAddress(): Account | null {
  const pair = takeFragment(window);
  return pair === null ? null : accounts.signIn(pair);
}

// Before anything is drawn, and once: React may mount twice, and the address tells it only the first time.
const arrived = fromAddress();

/** `demoUser`: the address names one, which counts unless it also brought a token. */
export function useVisitor(demoUser: string | null): Visitor {
  const [visitor, setVisitor] = useState<Visitor>(() => {
    const account = arrived ?? (demoUser === null ? accounts.current() : null);
    return account === null ? { kind: 'asked' } : { kind: 'account', account };
  });
  useEffect(() => {
    const take = (account: Account | null): void => {
      if (account === null) return;
      // Newer tokens of the same user are found where they are kept: they are no reason to begin anew.
      setVisitor((now) => (now.kind === 'account' && now.account.userId === account.userId ? now : { kind: 'account', account }));
    };
    const onHash = (): void => take(fromAddress());
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === kTokensKey && newValue === null) setVisitor((now) => (now.kind === 'account' ? { kind: 'nobody', demo: false } : now));
    };
    addEventListener('hashchange', onHash);
    addEventListener('storage', onStorage); // of the other tabs
    const off = giver?.onTokens((pair) => take(accounts.signIn(pair)));
    return () => {
      removeEventListener('hashchange', onHash);
      removeEventListener('storage', onStorage);
      off?.();
    };
  }, []);
  const asked = visitor.kind === 'asked' && demoUser === null;
  useEffect(() => {
    if (!asked) return;
    let over = false;
    void (async () => {
      const told = (await giver?.ask(kWaitMs)) ?? null; // onTokens takes it
      if (over || told !== null) return;
      const demo = await demoOffered();
      if (!over) setVisitor((now) => (now.kind === 'asked' ? { kind: 'nobody', demo } : now));
    })();
    return () => {
      over = true;
    };
  }, [asked]);
  return visitor;
}
