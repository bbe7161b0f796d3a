import { useRef } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';

/** The proposal in a frame that runs no script; the browser prints it, also to a PDF. */
export function ProposalSheet({
  id,
  sha256,
  html,
}: {
  readonly id: number;
  readonly sha256: string;
  readonly html: string;
}) {
  const { say } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  return (
    <div class="sheet">
      <p>
        {say('proposalMade', { id })} <code>{sha256.slice(0, 16)}…</code>{' '}
        <button type="button" onClick={() => frame.current?.contentWindow?.print()}>
          {say('print')}
        </button>
      </p>
      <iframe ref={frame} title={say('proposalMade', { id })} srcdoc={html} sandbox="allow-same-origin allow-modals" />
    </div>
  );
}
