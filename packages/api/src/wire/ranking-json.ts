import {
  type AppliedPrices,
  type Company,
  type ExcludedOffer,
  keyOf,
  type Offer,
  type PriceOrigin,
  type RankedOffer,
  type Ranking,
  type RankingAnswer,
  type Saving,
} from '@tarifario/core/service';
import { toWireConflict, toWirePresentCost, toWireWarning } from './advice.ts';
import { createFragments } from './fragments.ts';
import {
  addBytes,
  addText,
  beginText,
  dropLast,
  type JsonBytes,
  labelOf,
  NUMBER_BYTES,
  newJsonBytes,
  putLabel,
  putMillionths,
  roomFor,
  takeBytes,
  utf8,
} from './json-bytes.ts';
import { notaToMillionths, toMillionths, toWirePercent } from './numbers.ts';
import { companyOf, toWireExcluded, toWireOrigin, toWireRankedOffer, toWireScale, toWireWinners } from './ranking.ts';

/** Writes rankings as JSON in UTF-8: exactly the bytes of `JSON.stringify(toWireRanking(answer))`, but faster. */
export type RankingJson = (answer: RankingAnswer) => Uint8Array;

/** Memory for what is the same in every answer: with 700 bytes an offer, the offers of 90 000. */
export const DEFAULT_MAX_FRAGMENT_BYTES = 64 * 1024 * 1024;
/**
 * A writer of rankings. The constant part of an offer (its names and prices, and those of its history) is written once,
 * when it is first shown, and cached as long as the offer is: offers are immutable and are replaced by new ones. Those
 * not shown for longest are dropped first.
 *
 * @param maxBytes - The most that is kept; half of it can be lost at once when it is full.
 */
export function createRankingJson({ maxBytes = DEFAULT_MAX_FRAGMENT_BYTES } = {}): RankingJson {
  const json = newJsonBytes();
  const { offers, excluded, origins } = fragmentsOf(maxBytes);
  return ({ ranking, companies }) => {
    const { weight, period, rankedCount, excludedCount } = ranking;
    beginText(json);
    const head = { w: weight, dias: period.days, meses: period.months, total: rankedCount };
    addText(json, `${openJson(head)},"excluded_count":${excludedCount},"excluded":[`);
    for (const entry of ranking.excluded) addBytes(json, excluded(entry, companyOf(entry.offer, companies)));
    if (ranking.excluded.length > 0) dropLast(json);
    addText(
      json,
      `],"mas_barata_id":${ranking.cheapestId},"mas_comision_id":${ranking.bestPaidId}` +
        `,"mas_eficiente_id":${ranking.mostEfficientId},"escala":${JSON.stringify(toWireScale(ranking))}` +
        `,"umbrales":${JSON.stringify(toWireWinners(ranking))},"avisos":`,
    );
    addBytes(json, warningsJson(ranking.warnings));
    addText(
      json,
      `,"actual":${JSON.stringify(toWirePresentCost(ranking.presentCost))}` +
        `,"conflicto":${JSON.stringify(toWireConflict(ranking.conflict))},"results":[`,
    );
    for (const result of ranking.results) {
      const { offer, prices, origin } = result;
      const sees = result.commission !== null || offer.maskedUpdatedAt === undefined;
      addBytes(json, offers(offer, companyOf(offer, companies), sees));
      if (origin !== null) addBytes(json, origins(offer, prices, origin));
      addFigures(json, result);
    }
    if (ranking.results.length > 0) dropLast(json);
    addBytes(json, END);
    return takeBytes(json);
  };
}

/** Customers of one kind get the same list of warnings for a market. */
const WARNINGS = new WeakMap<Ranking['warnings'], Uint8Array>();

function warningsJson(warnings: Ranking['warnings']): Uint8Array {
  const known = WARNINGS.get(warnings);
  if (known !== undefined) return known;
  const made = utf8(JSON.stringify(warnings.map(toWireWarning)));
  WARNINGS.set(warnings, made);
  return made;
}

/** The JSON of a record without its end: more members follow. */
function openJson(record: object): string {
  return JSON.stringify(record).slice(0, -1);
}

const COST = labelOf(',"cost":{"energia":');
const NOT_INDEXED_COST = labelOf('null,"cost":{"energia":');
const POWER = labelOf(',"potencia":');
const FIXED = labelOf(',"fijo":');
const SURPLUS = labelOf(',"excedentes":');
const SERVICES = labelOf(',"servicios":');
const TOTAL = labelOf(',"total":');
const COMMISSION = labelOf('},"commission":{"energia":');
const SCORE = labelOf('},"nota":');
const NO_COMMISSION = labelOf('},"commission":null,"nota":');
const PRICE_SCORE = labelOf(',"nota_precio":');
const COMMISSION_SCORE = labelOf(',"nota_comision":');
const NO_COMMISSION_SCORE = labelOf(',"nota_comision":null');
const END = utf8(']}');
const NOTHING_MORE = labelOf('');

const EXTRA_COMMISSION = labelOf(',"comision_extra":');
const PER_MWH = labelOf(',"comision_eur_mwh":');
const NO_SAVING = labelOf(',"ahorro":null},');
const SAVING = labelOf(',"ahorro":{"eur":');
const PERCENT = labelOf(',"porcentaje":');
const END_OF_SAVING = labelOf('}},');
const NULL = labelOf('null');

/** Seventeen numbers, and less than 400 bytes of names. */
const FIGURES_BYTES = 17 * NUMBER_BYTES + 400;

/** The figures of one result, which differ between requests. */
function addFigures(json: JsonBytes, result: RankedOffer): void {
  const { cost, commission, commissionScore } = result;
  roomFor(json, FIGURES_BYTES);
  const { view } = json;
  let at = json.at;
  at = putLabel(result.origin === null ? NOT_INDEXED_COST : COST, view, at);
  at = putMillionths(toMillionths(cost.energyEur), view, at);
  at = putMillionths(toMillionths(cost.powerEur), view, putLabel(POWER, view, at));
  at = putMillionths(toMillionths(cost.fixedEur), view, putLabel(FIXED, view, at));
  at = putMillionths(toMillionths(cost.surplusEur), view, putLabel(SURPLUS, view, at));
  at = putMillionths(toMillionths(cost.servicesEur), view, putLabel(SERVICES, view, at));
  at = putMillionths(toMillionths(cost.totalEur), view, putLabel(TOTAL, view, at));
  if (commission === null) {
    at = putLabel(NO_COMMISSION, view, at);
  } else {
    at = putMillionths(toMillionths(commission.energyEur), view, putLabel(COMMISSION, view, at));
    at = putMillionths(toMillionths(commission.powerEur), view, putLabel(POWER, view, at));
    at = putMillionths(toMillionths(commission.totalEur), view, putLabel(TOTAL, view, at));
    at = putLabel(SCORE, view, at);
  }
  at = putMillionths(notaToMillionths(result.score), view, at);
  at = putMillionths(notaToMillionths(result.priceScore), view, putLabel(PRICE_SCORE, view, at));
  at =
    commissionScore === null
      ? putLabel(NO_COMMISSION_SCORE, view, at)
      : putMillionths(notaToMillionths(commissionScore), view, putLabel(COMMISSION_SCORE, view, at));
  const { isOptimal, isOnFrontier, extraCostEur, saving } = result;
  const last = LAST[isOptimal ? 1 : 0]?.[isOnFrontier === null ? 2 : Number(isOnFrontier)] ?? NOTHING_MORE;
  at = putLabel(last, view, at);
  if (extraCostEur !== null) {
    at = putMillionths(toMillionths(extraCostEur), view, at);
    at = putMillionths(toMillionths(result.extraCommissionEur ?? 0), view, putLabel(EXTRA_COMMISSION, view, at));
    at = putAmount(result.commissionEurPerMwh, view, putLabel(PER_MWH, view, at));
  }
  json.at = saving === null ? putLabel(NO_SAVING, view, at) : putSaving(saving, view, at);
}

/** Above this a percentage has more digits than millionths can express. */
const MOST_PERCENT = 1e8;

function putSaving({ eur, percent }: Saving, view: DataView, start: number): number {
  const at = putMillionths(toMillionths(eur), view, putLabel(SAVING, view, start));
  const share = percent === null ? null : toWirePercent(percent);
  const isShort = share === null || Math.abs(share) < MOST_PERCENT;
  const label = putLabel(PERCENT, view, at);
  const end = isShort ? putAmount(share, view, label) : putLabel(labelOf(JSON.stringify(share)), view, label);
  return putLabel(END_OF_SAVING, view, end);
}

function putAmount(eur: number | null, view: DataView, at: number): number {
  return eur === null ? putLabel(NULL, view, at) : putMillionths(toMillionths(eur), view, at);
}

/** By whether an offer is the best, then by whether it is on the frontier: no, yes, masked; up to the next figure. */
const LAST = ['false', 'true'].map((isOptimal) => {
  const masked = 'null,"coste_extra":null,"comision_extra":null,"comision_eur_mwh":null';
  const rest = ['false,"coste_extra":', 'true,"coste_extra":', masked];
  return rest.map((onFrontier) => labelOf(`,"is_optimal":${isOptimal},"en_frontera":${onFrontier}`));
});

function fragmentsOf(maxBytes: number) {
  const { byNumber, byObject } = createFragments(maxBytes);
  const stored = [byNumber(), byNumber()] as const;
  const others = [byObject<Offer>(), byObject<Offer>()] as const;
  const [excluded, otherOrigins] = [byObject<ExcludedOffer>(), byObject<AppliedPrices>()];
  const storedOrigins = { media: byNumber(), weighted: byNumber(), mes: byNumber() };
  return {
    /**
     * The constant part of a ranked offer.
     *
     * @param sees - `false`: to callers who may not see commissions, where it is not the same.
     */
    offers: (offer: Offer, company: Company, sees: boolean) => {
      const make = () => `{"offer":${JSON.stringify(toWireRankedOffer(offer, company, sees))},"indexada":`;
      const key = keyOf(offer);
      const side = sees ? 0 : 1;
      return key === null ? others[side](offer, [company], make) : stored[side](key, [company], make);
    },
    /** The same entry is in every answer to the same kind of request. */
    excluded: (entry: ExcludedOffer, company: Company) =>
      excluded(entry, [company], () => `${JSON.stringify(toWireExcluded(entry, company))},`),
    /** The number of a stored offer stands for its months too: with it, the month of the request determines the prices. */
    origins: (offer: Offer, prices: AppliedPrices, origin: PriceOrigin) => {
      const make = () => JSON.stringify(toWireOrigin(origin, prices));
      const key = keyOf(offer);
      if (key === null) return otherOrigins(prices, [origin], make);
      if (origin.mode === 'mes') return storedOrigins.mes(key, [origin.month], make);
      return storedOrigins[origin.isWeighted ? 'weighted' : 'media'](key, [null], make);
    },
  };
}
