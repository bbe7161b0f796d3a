import type { Tarifario } from '@tarifario/client';
import { useRef, useState } from 'preact/hooks';
import type { Question } from '../customer/draft.ts';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';

/** A proposal of the chosen offers. It is stored with a proof, shown, and printed from its frame. */
export function ProposalForm({
  api,
  request,
  offerIds,
  seesCommissions,
  leftOut,
  isStale,
  comment,
  onComment,
}: {
  readonly api: Tarifario;
  readonly request: Question & { readonly limit: number };
  readonly offerIds: readonly number[];
  readonly seesCommissions: boolean;
  /** Names of chosen offers that a proposal cannot have. */
  readonly leftOut: readonly string[];
  /** The form has another question by now. */
  readonly isStale: boolean;
  readonly comment: string;
  readonly onComment: (comment: string) => void;
}) {
  const { say } = useTranslation();
  const [withCommissions, setWithCommissions] = useState(false);
  const { isBusy, error, run } = useTask();
  const [made, setMade] = useState<{ readonly id: number; readonly sha256: string; readonly html: string } | null>(
    null,
  );
  const last = useRef<{ readonly asked: string; readonly id: number; readonly sha256: string } | null>(null);
  const make = () =>
    run(async () => {
      const nota = comment.trim();
      const body = { request, offer_ids: [...offerIds], ...(nota === '' ? {} : { nota }) };
      const asked = JSON.stringify(body);
      // The same thing is one proposal, of which both versions can be printed.
      const { id, sha256 } = last.current?.asked === asked ? last.current : await api.createProposal({ body });
      last.current = { asked, id, sha256 };
      setMade({ id, sha256, html: await api.getProposalPage({ id, comisiones: withCommissions }) });
    });
  return (
    <form
      class="proposal"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <label>
        {say('proposalNote')}
        <textarea
          rows={2}
          maxLength={2000}
          value={comment}
          onInput={({ currentTarget }) => onComment(currentTarget.value)}
        />
      </label>
      {seesCommissions && (
        <label class="tick">
          <input
            type="checkbox"
            checked={withCommissions}
            onChange={({ currentTarget }) => setWithCommissions(currentTarget.checked)}
          />
          {say('proposalCommissions')}
        </label>
      )}
      {leftOut.length > 0 && (
        <p class="problem">{say('proposalFirst', { count: request.limit, names: leftOut.join(', ') })}</p>
      )}
      <button type="submit" class="main" aria-disabled={isBusy} disabled={isStale || leftOut.length > 0}>
        {isBusy ? say('working') : say('makeProposal')}
      </button>
      {error !== null && <Problem error={error} onRetry={make} />}
      {made && <ProposalSheet {...made} />}
    </form>
  );
}

/** The proposal in a frame that runs no script; the browser prints it, also to a PDF. */
function ProposalSheet({ id, sha256, html }: { readonly id: number; readonly sha256: string; readonly html: string }) {
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
