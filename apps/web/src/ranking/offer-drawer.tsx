import type { OfferDetail, RankingResult, Tarifario } from '@tarifario/client';
import { SHOWN_COST_PARTS } from '@tarifario/core';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { type TextName, type Translation, useTranslation } from '../texts/texts.ts';
import { Months } from './months.tsx';
import { priceRows } from './price-rows.ts';
import type { Placed } from './view.ts';

/** Why an offer costs more than the cheapest one. */
interface Reason {
  readonly concepto: string;
  readonly diferencia: number;
}

export interface Open extends Placed {
  readonly explain: {
    readonly api: Tarifario;
    /** The reasons of the offer at a place; `null`: another offer is there by now. */
    readonly of: (placed: Placed, signal: AbortSignal) => Promise<readonly Reason[] | null>;
  };
  readonly onClose: () => void;
}

/** One offer: its prices, its terms, why it stands where it does, and its months. */
export function OfferDrawer({ place, result, explain, onClose }: Open) {
  const translation = useTranslation();
  const { say } = translation;
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => element.current?.showModal(), []);
  const { offer, indexada } = result;
  const { id, is_catalog } = offer;
  const detail = useAnswer([id], (signal) =>
    is_catalog ? explain.api.getCatalogOffer({ id }, { signal }) : explain.api.getOffer({ id }, { signal }),
  );
  const reasons = useAnswer([id], (signal) => explain.of({ place, result }, signal));
  return (
    <dialog class="drawer" ref={element} aria-labelledby="drawer-title" onClose={onClose}>
      <form method="dialog">
        <button type="submit">{say('close')}</button>
      </form>
      <h2 id="drawer-title">{offer.offer_name}</h2>
      <p class="note">{offer.company.name}</p>
      {reasons.error !== null && <Problem error={reasons.error} onRetry={reasons.retry} />}
      {reasons.answer && <Reasons reasons={reasons.answer} />}
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

/** The prices that were applied. */
function pricesOf({ offer, indexada }: RankingResult, translation: Translation): readonly Fact[] {
  const rows = priceRows([{ ...offer, ...indexada?.precios }], translation);
  return rows.map(({ name, unit, prices: [price = 0] }) => [name, `${translation.number(price ?? 0, 2, 6)} ${unit}`]);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TERMS = [
  'permanencia_meses',
  'penalizacion_eur',
  'penalizacion_pct',
  'precio_fijo_meses',
  'descuento_energia_pct',
  'descuento_potencia_pct',
  'descuento_meses',
  'vigente_desde',
  'vigente_hasta',
  'potencia_min_kw',
  'potencia_max_kw',
  'consumo_min_kwh',
  'consumo_max_kwh',
  'energia_verde',
  'peajes_revisables',
  'placas_solares',
  'requisitos',
] as const satisfies readonly TextName[];

/** What the contract says besides its prices; a term that it does not say has no row. */
function termsOf(detail: OfferDetail, { say, number, day }: Translation): readonly Fact[] {
  const values = new Map<string, unknown>(Object.entries(detail));
  return TERMS.flatMap((name): readonly Fact[] => {
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
