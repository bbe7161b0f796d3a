import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CustomerTab } from './customer/customer-tab.tsx';
import { OfficeTab } from './office/office-tab.tsx';
import { Problem } from './shell/problem.tsx';
import { openSession, type Session } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';
import { type Tab, Tabs } from './shell/tabs.tsx';
import { LANGUAGES } from './texts/common.ts';
import { type TextName, TRANSLATIONS, TranslationContext } from './texts/texts.ts';

/**
 * The key in the fragment of the address, which is never sent to a server. It is removed from the address bar at once.
 */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return key;
}

/** The views by the last part of their address. */
const VIEWS: Readonly<Record<string, TextName>> = { estudio: 'customerTab', oficina: 'officeTab' };
const viewHere = (): TextName => VIEWS[location.pathname.split('/').at(-1) ?? ''] ?? 'customerTab';

function App() {
  const [language, setLanguage] = useState(LANGUAGES.find((one) => navigator.language.startsWith(one)) ?? 'es');
  const [last, setLast] = useState<Session | null>(null);
  const [ended, setEnded] = useState<readonly Session[]>([]);
  /** The key of the address that did not open a session, and why. */
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: unknown } | null>(null);
  const [view, setView] = useState(viewHere);
  const translation = TRANSLATIONS[language];
  const { say } = translation;
  // A key that is no longer valid ends its session, and no later one. What it showed stays in place, hidden.
  const hasEnded = last !== null && ended.includes(last);
  const session = hasEnded ? null : last;
  const begin = async (key: string) => {
    const opened = await openSession(key, () => setEnded((before) => [...before, opened]));
    setLast(opened);
    setFailed(null);
  };
  const go = (next: TextName) => {
    const [part = ''] = Object.entries(VIEWS).find(([, name]) => name === next) ?? [];
    history.pushState(null, '', part);
    setView(next);
  };
  const beginOrSay = (key: string) => begin(key).catch((error: unknown) => setFailed({ key, error }));
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    const enter = () => {
      const key = takeKey();
      if (key !== null) void beginOrSay(key);
    };
    enter();
    const show = () => setView(viewHere());
    addEventListener('hashchange', enter);
    addEventListener('popstate', show);
    return () => {
      removeEventListener('hashchange', enter);
      removeEventListener('popstate', show);
    };
  }, []);
  const tabs: Tab[] = [
    { name: 'customerTab', content: <CustomerTab session={last} /> },
    { name: 'officeTab', content: <OfficeTab key={last?.reach} session={session} isOpen={view === 'officeTab'} /> },
  ];
  return (
    <TranslationContext.Provider value={translation}>
      <header class="top">
        <h1>Tarifario</h1>
        {session && <span class="who">{session.accountName}</span>}
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
      <main>
        {!session && <SignIn onKey={begin} hasEnded={hasEnded} />}
        {failed && !session && <Problem error={failed.error} isSignIn onRetry={() => void beginOrSay(failed.key)} />}
        {last && (
          <div hidden={!session}>
            <Tabs tabs={tabs} open={view} onOpen={go} />
          </div>
        )}
      </main>
    </TranslationContext.Provider>
  );
}

// A file that misses its place would replace the page, and all that was typed.
for (const type of ['dragover', 'drop'] as const) {
  addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
}

const root = document.getElementById('app');
if (root) render(<App />, root);
