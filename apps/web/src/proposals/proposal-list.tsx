import type { ProposalEntry } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { searchWithoutCups } from '../customer/cups.ts';
import { Choice, Select, TextField } from '../shell/form.tsx';
import { PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { firstOf, useAnswer, useRested, useTask, useVisits } from '../shell/query.ts';
import { type Session, useOpenSession } from '../shell/session.ts';
import { type Column, ShowMore, Table } from '../shell/table.tsx';
import { type Translation, useTranslation } from '../texts/texts.ts';

const PAGE = 50;
const STATES = ['borrador', 'enviada', 'aceptada', 'rechazada'] as const;
type State = (typeof STATES)[number];

/** The proposals that the key may see, the newest first. */
export function ProposalList({ isOpen }: { readonly isOpen: boolean }) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const [count, setCount] = useState(PAGE);
  const [search, setSearch] = useState('');
  const [estado, setState] = useState<State | null>(null);
  const q = useRested(searchWithoutCups(search));
  const visits = useVisits(isOpen);
  const chosen = { ...(q !== '' && { q }), ...(estado && { estado }) };
  const { answer, error, retry } = useAnswer([session.reach, visits, count, q, estado], (signal) =>
    newest(session, { count, chosen }, signal),
  );
  const isChosen = Object.keys(chosen).length > 0;
  return (
    <section class="card panel" aria-labelledby="proposals-title">
      <h2 id="proposals-title">{say('roomProposals')}</h2>
      {(isChosen || (answer?.total ?? 0) > 0) && (
        <div class="row">
          <TextField label={say('findProposal')} type="search" name="q" value={search} onText={setSearch} />
          <Choice
            label={say('state')}
            name="estado"
            value={estado ?? ''}
            options={[['', say('anyState')], ...STATES]}
            onChoose={(state) => setState(state || null)}
          />
        </div>
      )}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer?.total === 0 && <p>{say(isChosen ? 'noSuchProposals' : 'noProposals')}</p>}
      {answer && answer.results.length > 0 && (
        <Table
          name={say('tableOfProposals')}
          rows={answer.results}
          rowOf={({ id }) => ({ key: id, 'data-proposal': id })}
          columns={columnsOf(translation)}
        />
      )}
      <ShowMore
        shown={answer?.results.length ?? 0}
        total={answer?.total ?? 0}
        page={PAGE}
        onMore={() => setCount(count + PAGE)}
      />
    </section>
  );
}

/** What the proposed offer saves; empty: it is not known. */
export function savingText({ resumen }: Pick<ProposalEntry, 'resumen'>, { say, eur, number }: Translation): string {
  if (typeof resumen?.ahorro_anual !== 'number') return '';
  const year = say('inEur', { eur: eur(resumen.ahorro_anual) });
  return typeof resumen.ahorro_pct === 'number' ? `${year} (${number(resumen.ahorro_pct, 0, 1)} %)` : year;
}

function columnsOf(translation: Translation): readonly Column<ProposalEntry>[] {
  const { say, time } = translation;
  const several = (count: number) => (count > 1 ? ` ${say('ofSeveral', { count: count - 1 })}` : '');
  return [
    [say('proposal'), ({ id }) => <PlaceLink to={{ room: 'propuestas', id }}>{say('proposalMade', { id })}</PlaceLink>],
    [say('customerRef'), ({ ref, nota }) => <span class="few-lines">{ref ?? nota}</span>],
    [
      say('proposedOffers'),
      ({ resumen }) => resumen && `${resumen.offer_name} (${resumen.company_name})${several(resumen.ofertas)}`,
    ],
    [say('savingYearly'), (entry) => savingText(entry, translation), 'n'],
    [say('madeAt'), ({ created_at }) => <span class="day">{time(created_at)}</span>],
    [say('state'), (entry) => <StateOf entry={entry} />],
  ];
}

/** The state of a proposal, changed with one press. */
export function StateOf({ entry }: { readonly entry: Pick<ProposalEntry, 'id' | 'estado'> }) {
  const { api, scopes } = useOpenSession();
  const { say } = useTranslation();
  const { id } = entry;
  const [estado, setState] = useState(entry.estado);
  const { isBusy, error, run } = useTask();
  const change = (next: State) =>
    run(async () => setState((await api.updateProposal({ id, body: { estado: next } })).estado));
  return (
    <>
      <Select
        aria-label={`${say('state')}: ${say('proposalMade', { id })}`}
        value={estado}
        options={STATES}
        disabled={!scopes.includes('proposals:write')}
        aria-disabled={isBusy}
        onChoose={change}
      />
      {error !== null && <Problem error={error} />}
    </>
  );
}

/** The service lists the oldest first. */
async function newest(
  { api }: Session,
  { count, chosen }: { readonly count: number; readonly chosen: { readonly q?: string; readonly estado?: State } },
  signal: AbortSignal,
) {
  const { total } = await api.listProposals({ ...chosen, limit: 1 }, { signal });
  const offset = Math.max(0, total - count);
  const results = await firstOf(api.listProposals({ ...chosen, limit: PAGE, offset }, { signal }));
  return { total, results: results.toReversed() };
}
