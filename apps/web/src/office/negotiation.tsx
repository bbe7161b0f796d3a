import type { Negotiation, Offer } from '@tarifario/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Choice, type Option, Press, TextField } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useAnswer, useRested, useTask } from '../shell/query.ts';
import { useSession } from '../shell/session.ts';
import { ShowMore, Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';
import type { Customer } from './customer-files.ts';
import { Refused } from './refused.tsx';
import { pieceFrom, sentCustomers } from './use-customers.ts';

/** How many offers a search lists of each kind. */
const FOUND = 50;
/** How many rows the table has first, and gets each time. */
const PAGE = 100;

type Gap = Negotiation['results'][number];

/** What an offer has to come down to be the first for customers of a portfolio. */
export function NegotiationForm({
  customers,
  weight,
}: {
  /** Those that were ranked. */
  readonly customers: readonly Customer[];
  /** How much savings weigh; `null`: nothing else does. */
  readonly weight: number | null;
}) {
  const session = useSession();
  const { say } = useTranslation();
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [answered, setAnswered] = useState<{ readonly of: Offer; readonly gaps: readonly Gap[] } | null>(null);
  const { isBusy, error, run } = useTask();
  const control = useRef(new AbortController());
  useEffect(() => () => control.current.abort(), []);
  const negotiate = () =>
    run(async () => {
      if (!session || !chosen) return;
      const gaps: Gap[] = [];
      for (let from = 0; from < customers.length; ) {
        const piece = pieceFrom(customers, from);
        const body = { offer_id: chosen.id, customers: sentCustomers(piece, weight) };
        gaps.push(...(await session.api.negotiateOffer({ body }, { signal: control.current.signal })).results);
        from += piece.length;
      }
      setAnswered({ of: chosen, gaps });
    });
  return (
    <>
      <p class="note">{say('negotiationNote', { count: customers.length })}</p>
      <OfferChoice chosen={chosen} onChoose={setChosen} />
      <Press text="negotiate" isBusy={isBusy} disabled={chosen === null} onPress={() => void negotiate()} />
      {error !== null && <Problem error={error} onRetry={() => void negotiate()} />}
      <div role="status">
        {answered && answered.of.id === chosen?.id && <Steps gaps={answered.gaps} customers={customers} />}
      </div>
    </>
  );
}

/** An offer of the account or of the catalog, found by its name or that of its retailer. */
function OfferChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: Offer | null;
  readonly onChoose: (offer: Offer | null) => void;
}) {
  const session = useSession();
  const { say } = useTranslation();
  const [typed, setTyped] = useState('');
  const q = useRested(typed.trim());
  const { answer, error, retry } = useAnswer(
    [session, q],
    session &&
      (async (signal) => {
        const { api, scopes } = session;
        const lists = scopes.includes('catalog:read') ? [api.listOffers, api.listCatalogOffers] : [api.listOffers];
        const pages = await Promise.all(lists.map((list) => list({ limit: FOUND, ...(q && { q }) }, { signal })));
        return pages.flatMap(({ results }) => results);
      }),
  );
  const found = answer ?? [];
  const offers = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      <div class="row">
        <TextField label={say('searchNames')} type="search" maxLength={100} value={typed} onText={setTyped} />
        <Choice
          label={say('offer')}
          name="negociar"
          value={`${chosen?.id ?? ''}`}
          options={[['', say('chooseRate')], ...offers.map(optionOf)]}
          onChoose={(value) => onChoose(offers.find(({ id }) => `${id}` === value) ?? null)}
        />
      </div>
    </>
  );
}

const optionOf = ({ id, offer_name, company, tariff_type }: Offer): Option<string> => [
  `${id}`,
  `${offer_name} (${company.name}) · ${tariff_type}`,
];

/** The steps of an answer, of customers that were sent in pieces. */
function stepsOf(gaps: readonly Gap[]): Negotiation['tramos'] {
  const known = gaps.flatMap((one) =>
    'error' in one || one.hueco_eur_mwh === null ? [] : [{ fall: one.hueco_eur_mwh, annualMwh: one.mwh_anuales }],
  );
  let mwh = 0;
  const all = known
    .sort((a, b) => a.fall - b.fall)
    .map(({ fall, annualMwh }, index) => {
      mwh += annualMwh;
      return { baja_eur_mwh: fall, clientes: index + 1, mwh };
    });
  return all.filter(({ baja_eur_mwh }, index) => all[index + 1]?.baja_eur_mwh !== baja_eur_mwh);
}

/** What each fall of the price wins. */
function Steps({ gaps, customers }: { readonly gaps: readonly Gap[]; readonly customers: readonly Customer[] }) {
  const { say, number } = useTranslation();
  const [count, setCount] = useState(PAGE);
  const known = gaps.flatMap((one) => ('error' in one ? [] : [one]));
  const steps = useMemo(() => stepsOf(gaps), [gaps]);
  const neverCount = known.filter((one) => one.hueco_eur_mwh === null).length;
  const nameOf = new Map(customers.map(({ line, body }) => [`${line}`, `${body.ref}`]));
  const refused = gaps.flatMap((one) =>
    'error' in one ? [{ ...one, line: Number(one.ref), ref: nameOf.get(one.ref ?? '') ?? null }] : [],
  );
  return (
    <>
      {refused.length > 0 && <Refused records={refused} />}
      {neverCount > 0 && <p>{say('neverFirst', { count: neverCount })}</p>}
      {steps.length > 0 && (
        <Table
          name={say('negotiation')}
          rows={steps.slice(0, count)}
          rowOf={({ baja_eur_mwh }) => ({ key: baja_eur_mwh, 'data-fall': baja_eur_mwh })}
          isNamed={false}
          columns={[
            [`${say('priceFall')} €/MWh`, ({ baja_eur_mwh }) => number(baja_eur_mwh, 0, 6), 'n strong'],
            [say('firstFor'), ({ clientes }) => number(clientes), 'n'],
            [say('annualMwh'), ({ mwh }) => number(mwh, 0, 3), 'n'],
          ]}
        />
      )}
      <ShowMore shown={count} total={steps.length} page={PAGE} onMore={() => setCount(count + PAGE)} />
    </>
  );
}
