import { fetchDemoToken, SignedOut, SwitchAccount, useDemoOffered, UserPicker, useVisitor, type Visitor } from '@parley/shared';
import { useEffect, useMemo } from 'react';
import { Console } from './console.js';
import { kQueue, useRoute, type Route } from './route.js';
import type { SignIn } from './staff_context.js';
import { visitors } from './visitors.js';

const kDemoStaff = ['usr_mona', 'usr_milo'];

/** Returns the user that this page acts for, or null before sign-in. */
function useSignIn(visitor: Visitor, { user, role }: Route): SignIn | null {
  return useMemo(() => {
    const account = visitor.kind === 'account' ? visitor.account : null;
    if (account !== null) return { userId: account.userId, getToken: (wish) => account.keeper.get(wish) };
    return user === null ? null : { userId: user, getToken: () => fetchDemoToken({ user, role: role ?? 'moderator' }) };
  }, [visitor, user, role]);
}

export function App() {
  const [route, navigate] = useRoute();
  const visitor = useVisitor(visitors, route.user);
  const signIn = useSignIn(visitor, route);
  const signedIn = visitor.kind === 'account';
  const named = !signedIn && route.user !== null;
  const demo = useDemoOffered(named);
  useEffect(() => {
    if (signedIn && route.user !== null) navigate({ ...route, user: null, role: null }, true);
  }, [signedIn, route, navigate]);
  if (visitor.kind === 'offered') return <SwitchAccount offer={visitor.offer} onAnswer={visitor.answer} />;
  if (signIn === null) {
    if (visitor.kind !== 'nobody') return null;
    if (!visitor.demo) return <SignedOut reason="signed-out" />;
    return (
      <UserPicker
        title="Parley console"
        text="Which user would you like to moderate as? Some decisions need the approval of two users."
        users={kDemoStaff}
        staffOnly
        onPick={(user, role) => navigate({ ...route, user, role })}
      />
    );
  }
  // Only in a demo may the address name the user.
  if (named && demo !== true) return demo === null ? null : <SignedOut reason="signed-out" />;
  const leave = (): void => {
    if (visitor.kind === 'account') void visitors.accounts.signOut(visitor.account).then(() => location.assign('/console'));
    else navigate({ user: null, role: null, place: kQueue });
  };
  // A new user gets a new component, so that none of the previous user's data remains on screen.
  return <Console key={`${visitor.kind === 'account' ? visitor.account.tenantId : null} ${signIn.userId} ${route.role}`} signIn={signIn} demo={!signedIn} route={route} navigate={navigate} onLeave={leave} />;
}
