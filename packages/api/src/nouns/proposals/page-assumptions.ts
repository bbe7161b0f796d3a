import { indirectTaxName, RATE_KIND_NAMES, RATE_NAMES } from '@tarifario/core/service';
import { ratesBorne } from '../taxes.ts';
import type { ComparedRequest } from './page-table.ts';
import {
  type Answer,
  comparedText,
  daysText,
  dayText,
  eur,
  methodText,
  monthsText,
  monthText,
  RATE_FORMAT,
  REQUEST_NAMES,
  type Row,
  unitText,
  valueText,
} from './page-texts.ts';
import { isPartlyByMeans } from './proposal.ts';

type Request = ComparedRequest & Readonly<Record<string, unknown>>;

/** What was computed with, in one paragraph: the supply, the prices of indexed offers, the taxes, and how. */
export function assumptionsText(answer: Answer, proposed: readonly Row[], request: Request): string {
  const said = Object.entries(REQUEST_NAMES).flatMap(([name, text]) =>
    request[name] === undefined
      ? []
      : [`${text}: ${name === 'mes' ? monthText(String(request[name])) : valueText(request[name])}`],
  );
  const period = `Periodo: ${daysText(answer.dias)}, ${monthsText(answer.meses)}`;
  const { factura_total: billEur } = request.contrato_actual ?? {};
  const today = billEur === undefined ? [] : [`Hoy se pagan ${eur(billEur)} en ${daysText(answer.dias)}`];
  return [
    `${[...said, ...today, period].join('; ')}.`,
    ...indexedTexts(answer, proposed),
    ...proposed.flatMap((row) => hoursText(row, answer)),
    ...(answer.impuestos ? [ratesText(answer, proposed, request)] : []),
    `${methodText(request)} ${answer.impuestos ? BILLED : NOT_BILLED}`,
    comparedText(answer),
  ].join(' ');
}

const NOT_BILLED = 'Todo sin impuestos ni alquiler de contador: sirve para comparar y no es el importe de una factura.';
const BILLED = 'Los tipos de un día valen para todo el periodo, y se redondea una vez, no factura a factura.';

/** What the prices of indexed offers are. */
function indexedTexts({ results }: Answer, proposed: readonly Row[]): readonly string[] {
  return proposed.flatMap(({ offer_id, offer_name }) => {
    const indexed = results.find(({ offer }) => offer.id === offer_id)?.indexada;
    if (!indexed) return [];
    const { mes, meses_historico, desde, hasta, ponderado } = indexed;
    const month = (day: string | null) => (day === null ? '' : monthText(day));
    const window =
      mes === null
        ? `la media de ${monthsText(meses_historico ?? 0)}, de ${month(desde)} a ${month(hasta)}`
        : month(mes);
    const byMonth = ponderado ? ' La energía de un mes del perfil lleva los de ese mes.' : '';
    return [`${offer_name} es indexada, el precio cambia cada mes; estos precios son los de ${window}.${byMonth}`];
  });
}

/** Whose hours an offer was priced by. */
function hoursText({ offer_id, offer_name, indice, indice_excedentes }: Row, { avisos }: Answer): readonly string[] {
  const rest = isPartlyByMeans(avisos, offer_id) ? ' donde los hay, y el resto a precios medios' : '';
  const what = indice ? 'precios' : 'excedentes';
  const names = [...new Set([indice, indice_excedentes].filter((name) => name !== undefined))];
  return names.length === 0
    ? []
    : [`${offer_name}: ${what} por horas de ${names.join(' y ')}, con la curva del cliente${rest}.`];
}

/** The rates of the bills, with their laws, and those that were sent in place of those of the law. */
function ratesText(answer: Answer, proposed: readonly Row[], { territory, impuestos }: Request): string {
  const tax = indirectTaxName(territory).es;
  const sent = impuestos?.tipos ?? {};
  const sentNames: Readonly<Record<string, readonly [name: string, unit: string]>> = {
    iee: [RATE_NAMES.impuesto_electrico.es, '%'],
    indirecto: [tax, '%'],
    indirecto_servicios: [`${tax} (servicios)`, '%'],
    hidrocarburos: [RATE_NAMES.hidrocarburos.es, '€/kWh'],
    bono_social: [RATE_NAMES.financiacion_bono.es, '€/año'],
  };
  const borne = ratesBorne(
    answer.impuestos?.tipos ?? [],
    proposed.map(({ tariff_type }) => tariff_type),
  );
  const ofLaw = borne.map(({ concepto, aplica, valor, unidad, desde, hasta, norma, seguro }) => {
    const kind = aplica === 'general' ? '' : ` (${RATE_KIND_NAMES[aplica].es})`;
    const days = hasta === null ? `desde el ${dayText(desde)}` : `del ${dayText(desde)} al ${dayText(hasta)}`;
    const rate = `${RATE_FORMAT.format(valor)} ${unitText(unidad)}`;
    return `${RATE_NAMES[concepto].es}${kind} ${rate}, ${days}, ${norma}${seguro ? '' : ' (por confirmar)'}`;
  });
  const ofQuestion = Object.entries(sentNames).flatMap(([field, [name, unit]]) => {
    const value = sent[field];
    return value === undefined ? [] : [`${name} ${RATE_FORMAT.format(value)} ${unit}, supuesto de este cálculo`];
  });
  return `Impuestos: ${[...ofLaw, ...ofQuestion].join('; ')}.`;
}
