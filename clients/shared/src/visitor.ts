import { useEffect, useState } from 'react';
import { Accounts, sharedTokens, takeFragment, type Account } from './account.js';
import { demoOffered } from './demo_token.js';
import { giverOf, type TokenGiver } from './token_giver.js';

const kWaitMs = 3_000;

/** `asked`: whoever opened this page may still say who it is. `nobody`: nobody signed in; a demo lets them choose. */
export type Visitor = { kind: 'asked' } | { kind: 'nobody'; demo: boolean } | { kind: 'account'; account: Account };

/**
 * Who comes to a page, and with what. To be made once, before anything is drawn: React may mount twice, and the address
 * brings a token only the first time.
 */
export class Visitors {
  readonly accounts: Accounts;
  readonly giver: TokenGiver | null;
  /** Whom the address named; null: nobody. */
  readonly arrived: Account | null;

  /** `tokensKey`: where this page keeps its tokens; one key, one user signed in. */
  constructor(
    private readonly page: Window & { localStorage: Storage },
    readonly tokensKey: string,
  ) {
    this.giver = giverOf(page);
    const locks = page.navigator.locks as ConstructorParameters<typeof Accounts>[3];
    this.accounts = new Accounts(sharedTokens(page.localStorage, tokensKey), this.giver, page.location.origin, locks);
    this.arrived = this.fromAddress();
  }

  fromAddress(): Account | null {
    const pair = takeFragment(this.page);
    return pair === null ? null : this.accounts.signIn(pair);
  }
}

/** `demoUser`: the address names one, which counts unless it also brought a token. */
export function useVisitor(visitors: Visitors, demoUser: string | null): Visitor {
  const { accounts, giver, arrived, tokensKey } = visitors;
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
    const onHash = (): void => take(visitors.fromAddress());
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === tokensKey && newValue === null) setVisitor((now) => (now.kind === 'account' ? { kind: 'nobody', demo: false } : now));
    };
    addEventListener('hashchange', onHash);
    addEventListener('storage', onStorage); // of the other tabs
    const off = giver?.onTokens((pair) => take(accounts.signIn(pair)));
    return () => {
      removeEventListener('hashchange', onHash);
      removeEventListener('storage', onStorage);
      off?.();
    };
  }, [visitors, accounts, giver, tokensKey]);
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
  }, [asked, giver]);
  return visitor;
}
