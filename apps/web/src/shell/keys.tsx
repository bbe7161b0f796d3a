import { useEffect, useRef } from 'preact/hooks';
import { type TextName, useTranslation } from '../texts/texts.ts';
import { Press } from './form.tsx';

/** What each key does, for the help. */
const KEYS: readonly (readonly [key: string, text: TextName])[] = [
  ['/', 'keySearch'],
  ['n', 'newStudy'],
  ['?', 'keyHelp'],
];
const TYPED = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

/** The search of the open room. */
function searchField(): HTMLInputElement | undefined {
  return [...document.querySelectorAll<HTMLInputElement>('input[type=search]')].find((one) => one.checkVisibility());
}

/** Keys that work wherever nothing is typed, and the help that names them. */
export function Keys({ onNew }: { readonly onNew: () => void }) {
  const { say } = useTranslation();
  const help = useRef<HTMLDialogElement>(null);
  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const act: Readonly<Record<string, () => void>> = {
      '/': () => searchField()?.focus(),
      n: () => latest.current(),
      '?': () => help.current?.showModal(),
    };
    const press = (event: KeyboardEvent) => {
      const { target, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof Element && target.matches(TYPED);
      const work = act[event.key];
      if (!work || isTyping || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      work();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" class="plain" aria-label={say('keysTitle')} onClick={() => help.current?.showModal()}>
        ?
      </button>
      <dialog ref={help} class="card" aria-labelledby="keys-help">
        <h2 id="keys-help">{say('keysTitle')}</h2>
        <dl>
          {KEYS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{say(text)}</dd>
            </div>
          ))}
        </dl>
        <p class="note">{say('keysNote')}</p>
        <form method="dialog">
          <Press text="close" type="submit" />
        </form>
      </dialog>
    </>
  );
}
