import type { ContractTerm } from '@tarifario/api/offer-form';
import type { OfferDetail, Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { SHOWN_COST_PARTS } from '@tarifario/core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Press } from '../shell/form.tsx';
import { Opened } from '../shell/opened.tsx';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/query.ts';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { Months } from './months.tsx';
import { priceRows } from './price-rows.ts';
import type { Placed } from './view.ts';

type Reason = NonNullable<RankingResult['porque']>[number];
type Past = NonNullable<RankingResult['retrospectiva']>;
type Margin = NonNullable<Ranking['margen']>[number];

/** What is asked of one offer of an answer. */
type Asked = Pick<RankingQuestion, 'explicar' | 'retrospectiva' | 'margen'>;
/** The answer of that offer alone; without a result: another offer is in its place by now. */
type Told = Pick<Ranking, 'dias' | 'w' | 'margen'> & { readonly result: RankingResult | null };

export interface Explain {
  readonly api: Tarifario;
  readonly of: (id: number, asked: Asked, signal: AbortSignal) => Promise<Told>;
  /** The form has another question than the answer by now. */
  readonly isStale: boolean;
}

interface Open extends Pick<Placed, 'result'> {
  readonly explain: Explain;
  readonly onClose: () => void;
}

/** One offer: its prices, its terms, why it stands where it does, its months, and how sure its place is. */
export function OfferDrawer({ result, explain, onClose }: Open) {
  const translation = useTranslation();
  const { say } = translation;
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => element.current?.showModal(), []);
  const { offer, indexada } = result;
  const { id, is_catalog } = offer;
  const detail = useAnswer([id], (signal) =>
    is_catalog ? explain.api.getCatalogOffer({ id }, { signal }) : explain.api.getOffer({ id }, { signal }),
  );
  return (
    <dialog class="drawer" ref={element} aria-labelledby="drawer-title" onClose={onClose}>
      <form method="dialog">
        <Press text="close" type="submit" />
      </form>
      <h2 id="drawer-title">{offer.offer_name}</h2>
      <p class="note">{offer.company.name}</p>
      {explain.isStale && <p class="old">{say('stale')}</p>}
      <ToldOf id={id} asked={{ explicar: true }} explain={explain}>
        {(_, { porque = [] }) => <Reasons reasons={porque} />}
      </ToldOf>
      {result.is_optimal && (
        <Opened name={say('margin')}>
          <ToldOf id={id} asked={{ margen: true }} explain={explain}>
            {({ margen = [], w }, told) => <Margins margins={margen} weight={w} result={told} />}
          </ToldOf>
        </Opened>
      )}
      {indexada && (
        <Opened name={say('pastYears')}>
          <ToldOf id={id} asked={{ retrospectiva: true }} explain={explain}>
            {({ dias }, { retrospectiva }) => retrospectiva && <PastYears past={retrospectiva} days={dias} />}
          </ToldOf>
        </Opened>
      )}
      {result.coste_sin_descuento != null && (
        <p>{say('afterDiscount', { eur: translation.eur(result.coste_sin_descuento) })}</p>
      )}
      <Facts title={say('prices')} rows={pricesOf(result, translation)} />
      {detail.error !== null && <Problem error={detail.error} onRetry={detail.retry} />}
      {detail.answer && (
        <>
          <Facts title={say('terms')} rows={termsOf(detail.answer, translation)} />
          {indexada && <Months rows={detail.answer.indexed_prices} />}
        </>
      )}
    </dialog>
  );
}

/** What is asked of an offer as soon as it is there. */
function ToldOf({
  id,
  asked,
  explain,
  children,
}: {
  readonly id: number;
  readonly asked: Asked;
  readonly explain: Explain;
  readonly children: (told: Told, result: RankingResult) => ComponentChildren;
}) {
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([id], (signal) => explain.of(id, asked, signal));
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  if (!answer) return <p role="status">{say('working')}</p>;
  return answer.result ? children(answer, answer.result) : <p class="note">{say('listChanged')}</p>;
}

type Fact = readonly [name: string, value: string];

function Facts({ title, rows }: { readonly title: string; readonly rows: readonly Fact[] }) {
  if (rows.length === 0) return null;
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="n">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const appliedPrices = ({ offer, indexada }: RankingResult) => ({ ...offer, ...indexada?.precios });

function pricesOf(result: RankingResult, translation: Translation): readonly Fact[] {
  const rows = priceRows([appliedPrices(result)], translation);
  return rows.map(({ name, unit, least, prices: [price] }) => [
    name,
    `${translation.number(price ?? 0, least, 6)} ${unit}`,
  ]);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Each term of a contract, in the order in which they are shown. */
const TERMS = {
  permanencia_meses: true,
  penalizacion_eur: true,
  penalizacion_pct: true,
  precio_fijo_meses: true,
  descuento_energia_pct: true,
  descuento_potencia_pct: true,
  descuento_meses: true,
  vigente_desde: true,
  vigente_hasta: true,
  potencia_min_kw: true,
  potencia_max_kw: true,
  consumo_min_kwh: true,
  consumo_max_kwh: true,
  energia_verde: true,
  peajes_revisables: true,
  placas_solares: true,
  requisitos: true,
} satisfies Readonly<Record<ContractTerm | 'placas_solares', true>>;
const SHOWN_TERMS = Object.keys(TERMS) as readonly (keyof typeof TERMS)[];

/** What the contract says besides its prices; a term that it does not say has no row. */
function termsOf(detail: OfferDetail, { say, number, day }: Translation): readonly Fact[] {
  const values = new Map<string, unknown>(Object.entries(detail));
  return SHOWN_TERMS.flatMap((name): readonly Fact[] => {
    const value = values.get(name);
    if (typeof value === 'number') return [[say(name), number(value, 0, 4)]];
    if (typeof value === 'boolean') return [[say(name), say(value ? 'yes' : 'no')]];
    if (typeof value !== 'string' || value === '') return [];
    return [[say(name), DAY.test(value) ? day(value) : value]];
  });
}

/** The parts of the difference to the cheapest offer, the largest first. */
function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  const { say, eur, language } = useTranslation();
  const parts = reasons.filter(({ diferencia }) => diferencia !== 0);
  if (parts.length === 0) return <p class="good">{say('isCheapest')}</p>;
  const total = parts.reduce((sum, { diferencia }) => sum + diferencia, 0);
  const signed = (value: number) => `${value > 0 ? '+' : ''}${eur(value)} €`;
  const nameOf = (concept: string) => {
    const [wire = '', period] = concept.split('_');
    const part = SHOWN_COST_PARTS.find((one) => one.wire === wire);
    return [part?.[language] ?? wire, period?.toUpperCase()].join(' ').trim();
  };
  const rows = parts.map(({ concepto, diferencia }): Fact => [nameOf(concepto), signed(diferencia)]);
  return <Facts title={say('whyMore', { eur: signed(total) })} rows={rows} />;
}

/** The field of a price by the part of the cost that it is in. */
const PRICE_FIELDS: Readonly<Record<string, string>> = {
  energia: 'gas_energy',
  fijo: 'gas_fixed',
  servicios: 'services_cost',
};
const priceField = (concept: string) => PRICE_FIELDS[concept] ?? concept.replace(/^([ep])\w+_p(\d)$/, '$1$2');

/** Up to which price the first offer stays the first, beside the price of today. */
function Margins({
  margins,
  weight,
  result,
}: {
  readonly margins: readonly Margin[];
  readonly weight: number;
  readonly result: RankingResult;
}) {
  const translation = useTranslation();
  const { say, number } = translation;
  const highest = margins.map(({ concepto, sube_hasta }) => [priceField(concepto), sube_hasta ?? Infinity]);
  const rows = priceRows([appliedPrices(result), Object.fromEntries(highest)], translation).flatMap(
    ({ name, unit, least, prices: [price, most] }): Fact[] => {
      if (typeof most !== 'number') return [];
      const upTo = most === Infinity ? say('anyPrice') : `${number(most, least, 6)} ${unit}`;
      return [[name, `${number(price ?? 0, least, 6)} → ${upTo}`]];
    },
  );
  const value = { saving: number(100 * weight, 0, 1), commission: number(100 - 100 * weight, 0, 1) };
  return (
    <>
      <Facts title={say('marginTitle')} rows={rows} />
      {weight < 1 && <p class="note">{say('weightValue', value)}</p>}
    </>
  );
}

/** What an indexed offer would have cost by the prices of its past years. */
function PastYears({ past, days }: { readonly past: Past; readonly days: number }) {
  const { say, eur, number } = useTranslation();
  const { ventanas: count, veces_mas_barata: times } = past;
  if (count === 0) return <p class="note">{say('pastNone')}</p>;
  const eurIn = (value: number | null) => `${eur(value)} €`;
  const rows: readonly Fact[] = [
    [say('pastBest'), eurIn(past.minimo)],
    [say('pastMedian'), eurIn(past.mediana)],
    [say('pastWorst'), eurIn(past.maximo)],
    [say('pastLatest'), eurIn(past.ultimo)],
  ];
  const beside: readonly Fact[] = [
    [say('pastCheaper'), say('timesOf', { count: number(times ?? 0), total: number(count) })],
    [say('pastMissed'), eurIn(past.ventaja_max)],
    [say('pastRegret'), eurIn(past.arrepentimiento_max)],
  ];
  return (
    <>
      <Facts title={say('pastTitle', { count, days })} rows={rows} />
      {times === null ? <p class="note">{say('pastAlone')}</p> : <Facts title={say('pastBeside')} rows={beside} />}
    </>
  );
}
