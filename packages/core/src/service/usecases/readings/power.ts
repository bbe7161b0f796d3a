import type { Day } from '../../../engine/calendar.ts';
import { DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import type { Community, Territory } from '../../../engine/offers/offer.ts';
import { NO_PRICES, type PerPeriod, perPeriod } from '../../../engine/periods.ts';
import { createDemandReader } from '../../../engine/power/demand.ts';
import { optimizePower, type PowerAdvice } from '../../../engine/power/optimize-power.ts';
import type { PowerQuestion } from '../../../engine/power/power-question.ts';
import {
  POWER_TARIFFS,
  type PowerTariff,
  powerPeriodsOf,
  type RegulatedPrice,
  regulatedPricesOn,
} from '../../../engine/power/regulated-prices.ts';
import type { Caller } from '../../access/caller.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, readFor, visibleOffers } from '../requests/record-access.ts';
import { readParts } from '../uploads/unreadable-files.ts';

/** A question about power of a caller. */
export interface PowerInput extends FirmChoice {
  readonly question: Omit<PowerQuestion, 'tariff' | 'territory' | 'community' | 'measured' | 'entries'>;
  readonly tariffType: string;
  readonly territory: Territory;
  readonly community: Community | null;
  /** The entries with maxima, or the CSV of a curve. */
  readonly readings: PowerQuestion['entries'] | Uint8Array;
  /** The offer whose prices of power are taken; `null`: none. */
  readonly offerId: number | null;
}

/**
 * The right contracted power, from maxima or a curve, by prices of the question.
 *
 * @throws DomainError `business_rule`; for a curve as `readCurve`.
 * @see docs/assumptions.md, A-110
 */
export async function answerPower(
  { workbooks, regulatedPrices }: Pick<Deps, 'regulatedPrices'> & { readonly workbooks: Pick<Workbooks, 'read'> },
  { question, tariffType, readings, territory, community }: Omit<PowerInput, 'firmId' | 'offerId'>,
): Promise<PowerAdvice> {
  const terms = { tariff: tariffNamed(tariffType), territory, community };
  const demand =
    readings instanceof Uint8Array
      ? await readParts(workbooks, createDemandReader(terms), { bytes: readings, form: 'curve' })
      : { measured: 'maxima' as const, entries: readings };
  return optimizePower({ ...question, ...demand, ...terms }, regulatedPrices);
}

/**
 * The same for a caller, perhaps by the prices of an offer. Nothing of the question is stored.
 *
 * @throws DomainError also `foreign_firm`, and `not_found` at the offer.
 */
export async function optimizePowerForCaller(
  deps: Deps,
  caller: Caller,
  { firmId, offerId, ...input }: PowerInput,
): Promise<PowerAdvice> {
  const offered = await readFor(deps, { caller, firmId }, async (reader, narrowed) =>
    offerId === null ? null : offerIn(reader, caller, { firmId: narrowed, id: offerId }),
  );
  if (offered === null) return answerPower(deps, input);
  const pricesEurPerKwDay = pricesFor(tariffNamed(input.tariffType), offered);
  return answerPower(deps, { ...input, question: { ...input.question, pricesEurPerKwDay } });
}

/** The regulated prices of a day. @throws DomainError `foreign_firm`, and `business_rule` where none is known. */
export async function listRegulatedPrices(
  deps: Deps,
  caller: Caller,
  { firmId, day, tariffType }: FirmChoice & { readonly day: Day; readonly tariffType: string | null },
): Promise<readonly RegulatedPrice[]> {
  await readFor(deps, { caller, firmId }, async () => null);
  const rows = regulatedPricesOn(day, tariffType === null ? null : tariffNamed(tariffType), deps.regulatedPrices);
  refuseIfAny(rows.length > 0 ? [] : [{ path: 'power.day', message: 'no regulated price is known on that day' }]);
  return rows;
}

function tariffNamed(name: string): PowerTariff {
  const tariff = POWER_TARIFFS.find((each) => each === name);
  if (tariff !== undefined) return tariff;
  const message = say('must be one of: {values}', { values: POWER_TARIFFS.join(', ') });
  throw new DomainError('business_rule', { issues: [{ path: 'tariffType', message }] });
}

interface Offered {
  readonly tariffType: string;
  readonly powerEurPerKwDay: PerPeriod<number | null>;
}

/** @throws DomainError `not_found`. @see docs/assumptions.md, A-24 */
async function offerIn(
  reader: Reader,
  caller: Caller,
  { id, firmId }: { readonly id: number; readonly firmId: number | null },
): Promise<Offered> {
  const wanted = { offerIds: [id], firmId, seesCommissions: false };
  const [record] = await visibleOffers(reader, caller, wanted).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    const issues = [{ path: 'power.offerId', message: 'no such offer' }] as const;
    throw new DomainError('not_found', { message: 'not found', issues });
  });
  const { offer } = record ?? {};
  return offer?.supplyType === 'LUZ' ? offer : { tariffType: '', powerEurPerKwDay: NO_PRICES };
}

/** @throws DomainError `business_rule` for an offer of another tariff, or without prices of power. */
function pricesFor(tariff: PowerTariff, { tariffType, powerEurPerKwDay }: Offered): PerPeriod<number | null> {
  const refusal = (message: Message) => [{ path: 'power.offerId', message }];
  refuseIfAny(tariffType === tariff ? [] : refusal(say('is no offer of {tariff}', { tariff })));
  const own = powerPeriodsOf(tariff);
  refuseIfAny(own.every((period) => powerEurPerKwDay[period] != null) ? [] : refusal('has no price in a power period'));
  return perPeriod((period) => (own.includes(period) ? (powerEurPerKwDay[period] ?? null) : null));
}
