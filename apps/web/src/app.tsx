import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { CustomerTab } from './customer/customer-tab.tsx';
import { EMPTY_DRAFT } from './customer/draft.ts';
import type { Reopened } from './customer/reopened.ts';
import { About } from './shell/about.tsx';
import { Press } from './shell/form.tsx';
import { keepFocus } from './shell/keep-focus.ts';
import { Keys } from './shell/keys.tsx';
import { LazyRoom } from './shell/lazy-room.tsx';
import { go, type Place, PlaceLink, ROOMS, type RoomName, usePlace } from './shell/place.tsx';
import { Problem } from './shell/problem.tsx';
import { type Session, SessionContext, useSession } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { useSessions } from './shell/use-sessions.ts';
import { LANGUAGES } from './texts/common.ts';
import { TRANSLATIONS, TranslationContext } from './texts/texts.ts';

/** The rooms that are loaded when they are first opened. The study is part of the first view. */
const LATER = {
  ofertas: () => import('./offers/room.tsx'),
  cartera: () => import('./office/room.tsx'),
  propuestas: () => import('./proposals/room.tsx'),
  ajustes: () => import('./settings/room.tsx'),
};
const LATER_NAMES = Object.keys(LATER) as (keyof typeof LATER)[];

const ROOM_NAMES = Object.keys(ROOMS) as RoomName[];

const NEW_STUDY: Reopened = {
  ...{ typed: EMPTY_DRAFT, ref: '', comment: '', preference: null },
  ...{ offerIds: [], proposalId: null, missing: [] },
};

function App() {
  const [language, setLanguage] = useState(LANGUAGES.find((one) => navigator.language.startsWith(one)) ?? 'es');
  const translation = TRANSLATIONS[language];
  const { say } = translation;
  const { last, hasEnded, failed, begin, beginFromAddress } = useSessions(say);
  const session = hasEnded ? null : last;
  const place = usePlace();
  const { room } = place;
  const [reopened, setReopened] = useState<Reopened | null>(null);
  const reopen = (from: Reopened) => {
    setReopened(from);
    go({ room: 'estudio', id: null });
  };
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = session ? `${say(ROOMS[room])} · Tarifario` : 'Tarifario';
  }, [language, room, session]);
  useLayoutEffect(() => {
    // A dialog of a hidden room would still keep the rest from being used.
    for (const dialog of document.querySelectorAll('dialog')) if (!dialog.checkVisibility()) dialog.close();
  }, [room, session]);
  return (
    <TranslationContext.Provider value={translation}>
      <SessionContext.Provider value={session}>
        <Top onNew={() => reopen({ ...NEW_STUDY })} onLanguage={() => setLanguage(language === 'es' ? 'en' : 'es')} />
        <p class="print-note">{say('printNote')}</p>
        <div class="frame">
          {session && (
            <nav class="rooms" aria-label={say('sections')}>
              {ROOM_NAMES.map((name) => (
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
            {last && <Rooms last={last} place={place} reopened={reopened} onReopen={reopen} />}
          </main>
          {session && <About />}
        </div>
      </SessionContext.Provider>
    </TranslationContext.Provider>
  );
}

function Top({ onNew, onLanguage }: { readonly onNew: () => void; readonly onLanguage: () => void }) {
  const session = useSession();
  return (
    <header class="top">
      <h1>Tarifario</h1>
      {session && (
        <>
          <Press text="newStudy" onPress={onNew} />
          <span class="who">{session.accountName}</span>
          <Keys onNew={onNew} />
        </>
      )}
      <Press text="language" class="plain" onPress={onLanguage} />
      {session && <Press text="signOut" class="plain" onPress={() => location.reload()} />}
    </header>
  );
}

/** What was opened with the last session, hidden once that has ended. The study keeps it. */
function Rooms({
  last,
  place: { room, id },
  reopened,
  onReopen,
}: {
  readonly last: Session;
  /** As the page has it: once it is another, what is hidden is hidden at once. */
  readonly place: Place;
  readonly reopened: Reopened | null;
  readonly onReopen: (from: Reopened) => void;
}) {
  /** The rooms that were opened: what they show stays, hidden. */
  const [opened, setOpened] = useState<readonly RoomName[]>([room]);
  if (!opened.includes(room)) setOpened([...opened, room]);
  return (
    <div hidden={useSession() === null}>
      <div hidden={room !== 'estudio'}>
        <SessionContext.Provider value={last}>
          <CustomerTab from={reopened} />
        </SessionContext.Provider>
      </div>
      {LATER_NAMES.filter((name) => opened.includes(name)).map((name) => (
        <div key={`${name} ${last.reach}`} hidden={room !== name}>
          <LazyRoom load={LATER[name]} isOpen={room === name} id={room === name ? id : null} onReopen={onReopen} />
        </div>
      ))}
    </div>
  );
}

// A file that misses its place would replace the page, and all that was typed.
for (const type of ['dragover', 'drop'] as const) {
  addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
}

keepFocus();

const root = document.getElementById('app');
if (root) render(<App />, root);
