import { extname } from 'node:path';
import { fromWireEfficient, invoiceReading, MAX_TOP, REASONS_ASKED, toWireRanking } from '@tarifario/api';
import type { RankingQuestion } from '@tarifario/client';
import { checkedInvoice, MAX_TOLERANCE, rankForCaller, weightFor } from '@tarifario/core/service';
import { type Arguments, type Output, type Run, UsageError, wholeNumberFrom } from './command.ts';
import { fromFile, readJson, shownName } from './input-files.ts';
import { offersOf } from './offers-asked.ts';
import { readOffers } from './offers-in-file.ts';
import type { PortfolioJob } from './portfolio/rank-portfolio.ts';
import { createServiceRanker, refuseIds, type Trade, taxedOn, tradedOn } from './portfolio/ranker.ts';
import { progressFor } from './progress.ts';
import { formatRanking } from './ranking-view.ts';
import { listed, serviceOf } from './service-asked.ts';

const DEFAULT_TOP = 3;
const MAX_THREADS = 64;
const MAX_BEST_SAVING = 10_000;

export const rank: Run = async (args) => {
  if (args.value('customers') !== null) return rankMany(args);
  const ask = await serviceOf(args);
  if (ask !== null) {
    const { body } = await bodyOf(args);
    return outputOf(listed(await ask((service) => service.rankOffers({ body })), 'results'));
  }
  const withOffers = await offersOf(args);
  const { from, body } = await bodyOf(args);
  const question = fromFile(from, () => fromWireEfficient(body));
  const tables = question.bill || question.request.signingDay ? await operatorTables() : {};
  return withOffers(async ({ deps, caller, hasIds }) => {
    if (!hasIds) fromFile(from, () => refuseIds(question));
    const answer = await rankForCaller({ ...deps, ...tables }, caller, question);
    return outputOf({ ...(question.asOf && { as_of: question.asOf }), ...toWireRanking(answer) });
  });
};

function outputOf(json: { readonly results: readonly unknown[] }): Output {
  const pretty = formatRanking(JSON.parse(JSON.stringify(json)));
  return { json, pretty: `${pretty.join('\n')}\n`, records: json.results };
}

/** Loaded only where there are bills. */
async function operatorTables() {
  return (await import('./taxes.ts')).operatorTables();
}

/** The question of a call as a body, and the file or the option that it comes from. */
interface Asked {
  readonly from: string;
  readonly body: RankingQuestion;
}

async function bodyOf(args: Arguments): Promise<Asked> {
  const ofAll = tradeOf(args);
  const [from, sent] = await sentIn(args);
  const asOf = args.value('as-of');
  const body = askedIn(args, asOf === null ? sent : { ...Object(sent), as_of: asOf });
  return { from, body: fromFile(from, () => tradedOn(ofAll, body)) as RankingQuestion };
}

/** What the customer asks, not yet checked. */
async function sentIn(args: Arguments): Promise<readonly [from: string, body: unknown]> {
  if (args.value('qr') !== null) return ['qr', bodyOfInvoice(args)];
  if (args.value('curve') !== null) return ['curve', await bodyOfCurve(args)];
  const from = args.required('customer');
  return [from, await readJson(from)];
}

/** What a reading says besides the question, on stderr: stdout has the ranking alone. */
function tell(notices: readonly { readonly codigo: string; readonly mensaje: string }[]): void {
  for (const { codigo, mensaje } of notices) process.stderr.write(`! ${codigo}: ${mensaje}\n`);
}

/** With the present contract, where the invoice has all of it. */
function bodyOfInvoice(args: Arguments): object {
  const { efficient, contrato_actual, avisos } = invoiceReading.toWire(checkedInvoice(args.required('qr'), {}));
  tell(avisos);
  return { ...efficient, ...(contrato_actual && { contrato_actual }) };
}

/** A curve does not have the contracted power. */
async function bodyOfCurve(args: Arguments): Promise<object> {
  const { curveReading, termsFrom } = await import('./readings.ts');
  const power = (args.value('power') ?? '').split(',').filter((text) => text !== '');
  const community = args.value('community');
  const terms = termsFrom(args.value('tariff') ?? '2.0TD', args.value('territory') ?? 'peninsula', community);
  // The indices of a server are there alone.
  const ask = args.value('indices') === null ? null : await serviceOf(args);
  const { tariff_type, zona, perfil, avisos } = await curveReading(args, args.required('curve'), terms, ask);
  tell(avisos);
  const potencia = Object.fromEntries(power.map((text, index) => [`p${index + 1}`, kilowattsFrom(text)]));
  const place = { territory: zona, ...(community && { community }) };
  return { supply_type: 'LUZ', tariff_type, ...place, perfil, potencia };
}

function kilowattsFrom(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new UsageError('--power must be kW by period, such as 4.6,4.6');
  return Number(text);
}

const REASONS = Object.keys(REASONS_ASKED).filter((name) => name !== 'frente_a');

/** The body of a question with what the options ask besides. */
function askedIn(args: Arguments, body: unknown): unknown {
  const names = args.value('also')?.split(',') ?? [];
  if (!names.every((name) => REASONS.includes(name))) throw new UsageError(`--also must be of ${REASONS.join(',')}`);
  const taxed = taxedOn(args.value('taxes'), body);
  return names.length === 0 ? taxed : { ...Object(taxed), ...Object.fromEntries(names.map((name) => [name, true])) };
}

/** Ranks a whole file of customers into another file. */
async function rankMany(args: Arguments): Promise<Output> {
  const asked = (await serviceOf(args)) ?? args.required('offers');
  const [customersFile, outFile] = [args.required('customers'), args.required('out')];
  const whole = (name: string, max: number) =>
    args.value(name) === null ? null : wholeNumberFrom(args.required(name), `--${name}`, { min: 1, max });
  const top = whole('top', MAX_TOP) ?? DEFAULT_TOP;
  const threads = whole('threads', MAX_THREADS);
  const bestSaving = whole('best-saving', MAX_BEST_SAVING);
  const ending = extname(outFile).toLowerCase();
  if (ending !== '.ndjson' && ending !== '.csv') throw new UsageError('--out must end in .ndjson or .csv');
  if (args.value('format') !== null && ending !== '.csv') throw new UsageError('--format is for CSV');
  const trade = tradeOf(args);
  const progress = progressFor(args);
  const taxDay = args.value('taxes');
  const ofAll = { ...trade, top, taxDay };
  let ranking: PortfolioJob['ranking'];
  // Known before any answer is: the head is written first.
  let hasDiscounts = true;
  if (typeof asked === 'function') ranking = createServiceRanker(asked, { ...ofAll, asOf: args.value('as-of') });
  else {
    progress.tell(0, `reading ${shownName(asked)}`);
    const offers = await readOffers(asked);
    // Checked for all customers before any is ranked.
    weightFor(trade, offers.seesCommissions);
    hasDiscounts = offers.offers.some(({ offer }) => offer.isActive && offer.discountMonths !== null);
    ranking = { offers, hasIds: offers.hasIds, ...ofAll, ...(await operatorTables()) };
  }
  const format = ending === '.ndjson' ? 'ndjson' : 'csv';
  const form = { format, isSpanish: args.value('format') === 'es', hasBills: taxDay !== null, hasDiscounts } as const;
  const { rankPortfolioFile } = await import('./portfolio/rank-portfolio.ts');
  const counts = await rankPortfolioFile({ customersFile, outFile, form, threads, bestSaving, ranking, progress });
  const { leftOut, ...printed } = counts;
  if (bestSaving !== null) process.stderr.write(`${leftOut} customers left out: an error, or no saving\n`);
  return { json: { ...printed, out: outFile } };
}

/** How cost and commission are weighed, for all customers. */
function tradeOf(args: Arguments): Trade {
  const [weight, tolerance] = [numberIn(args, 'w', 1), numberIn(args, 'tolerancia', MAX_TOLERANCE)];
  return { weight, tolerance };
}

function numberIn(args: Arguments, name: 'w' | 'tolerancia', max: number): number | null {
  if (args.value(name) === null) return null;
  const text = args.required(name);
  const value = /^\d{1,3}(\.\d{1,18})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= max)) throw new UsageError(`--${name} must be a number from 0 to ${max}`);
  return value;
}
