import { fetchDemoToken, SignedOut, SwitchAccount, useDemoOffered, UserPicker, useVisitor, type Visitor } from '@parley/shared';
import { useEffect, useMemo } from 'react';
import { Chat } from './chat.js';
import type { SignIn } from './client_context.js';
import { kNobody, useRoute } from './route.js';
import { visitors } from './visitors.js';

const kPicker = { title: 'Parley', text: 'Who would you like to be? Open a second window as someone else and talk to yourself.' };

/** Returns the user that this page acts for, or null before sign-in. */
function useSignIn(visitor: Visitor, { user, role, adult }: ReturnType<typeof useRoute>[0]): SignIn | null {
  return useMemo(() => {
    const account = visitor.kind === 'account' ? visitor.account : null;
    if (account !== null) return { userId: account.userId, tenantId: account.tenantId, safeMode: !adult, getToken: (wish) => account.keeper.get(wish) };
    return user === null ? null : { userId: user, tenantId: null, safeMode: !adult, getToken: () => fetchDemoToken({ user, role, adult }) };
  }, [visitor, user, role, adult]);
}

export function App() {
  const [route, navigate] = useRoute();
  const visitor = useVisitor(visitors, route.user);
  const signIn = useSignIn(visitor, route);
  const signedIn = visitor.kind === 'account';
  const named = !signedIn && route.user !== null;
  const demo = useDemoOffered(named);
  useEffect(() => {
    if (signedIn && route.user !== null) navigate({ ...route, user: null, role: null });
  }, [signedIn, route, navigate]);
  if (visitor.kind === 'offered') return <SwitchAccount offer={visitor.offer} onAnswer={visitor.answer} />;
  if (signIn === null) {
    if (visitor.kind !== 'nobody') return null;
    return visitor.demo ? <UserPicker {...kPicker} onPick={(user, role) => navigate({ ...route, user, role })} /> : <SignedOut reason="signed-out" />;
  }
  // Only in a demo may the address name the user.
  if (named && demo !== true) return demo === null ? null : <SignedOut reason="signed-out" />;
  const leave = (): void => {
    if (visitor.kind === 'account') void visitors.accounts.signOut(visitor.account).then(() => location.assign('/'));
    else navigate(kNobody);
  };
  // A new user gets a new component, so that none of the previous user's state remains on screen.
  return <Chat key={`${signIn.tenantId} ${signIn.userId} ${route.role} ${route.adult}`} signIn={signIn} demo={!signedIn} route={route} navigate={navigate} onLeave={leave} />;
}
