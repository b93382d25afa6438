import { readToken, type TokenPair } from '@parley/sdk';
import { useEffect, useState } from 'react';
import { Accounts, sameAccount, sharedTokens, takeFragment, type Account } from './account.js';
import { demoOffered } from './demo_token.js';
import { giverOf, type TokenGiver } from './token_giver.js';

const kWaitMs = 3_000;

/**
 * The address brought tokens of another user than the signed-in one. Any page can have such a link, so the visitor
 * must confirm.
 */
export interface Offer {
  account: Account;
  pair: TokenPair;
  /** The user that the tokens name. */
  to: Pick<Account, 'userId' | 'tenantId'>;
}

/** `asked`: waits for the page that opened this one. `nobody`: not signed in; a demo lets the visitor choose a user. */
export type Visitor =
  | { kind: 'asked' }
  | { kind: 'nobody'; demo: boolean }
  | { kind: 'account'; account: Account }
  | { kind: 'offered'; offer: Offer; answer: (take: boolean) => void };

/**
 * The visitor of a page, with their tokens. Create it once, before rendering: React may mount twice, and the address
 * has a token only the first time.
 */
export class Visitors {
  readonly accounts: Accounts;
  readonly giver: TokenGiver | null;
  /** The user that the address signed in, or null. */
  readonly arrived: Account | null;
  /** Set until the visitor answers. */
  offer: Offer | null = null;

  /** `tokensKey`: the storage key of this page's tokens; one signed-in user for each key. */
  constructor(
    private readonly page: Window & { localStorage: Storage },
    readonly tokensKey: string,
  ) {
    this.giver = giverOf(page);
    const locks = page.navigator.locks as ConstructorParameters<typeof Accounts>[3];
    this.accounts = new Accounts(sharedTokens(page.localStorage, tokensKey), this.giver, page.location.origin, locks);
    const pair = takeFragment(page);
    const free = pair !== null && this.accounts.isFreeFor(pair);
    this.arrived = free ? this.accounts.signIn(pair) : null;
    const [account, to] = pair === null || free ? [null, null] : [this.accounts.current(), readToken(pair.token)];
    if (pair !== null && account !== null && to !== null) this.offer = { account, pair, to };
  }

  /** Removes tokens from the address of an open page: only its visitor may change the user. */
  clearAddress(): void {
    takeFragment(this.page);
  }

  /** Answers the offer and returns the user who is signed in afterwards. */
  async answer({ account, pair }: Offer, take: boolean): Promise<Account | null> {
    this.offer = null;
    if (!take) return account;
    await this.accounts.signOut(account);
    return this.accounts.signIn(pair);
  }
}

/** `demoUser`: the user in the address, ignored if the address also brought a token. */
export function useVisitor(visitors: Visitors, demoUser: string | null): Visitor {
  const { accounts, giver, tokensKey } = visitors;
  const [visitor, setVisitor] = useState<Visitor>(() => firstOf(visitors, demoUser, (account) => setVisitor(accountOrNobody(account))));
  useEffect(() => {
    const take = (account: Account | null): void => {
      if (account === null) return;
      // Newer tokens of the same user are read from the storage, so the page need not restart.
      setVisitor((now) => (now.kind === 'account' && sameAccount(now.account, account) ? now : { kind: 'account', account }));
    };
    const onHash = (): void => visitors.clearAddress();
    const onStorage = ({ key }: StorageEvent): void => {
      const held = accounts.current();
      if (key === tokensKey) setVisitor((now) => (now.kind === 'account' && !sameAccount(now.account, held) ? { kind: 'nobody', demo: false } : now));
    };
    addEventListener('hashchange', onHash);
    addEventListener('storage', onStorage); // from other tabs
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
      const given = (await giver?.ask(kWaitMs)) ?? null; // onTokens takes it
      if (over || given !== null) return;
      const demo = await demoOffered();
      if (!over) setVisitor((now) => (now.kind === 'asked' ? { kind: 'nobody', demo } : now));
    })();
    return () => {
      over = true;
    };
  }, [asked, giver]);
  return visitor;
}

function accountOrNobody(account: Account | null): Visitor {
  return account === null ? { kind: 'nobody', demo: false } : { kind: 'account', account };
}

function firstOf(visitors: Visitors, demoUser: string | null, goOn: (account: Account | null) => void): Visitor {
  const { offer, arrived, accounts } = visitors;
  if (offer !== null) return { kind: 'offered', offer, answer: (take) => void visitors.answer(offer, take).then(goOn) };
  const account = arrived ?? (demoUser === null ? accounts.current() : null);
  return account === null ? { kind: 'asked' } : { kind: 'account', account };
}
