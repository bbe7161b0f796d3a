import type { ContractTerm } from '@tarifario/core/service';
import { esc } from './page-html.ts';
import type { Basis } from './page-table.ts';
import { eur, type Row, valueText } from './page-texts.ts';

/** They are long: they stand below the table. */
const REQUIREMENTS = 'Requisitos';

/** What contracts say besides prices, by their names on the wire. */
const TERM_NAMES: Readonly<Record<ContractTerm, string>> = {
  permanencia_meses: 'Permanencia (meses)',
  penalizacion_eur: 'Penalización (€)',
  penalizacion_pct: 'Penalización (% de la energía pendiente)',
  precio_fijo_meses: 'Precio fijo (meses)',
  descuento_energia_pct: 'Descuento en energía (%)',
  descuento_potencia_pct: 'Descuento en potencia (%)',
  descuento_meses: 'El descuento termina tras (meses)',
  vigente_desde: 'Se contrata desde',
  vigente_hasta: 'Se contrata hasta',
  potencia_min_kw: 'Potencia mínima (kW)',
  potencia_max_kw: 'Potencia máxima (kW)',
  consumo_min_kwh: 'Consumo anual mínimo (kWh)',
  consumo_max_kwh: 'Consumo anual máximo (kWh)',
  energia_verde: 'Energía verde',
  peajes_revisables: 'Cambia con los peajes',
  requisitos: REQUIREMENTS,
};

/** What offers with a discount cost besides, by their names on the wire. */
const DISCOUNT_NAMES = [
  ['coste_sin_descuento', 'Sin el descuento'],
  ['coste_segundo_anio', 'Doce meses después'],
] as const;

/** What is known of the contracts of some offers, and what they cost once a discount has ended; nothing where nothing is. */
export function termsTable(shown: readonly Row[], { inPeriod }: Basis, best: Row | undefined): string {
  const mark = (at: number) => (shown[at] === best ? 'n best' : 'n');
  const rowOf = (name: string, texts: readonly string[]) =>
    `<tr><th scope="row">${esc(name)}</th>${texts.map((text, at) => `<td class="${mark(at)}">${esc(text)}</td>`).join('')}</tr>`;
  const said = Object.entries(TERM_NAMES).flatMap(([wire, name]) => {
    const values = shown.map(({ condiciones = {} }) => condiciones[wire] ?? null);
    if (name === REQUIREMENTS || values.every((value) => value === null)) return [];
    return [
      rowOf(
        name,
        values.map((value) => (value === null ? '—' : valueText(value))),
      ),
    ];
  });
  const later = DISCOUNT_NAMES.flatMap(([wire, name]) => {
    const amounts = shown.map((row) => row[wire] ?? null);
    if (amounts.every((amount) => amount === null)) return [];
    const texts = amounts.map((amount) => eur(amount === null ? null : inPeriod(amount)));
    return [rowOf(`${name}, sin impuestos`, texts)];
  });
  const asked = shown.flatMap(({ offer_name, condiciones }) =>
    typeof condiciones?.requisitos === 'string'
      ? [`<p>${REQUIREMENTS} de ${esc(offer_name)}: ${esc(condiciones.requisitos)}</p>`]
      : [],
  );
  if (said.length + later.length === 0) return asked.join('');
  const heads = shown
    .map(({ offer_name }, at) => `<th scope="col" class="${mark(at)}">${esc(offer_name)}</th>`)
    .join('');
  return `<table class="terms"><thead><tr><th scope="col">Condición</th>${heads}</tr></thead><tbody>${[...said, ...later].join('')}</tbody></table>${asked.join('')}`;
}
