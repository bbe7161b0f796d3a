import { useEffect, useRef } from 'preact/hooks';
import { TextField } from '../shell/form.tsx';
import { useTranslation } from '../texts/texts.ts';

/** Writes an addressee on a sheet that is shown, and where it is verified: nothing stores or sends either. */
function address(sheet: Document | null | undefined, line: string): void {
  for (const [id, text] of Object.entries({ destinatario: line, servicio: location.host })) {
    sheet?.getElementById(id)?.replaceChildren(text);
  }
}

/** Room for a scroll to the side, below a sheet that is wider. */
const SCROLLBAR_PX = 20;

/** The proposal in a frame that runs no script; the browser prints it, also to a PDF. */
export function ProposalSheet({
  id,
  html,
  addressee,
  onAddressee,
}: {
  readonly id: number;
  readonly html: string;
  readonly addressee: string;
  readonly onAddressee: (name: string) => void;
}) {
  const { say } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const name = addressee.trim();
  const write = () => address(frame.current?.contentDocument, name && say('addressedTo', { name }));
  // The whole sheet: its total and its signature are not behind a second scroll, whatever is written on it.
  const show = () => {
    write();
    const body = frame.current?.contentDocument?.body;
    const fit = () => {
      if (frame.current && body?.offsetHeight) frame.current.style.height = `${body.offsetHeight + SCROLLBAR_PX}px`;
    };
    if (body) new ResizeObserver(fit).observe(body);
  };
  useEffect(write, [name]);
  // What was pressed has made it, often below the window.
  const print = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    print.current?.focus({ preventScroll: true });
    print.current?.closest('.sheet')?.scrollIntoView();
  }, [html]);
  return (
    <div class="sheet">
      <p class="next">
        <strong>{say('proposalMade', { id })}</strong>
        <button type="button" class="main" ref={print} onClick={() => frame.current?.contentWindow?.print()}>
          {say('print')}
        </button>
      </p>
      <TextField label={say('addressee')} name="destinatario" value={addressee} onText={onAddressee} />
      <iframe
        onLoad={show}
        ref={frame}
        title={say('proposalMade', { id })}
        srcdoc={html}
        sandbox="allow-same-origin allow-modals"
      />
    </div>
  );
}
