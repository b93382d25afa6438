import { AccountMenu, Avatar, ConnectionBanner, Name, NamesProvider, Notices, SignedOut, useClientState, useNamesOf } from '@parley/shared';
import { useEffect, useMemo, useRef, useState } from 'react';
import { GoTo } from './go_to.js';
import { Page } from './page.js';
import { placesOf, PlaceLink, PlaceProvider, usePlaces } from './place_context.js';
import { kQueue, type Navigate, type Place, type Route } from './route.js';
import { ShortcutsProvider, useShortcuts } from './shortcuts_context.js';
import { ShortcutsDialog } from './shortcuts_dialog.js';
import { StaffProvider, useStaffClient, type SignIn } from './staff_context.js';

interface ConsoleProps {
  signIn: SignIn;
  /** The address names the user, so the visitor may switch users. */
  demo: boolean;
  route: Route;
  navigate: Navigate;
  onLeave: () => void;
}

const kStaff: readonly string[] = ['admin', 'support', 'moderator'];

export function Console({ signIn, demo, route, navigate, onLeave }: ConsoleProps) {
  const client = useStaffClient(signIn);
  const state = useClientState(client);
  const nameOf = useNamesOf(client, state);
  const places = useMemo(() => placesOf({ user: route.user, role: route.role }, navigate), [route.user, route.role, navigate]);
  const ready = state.connection === 'connected';
  const known = useRef(false); // the role is known after the first hello
  known.current ||= ready;
  if (state.closedBy !== null) return <SignedOut reason={state.closedBy} hint={state.connectionHint} />;
  const barred = known.current && !kStaff.includes(state.role);
  return (
    <StaffProvider value={client}>
      <NamesProvider value={nameOf}>
        <PlaceProvider value={places}>
          <ShortcutsProvider>
            <Notices>
              <a className="skip-link" href="#page" onClick={(event) => { event.preventDefault(); document.getElementById('page')?.focus(); }}>
                Skip to the page
              </a>
              <Header userId={state.userId} role={state.role} place={route.place} demo={demo} onLeave={onLeave} barred={barred} />
              <ConnectionBanner state={state.connection} hint={state.connectionHint} onRetry={() => client.reconnectNow()} />
              {barred ? <Barred onLeave={onLeave} /> : known.current ? <Page place={route.place} ready={ready} /> : <main id="page" tabIndex={-1} />}
            </Notices>
          </ShortcutsProvider>
        </PlaceProvider>
      </NamesProvider>
    </StaffProvider>
  );
}

/** Shown to users who are not staff, since the server would reject all their requests. */
function Barred({ onLeave }: { onLeave: () => void }) {
  return (
    <main className="picker" id="page" tabIndex={-1} data-testid="barred">
      <h1>This page is for staff</h1>
      <p className="muted">You are signed in, but not as a moderator.</p>
      <button type="button" className="button" onClick={onLeave}>
        Sign out
      </button>
    </main>
  );
}

const kNav: readonly { place: Place; words: string; keys: string }[] = [
  { place: kQueue, words: 'Queue', keys: 'g q' },
  { place: { view: 'threads', filter: {} }, words: 'Conversations', keys: 'g c' },
  { place: { view: 'audit', filter: {} }, words: 'Audit', keys: 'g a' },
];

interface HeaderProps {
  userId: string;
  role: string;
  place: Place;
  demo: boolean;
  barred: boolean;
  onLeave: () => void;
}

function Header({ userId, role, place, demo, barred, onLeave }: HeaderProps) {
  const { go } = usePlaces();
  const [shown, setShown] = useState<'keys' | 'go-to' | null>(null);
  useShortcuts([
    ...kNav.map(({ place: to, words, keys }) => ({ keys, words: `Go to: ${words.toLowerCase()}`, act: () => go(to) })),
    { keys: 'g i', words: 'Go to a case, user or conversation by its id', act: () => setShown('go-to') },
    { keys: '?', words: 'Show this list', act: () => setShown('keys') },
  ]);
  useEffect(() => setShown(null), [place]);
  return (
    <header className="top">
      <span className="top-title">Parley console</span>
      {barred ? null : (
        <nav aria-label="Pages" className="top-nav">
          {kNav.map(({ place: to, words }) => (
            <PlaceLink key={words} to={to} testId={`nav-${to.view}`} current={place.view === to.view}>
              {words}
            </PlaceLink>
          ))}
          <button type="button" className="link-button" data-testid="go-to-open" onClick={() => setShown('go-to')}>
            Go to…
          </button>
        </nav>
      )}
      <button type="button" className="link-button" data-testid="shortcuts-open" aria-keyshortcuts="?" onClick={() => setShown('keys')}>
        Keys
      </button>
      <AccountMenu
        className="top-who"
        userId={userId}
        demo={demo}
        onLeave={onLeave}
        button={
          <>
            <Avatar id={userId} />
            <span>
              <Name id={userId} /> <span className="muted">{role}</span>
            </span>
          </>
        }
      />
      {shown === 'keys' ? <ShortcutsDialog onClose={() => setShown(null)} /> : null}
      {shown === 'go-to' ? <GoTo onClose={() => setShown(null)} /> : null}
    </header>
  );
}
