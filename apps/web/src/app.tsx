import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CustomerTab } from './customer/customer-tab.tsx';
import { EMPTY_DRAFT } from './customer/draft.ts';
import type { Reopened } from './customer/reopened.ts';
import { About } from './shell/about.tsx';
import { keepFocus } from './shell/keep-focus.ts';
import { Keys } from './shell/keys.tsx';
import { LazyRoom } from './shell/lazy-room.tsx';
import { go, PlaceLink, ROOMS, type RoomName, usePlace } from './shell/place.tsx';
import { Problem } from './shell/problem.tsx';
import { displacedBy, openSession, type Session, settle } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { LANGUAGES } from './texts/common.ts';
import { TRANSLATIONS, TranslationContext } from './texts/texts.ts';

/**
 * The key in the fragment of the address, which is never sent to a server. It is removed from the address bar at once;
 * the list of visited pages that the browser keeps has it.
 */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return key;
}

/** The rooms that are loaded when they are first opened. The study is part of the first view. */
const LATER = {
  ofertas: () => import('./offers/room.tsx'),
  cartera: () => import('./office/room.tsx'),
  propuestas: () => import('./proposals/room.tsx'),
  ajustes: () => import('./settings/room.tsx'),
};
const LATER_NAMES = Object.keys(LATER) as (keyof typeof LATER)[];

const NEW_STUDY: Reopened = {
  ...{ typed: EMPTY_DRAFT, ref: '', comment: '', preference: null },
  ...{ offerIds: [], proposalId: null, missing: [] },
};

function App() {
  const [language, setLanguage] = useState(LANGUAGES.find((one) => navigator.language.startsWith(one)) ?? 'es');
  const [last, setLast] = useState<Session | null>(null);
  const [ended, setEnded] = useState<readonly Session[]>([]);
  /** The key of the address that did not open a session, and why. */
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: unknown } | null>(null);
  const { room, id } = usePlace();
  const [reopened, setReopened] = useState<Reopened | null>(null);
  /** The rooms that were opened: what they show stays, hidden. */
  const [opened, setOpened] = useState<readonly RoomName[]>([room]);
  if (!opened.includes(room)) setOpened([...opened, room]);
  const translation = TRANSLATIONS[language];
  const { say } = translation;
  // A key that is no longer valid ends its session, and no later one. What it showed stays in place, hidden.
  const hasEnded = last !== null && ended.includes(last);
  const session = hasEnded ? null : last;
  /** As of now, also for what was begun earlier. */
  const now = useRef({ key: '', last, say });
  now.current = { ...now.current, last, say };
  const begin = async (key: string, isTyped = true) => {
    const opened = await openSession(key, () => setEnded((before) => [...before, opened]));
    const displaced = isTyped ? null : displacedBy(opened, now.current.last);
    const { accountName, email } = opened;
    if (displaced !== null && !confirm(now.current.say('otherKeyQuestion', { accountName, email, displaced }))) return;
    settle(opened);
    now.current.key = key;
    setLast(opened);
    setFailed(null);
  };
  const reopen = (from: Reopened) => {
    setReopened(from);
    go({ room: 'estudio', id: null });
  };
  const beginFromAddress = (key: string) => begin(key, false).catch((error: unknown) => setFailed({ key, error }));
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = session ? `${say(ROOMS[room])} · Tarifario` : 'Tarifario';
  }, [language, room, session]);
  useLayoutEffect(() => {
    // A dialog of a hidden room would still keep the rest from being used.
    for (const dialog of document.querySelectorAll('dialog')) if (!dialog.checkVisibility()) dialog.close();
  }, [room, session]);
  useEffect(() => {
    const enter = () => {
      const key = takeKey();
      if (key !== null && key !== now.current.key) void beginFromAddress(key);
    };
    enter();
    addEventListener('hashchange', enter);
    return () => removeEventListener('hashchange', enter);
  }, []);
  return (
    <TranslationContext.Provider value={translation}>
      <header class="top">
        <h1>Tarifario</h1>
        {session && (
          <button type="button" onClick={() => reopen({ ...NEW_STUDY })}>
            {say('newStudy')}
          </button>
        )}
        {session && <span class="who">{session.accountName}</span>}
        {session && <Keys onNew={() => reopen({ ...NEW_STUDY })} />}
        <button type="button" class="plain" onClick={() => setLanguage(language === 'es' ? 'en' : 'es')}>
          {say('language')}
        </button>
        {session && (
          <button type="button" class="plain" onClick={() => location.reload()}>
            {say('signOut')}
          </button>
        )}
      </header>
      <p class="print-note">{say('printNote')}</p>
      <div class="frame">
        {session && (
          <nav class="rooms" aria-label={say('sections')}>
            {(Object.keys(ROOMS) as RoomName[]).map((name) => (
              <PlaceLink key={name} to={{ room: name, id: null }} isHere={name === room}>
                {say(ROOMS[name])}
              </PlaceLink>
            ))}
          </nav>
        )}
        <main>
          {!session && <SignIn onKey={begin} hasEnded={hasEnded} />}
          {failed && !session && (
            <Problem error={failed.error} isSignIn onRetry={() => void beginFromAddress(failed.key)} />
          )}
          {last && (
            <div hidden={!session}>
              <div hidden={room !== 'estudio'}>
                <CustomerTab session={last} from={reopened} />
              </div>
              {LATER_NAMES.filter((name) => opened.includes(name)).map((name) => (
                <div key={`${name} ${last.reach}`} hidden={room !== name}>
                  <LazyRoom
                    load={LATER[name]}
                    session={session}
                    isOpen={room === name}
                    id={room === name ? id : null}
                    onReopen={reopen}
                  />
                </div>
              ))}
            </div>
          )}
        </main>
        {session && <About session={session} />}
      </div>
    </TranslationContext.Provider>
  );
}

// A file that misses its place would replace the page, and all that was typed.
for (const type of ['dragover', 'drop'] as const) {
  addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
}

keepFocus();

const root = document.getElementById('app');
if (root) render(<App />, root);
