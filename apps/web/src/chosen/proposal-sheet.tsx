import { useEffect, useRef } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';

/** Writes an addressee under the title of a page that is shown: nothing stores or sends it. */
function address(page: Document | null | undefined, line: string): void {
  const title = page?.querySelector('h1');
  if (!page || !title) return;
  const shown = page.getElementById(ADDRESSEE) ?? page.createElement('p');
  shown.id = ADDRESSEE;
  shown.textContent = line;
  if (line === '') shown.remove();
  else title.after(shown);
}
const ADDRESSEE = 'destinatario';

/** The proposal in a frame that runs no script; the browser prints it, also to a PDF. */
export function ProposalSheet({
  id,
  sha256,
  html,
  addressee,
  onAddressee,
}: {
  readonly id: number;
  readonly sha256: string;
  readonly html: string;
  readonly addressee: string;
  readonly onAddressee: (name: string) => void;
}) {
  const { say } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const name = addressee.trim();
  const write = () => address(frame.current?.contentDocument, name && say('addressedTo', { name }));
  useEffect(write, [name]);
  return (
    <div class="sheet">
      <p>
        {say('proposalMade', { id })} <code>{sha256.slice(0, 16)}…</code>{' '}
        <button type="button" onClick={() => frame.current?.contentWindow?.print()}>
          {say('print')}
        </button>
      </p>
      <label>
        {say('addressee')}
        <input
          name="destinatario"
          autocomplete="off"
          value={addressee}
          onInput={({ currentTarget }) => onAddressee(currentTarget.value)}
        />
      </label>
      <iframe
        onLoad={write}
        ref={frame}
        title={say('proposalMade', { id })}
        srcdoc={html}
        sandbox="allow-same-origin allow-modals"
      />
    </div>
  );
}
