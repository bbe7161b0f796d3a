import {
  type AppliedPrices,
  COST_PARTS,
  type Company,
  type ExcludedOffer,
  type ExtraOfYear,
  type Offer,
  type PriceOrigin,
  type RankedOffer,
  type Ranking,
  type RankingAnswer,
  type Saving,
} from '@tarifario/core/service';
import { toWireConflict, toWirePresent, toWireWarnings } from './advice.ts';
import { sharedFragments } from './fragments.ts';
import {
  addBytes,
  addText,
  dropLast,
  type JsonBytes,
  type Label,
  labelOf,
  NUMBER_BYTES,
  newJsonBytes,
  putFigures,
  putLabel,
  roomFor,
  takeBytes,
  utf8,
} from './json-bytes.ts';
import { notaToMillionths, toMillionths, toWireEur, toWirePercent } from './numbers.ts';
import {
  companyOf,
  toWireExcluded,
  toWireHead,
  toWireOrigin,
  toWireRankedOffer,
  toWireRanking,
  toWireScale,
  toWireWinners,
} from './ranking.ts';

/** Writes rankings as JSON in UTF-8: exactly the bytes of `JSON.stringify(toWireRanking(answer))`, but faster. */
export type RankingJson = (answer: RankingAnswer) => Uint8Array;

/**
 * A writer of rankings. The constant part of an offer (its names and prices, and those of its history) is written once,
 * when it is first shown, and cached as long as the offer is: offers are immutable and are replaced by new ones. Those
 * not shown for longest are dropped first.
 */
export function createRankingJson(fragments = sharedFragments): RankingJson {
  const json = newJsonBytes();
  const { offers, excluded, origins } = fragmentsOf(fragments);
  return ({ ranking, companies }) => {
    // Bills, reasons, searches, balancing services and discounts are rare, and no faster writer is worth its code.
    if (ranking.billed || ranking.reasons || ranking.foundCount !== undefined || ranking.results.some(hasMore)) {
      return utf8(JSON.stringify(toWireRanking({ ranking, companies })));
    }
    json.at = 0;
    addText(json, `${openJson(toWireHead(ranking))},"excluded":[`);
    for (const entry of ranking.excluded) addBytes(json, excluded(entry, companyOf(entry.offer, companies)));
    if (ranking.excluded.length > 0) dropLast(json);
    addText(
      json,
      `],"mas_barata_id":${ranking.cheapestId},"mas_comision_id":${ranking.bestPaidId}` +
        `,"mas_eficiente_id":${ranking.mostEfficientId},"escala":${JSON.stringify(toWireScale(ranking))}` +
        `,"umbrales":${JSON.stringify(toWireWinners(ranking))},"avisos":`,
    );
    const { untilThreshold, rest } = warningsJson(ranking.warnings);
    addBytes(json, untilThreshold);
    if (rest) {
      const { ssaaThresholdEurPerMwh: eur = null } = ranking;
      addText(json, `,"umbral_eur_mwh":${eur === null ? null : JSON.stringify(toWireEur(eur))}`);
      addBytes(json, rest);
    }
    if (ranking.presentCost === null && !ranking.presentExclusion) addBytes(json, NO_ACTUAL);
    else addText(json, `,${JSON.stringify(toWirePresent(ranking)).slice(1, -1)}`);
    addConflict(json, ranking.conflict);
    for (const result of ranking.results) {
      const { offer, origin } = result;
      const seesCommissions = result.commission !== null || offer.maskedUpdatedAt === undefined;
      addBytes(json, offers(result, companyOf(offer, companies), seesCommissions));
      if (origin !== null) addBytes(json, origins(result, origin));
      addFigures(json, result);
      if (result.isImpossibleTariff) {
        json.at -= END_OF_RESULT.length;
        addBytes(json, MARKED);
      }
    }
    if (ranking.results.length > 0) dropLast(json);
    addBytes(json, END);
    return takeBytes(json);
  };
}

/** Whether a result has figures besides those of every result. */
function hasMore({ cost, discounted }: RankedOffer): boolean {
  return cost.ssaaEur !== undefined || discounted !== undefined;
}

/** Where some warning has the threshold, which is of the customer, the text before it and after it. */
interface WarningsJson {
  readonly untilThreshold: Uint8Array;
  readonly rest: Uint8Array | null;
}

/** Customers of one kind get the same list of warnings for a market. */
const WARNINGS = new WeakMap<Ranking['warnings'], WarningsJson>();

function warningsJson(warnings: Ranking['warnings']): WarningsJson {
  const known = WARNINGS.get(warnings);
  if (known !== undefined) return known;
  const text = JSON.stringify(toWireWarnings({ warnings }));
  const at = text.indexOf(NO_THRESHOLD);
  const made =
    at < 0
      ? { untilThreshold: utf8(text), rest: null }
      : { untilThreshold: utf8(text.slice(0, at)), rest: utf8(text.slice(at + NO_THRESHOLD.length)) };
  WARNINGS.set(warnings, made);
  return made;
}

const NO_THRESHOLD = ',"umbral_eur_mwh":null';
const NO_ACTUAL = utf8(',"actual":null');
const NO_CONFLICT = utf8(',"conflicto":null,"results":[');
const CONFLICT = [
  ',"conflicto":{"euros_cliente_por_euro_comision":',
  ',"mas_eficiente":{"offer_id":',
  ',"coste_extra_anual":',
  ',"comision_extra":',
  '},"mas_comision":{"offer_id":',
  ',"coste_extra_anual":',
  ',"comision_extra":',
].map(labelOf);
const END_OF_CONFLICT = labelOf('}},"results":[');
/** A million times a larger id may not be exact. */
const MAX_ID = 1e11;

/** The conflict, and the beginning of the results. */
function addConflict(json: JsonBytes, conflict: Ranking['conflict']): void {
  if (conflict === null) {
    addBytes(json, NO_CONFLICT);
  } else if (Math.max(conflict.mostEfficient.offerId, conflict.bestPaid.offerId) > MAX_ID) {
    addText(json, `,"conflicto":${JSON.stringify(toWireConflict(conflict))},"results":[`);
  } else {
    roomFor(json, FIGURES_BYTES);
    figures[0] = toMillionths(conflict.customerEurPerCommissionEur ?? Number.NaN);
    setExtra(1, conflict.mostEfficient);
    setExtra(4, conflict.bestPaid);
    json.at = putLabel(END_OF_CONFLICT, json.view, putFigures(CONFLICT, figures, json.view, json.at));
  }
}

function setExtra(at: number, { offerId, costEur, commissionEur }: ExtraOfYear): void {
  figures[at] = offerId * 1e6;
  figures[at + 1] = toMillionths(costEur);
  figures[at + 2] = toMillionths(commissionEur);
}

/** The JSON of a record without its closing brace, because more members follow. */
function openJson(record: object): string {
  return JSON.stringify(record).slice(0, -1);
}

const COST_NAMES = [...COST_PARTS.map(({ name }) => name), 'totalEur'] as const;
// Amounts that are read by a constant name are read as fast as members. All in a loop make the answer 15 % slower.
const [FIRST = 'totalEur', SECOND = FIRST, THIRD = FIRST, FOURTH = FIRST, FIFTH = FIRST, SIXTH = FIRST, ...OTHERS] =
  COST_NAMES;
const COST = [...COST_PARTS.map(({ wire }) => wire), 'total'].map(
  (wire, i) => `${i === 0 ? ',"cost":{' : ','}"${wire}":`,
);
const PAID = [
  '},"commission":{"energia":',
  ',"potencia":',
  ',"total":',
  '},"nota":',
  ',"nota_precio":',
  ',"nota_comision":',
];
const UNPAID = ['},"commission":null,"nota":', ',"nota_precio":'];
const NO_EXTRAS = ',"coste_extra":null,"comision_extra":null,"comision_eur_mwh":null';
const EITHER = [false, true];

/**
 * The text before each figure of a result, and after the last one, by its kind and by whether commissions are shown.
 */
const LABELS = EITHER.flatMap((isIndexed) =>
  EITHER.flatMap((isOptimal) =>
    [...EITHER, null].map((isOnFrontier) => {
      const cost = COST.map((label, i) => `${i > 0 || isIndexed ? '' : 'null'}${label}`);
      const flags = `,"is_optimal":${isOptimal},"en_frontera":${isOnFrontier}`;
      const extras = [`${flags},"coste_extra":`, ',"comision_extra":', ',"comision_eur_mwh":'];
      const figures = isOnFrontier === null ? [...cost, ...UNPAID] : [...cost, ...PAID, ...extras];
      const after = isOnFrontier === null ? `,"nota_comision":null${flags}${NO_EXTRAS}` : '';
      return {
        before: figures.map(labelOf),
        noSaving: labelOf(`${after},"ahorro":null},`),
        saving: [`${after},"ahorro":{"eur":`, ',"eur_anual":', ',"porcentaje":'].map(labelOf),
      };
    }),
  ),
);
const NO_LABELS = { before: [], noSaving: labelOf(''), saving: [] };
const END_OF_SAVING = labelOf('}},');
const END = utf8(']}');
const END_OF_RESULT = '},';
const MARKED = utf8(`,"peaje_imposible":true${END_OF_RESULT}`);

/** Those of the cost, and at most eleven others. */
const figures = new Float64Array(COST_NAMES.length + 11);
/** The numbers, and less than 40 bytes of names for each. */
const FIGURES_BYTES = figures.length * (NUMBER_BYTES + 40);

/** The figures of one result, which differ between requests. */
function addFigures(json: JsonBytes, result: RankedOffer): void {
  const { cost, commission, isOnFrontier, saving } = result;
  roomFor(json, FIGURES_BYTES);
  const { view } = json;
  const kind =
    (result.origin ? 6 : 0) + (result.isOptimal ? 3 : 0) + (isOnFrontier === null ? 2 : Number(isOnFrontier));
  const labels = LABELS[kind] ?? NO_LABELS;
  figures[0] = toMillionths(cost[FIRST]);
  figures[1] = toMillionths(cost[SECOND]);
  figures[2] = toMillionths(cost[THIRD]);
  figures[3] = toMillionths(cost[FOURTH]);
  figures[4] = toMillionths(cost[FIFTH]);
  figures[5] = toMillionths(cost[SIXTH]);
  let count = 6;
  for (const name of OTHERS) figures[count++] = toMillionths(cost[name]);
  if (commission) {
    figures[count++] = toMillionths(commission.energyEur);
    figures[count++] = toMillionths(commission.powerEur);
    figures[count++] = toMillionths(commission.totalEur);
  }
  figures[count++] = notaToMillionths(result.score);
  figures[count++] = notaToMillionths(result.priceScore);
  if (commission) {
    figures[count++] = notaToMillionths(result.commissionScore ?? Number.NaN);
    figures[count++] = toMillionths(result.extraCostEur ?? Number.NaN);
    figures[count++] = toMillionths(result.extraCommissionEur ?? Number.NaN);
    // A value that is not a number is written as null.
    figures[count] = toMillionths(result.commissionEurPerMwh ?? Number.NaN);
  }
  const at = putFigures(labels.before, figures, view, json.at);
  json.at = saving === null ? putLabel(labels.noSaving, view, at) : putSaving(saving, labels.saving, view, at);
}

/** From here on a percentage has more digits than millionths can represent. */
const MAX_PERCENT = 1e8;

function putSaving(
  { eur, eurPerYear, percent }: Saving,
  labels: readonly Label[],
  view: DataView,
  start: number,
): number {
  const share = toWirePercent(percent ?? Number.NaN);
  figures[0] = toMillionths(eur);
  figures[1] = toMillionths(eurPerYear);
  figures[2] = toMillionths(share);
  if (!(Math.abs(share) >= MAX_PERCENT)) return putLabel(END_OF_SAVING, view, putFigures(labels, figures, view, start));
  const at = putFigures(labels.slice(0, 2), figures, view, start);
  return putLabel(labelOf(`,"porcentaje":${JSON.stringify(share)}}},`), view, at);
}

function fragmentsOf({ byNumber, byObject }: typeof sharedFragments) {
  const stored = [byNumber(), byNumber()] as const;
  const others = [byObject<Offer>(), byObject<Offer>()] as const;
  const [excluded, otherOrigins] = [byObject<ExcludedOffer>(), byObject<AppliedPrices>()];
  const storedOrigins = { media: byNumber(), weighted: byNumber(), mes: byNumber() };
  return {
    /**
     * The constant part of a ranked offer.
     *
     * @param seesCommissions - `false`: for callers who may not see commissions, for whom it differs.
     */
    offers: ({ key, offer }: RankedOffer, company: Company, seesCommissions: boolean) => {
      const make = () => `{"offer":${JSON.stringify(toWireRankedOffer(offer, company, seesCommissions))},"indexada":`;
      const side = seesCommissions ? 0 : 1;
      return key === null ? others[side](offer, [company], make) : stored[side](key, [company], make);
    },
    /** The same entry is in every answer to the same kind of request. */
    excluded: (entry: ExcludedOffer, company: Company) =>
      excluded(entry, [company], () => `${JSON.stringify(toWireExcluded(entry, company))},`),
    /** The number of a stored offer stands for its months too: with it, the month of the request determines the prices. */
    origins: ({ key, prices }: RankedOffer, origin: PriceOrigin) => {
      const make = () => JSON.stringify(toWireOrigin(origin, prices));
      if (key === null) return otherOrigins(prices, [origin], make);
      if (origin.mode === 'mes') return storedOrigins.mes(key, [origin.month], make);
      return storedOrigins[origin.isWeighted ? 'weighted' : 'media'](key, [null], make);
    },
  };
}
