import type { Proposal, Verification } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { ProposalSheet } from '../chosen/proposal-sheet.tsx';
import type { CustomerQuestion } from '../customer/draft.ts';
import { askedToday, type Reopened } from '../customer/reopened.ts';
import { supplyLine } from '../customer/supply-line.ts';
import { Press, Tick } from '../shell/form.tsx';
import { go, PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { useAnswer, useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { valueText } from '../texts/value-text.ts';
import { StateOf, savingText } from './proposal-list.tsx';

/** One proposal: its page to print, its proof, and its question as a new study. */
export function ProposalPage({ id, onReopen }: { readonly id: number; readonly onReopen: (from: Reopened) => void }) {
  const session = useOpenSession();
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([session.reach, id], (signal) =>
    session.api.getProposal({ id }, { signal }),
  );
  return (
    <div class="answers">
      <PlaceLink to={{ room: 'propuestas', id: null }}>{say('allProposals')}</PlaceLink>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && <ProposalCard onReopen={onReopen} proposal={answer} />}
    </div>
  );
}

function ProposalCard({
  proposal,
  onReopen,
}: {
  readonly proposal: Proposal;
  readonly onReopen: (from: Reopened) => void;
}) {
  const { api, scopes } = useOpenSession();
  const translation = useTranslation();
  const { say, time, eur, language } = translation;
  const saving = savingText(proposal, translation);
  const { id, ref, offer_ids, nota, pagina } = proposal;
  const [verification, setVerification] = useState<Verification | null>(null);
  const [shown, setShown] = useState<{ readonly html: string; readonly comisiones: boolean } | null>(null);
  const [addressee, setAddressee] = useState('');
  const [comisiones, setCommissions] = useState(false);
  const { isBusy, error, run } = useTask();
  const show = () => run(async () => setShown({ html: await api.getProposalPage({ id, comisiones }), comisiones }));
  const remove = () => {
    if (!confirm(say('deleteProposalQuestion', { id }))) return;
    void run(async () => {
      await api.deleteProposal({ id });
      go({ room: 'propuestas', id: null });
    });
  };
  return (
    <section class="card panel" aria-labelledby="proposal-title">
      <h2 id="proposal-title">{[say('proposalMade', { id }), ref].filter(Boolean).join(' · ')}</h2>
      <p class="note">
        {time(proposal.created_at)}
        {saving && ` · ${say('savingYearly')}: ${saving}`}
      </p>
      <div class="narrow">
        <StateOf entry={proposal} />
      </div>
      <p>{supplyLine(proposal.request as Partial<CustomerQuestion>, proposal.answer, translation)}</p>
      {nota !== null && <p>{nota}</p>}
      <h3>{say('proposedOffers')}</h3>
      <ul>
        {pagina
          .filter((row) => offer_ids.includes(row.offer_id))
          .map((row) => (
            <li key={row.offer_id}>
              {row.offer_name} ({row.company_name}): {eur(row.factura_estimada?.total ?? row.cost.total)} €{' '}
              {say(row.factura_estimada ? 'afterTaxes' : 'beforeTaxes')}
            </li>
          ))}
      </ul>
      {scopes.includes('commissions:read') && (
        <Tick isOn={comisiones} onTurn={setCommissions}>
          {say('proposalCommissions')}
        </Tick>
      )}
      <p class="next">
        <Press text="openPage" class="main" aria-disabled={isBusy} onPress={() => void show()} />
        <Press
          text="verify"
          aria-disabled={isBusy}
          onPress={() => void run(async () => setVerification(await api.verifyProposal({ id })))}
        />
        <Press text="reopen" onPress={() => onReopen(askedToday(proposal, language))} />
        {scopes.includes('proposals:write') && (
          <Press text="deleteProposal" class="plain bad" aria-disabled={isBusy} onPress={remove} />
        )}
      </p>
      {error !== null && <Problem error={error} />}
      <div role="status">{verification && <Verified {...verification} />}</div>
      <p class="note">
        {say('proof')} <code>{proposal.sha256}</code>
      </p>
      {shown?.comisiones === comisiones && (
        <ProposalSheet {...{ id, addressee }} html={shown.html} onAddressee={setAddressee} />
      )}
    </section>
  );
}

/** Whether the proposal is made again as it was, in words. */
function Verified({ reproducible, differences }: Verification) {
  const translation = useTranslation();
  const { say } = translation;
  if (reproducible) return <p class="done">{say('verified')}</p>;
  return (
    <div class="problem">
      <p>{say('notVerified', { count: differences.length })}</p>
      <ul>
        {differences.slice(0, 10).map(({ path, then, now }) => (
          <li key={path}>
            <code>{path}</code>: {valueText(then, translation)} → {valueText(now, translation)}
          </li>
        ))}
      </ul>
    </div>
  );
}
