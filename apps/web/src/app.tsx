import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import { CustomerTab } from './customer/customer-tab.tsx';
import { Problem } from './shell/problem.tsx';
import { openSession, type Session, SignIn } from './shell/sign-in.tsx';
import { type Tab, Tabs } from './shell/tabs.tsx';
import { LANGUAGES, SPEECHES, SpeechContext, type TextName } from './texts/texts.ts';

/** The key in the fragment of the address, which never goes to a server; it is taken out of the address bar at once. */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return key;
}

function App() {
  const [language, setLanguage] = useState(LANGUAGES.find((one) => navigator.language.startsWith(one)) ?? 'es');
  const [session, setSession] = useState<Session | null>(null);
  const [hasEnded, setEnded] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [open, setOpen] = useState<TextName>('customerTab');
  const speech = SPEECHES[language];
  const { say } = speech;
  const begin = (opened: Session) => {
    // A key that is revoked later ends the session; what was typed stays where it is.
    const api: Session['api'] = async (path, sent) => {
      try {
        return await opened.api(path, sent);
      } catch (fault) {
        if (fault instanceof ApiError && fault.status === 401) {
          setSession(null);
          setEnded(true);
        }
        throw fault;
      }
    };
    setError(null);
    setSession({ ...opened, api });
  };
  useEffect(() => {
    const enter = () => {
      const key = takeKey();
      if (key !== null) openSession(key).then(begin, setError);
    };
    enter();
    addEventListener('hashchange', enter);
    return () => removeEventListener('hashchange', enter);
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const tabs: Tab[] = [{ name: 'customerTab', content: <CustomerTab api={session?.api ?? null} /> }];
  const wasOpened = session !== null || hasEnded;
  return (
    <SpeechContext.Provider value={speech}>
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
      <main>
        {!session && <SignIn onSession={begin} hasEnded={hasEnded} />}
        {error !== null && !session && <Problem error={error} />}
        {wasOpened && (
          <div hidden={!session}>
            <Tabs tabs={tabs} open={open} onOpen={setOpen} />
          </div>
        )}
      </main>
    </SpeechContext.Provider>
  );
}

const root = document.getElementById('app');
if (root) render(<App />, root);
