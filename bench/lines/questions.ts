import {
  askReasons,
  compileUniverse,
  defineCustomer,
  patchUniverse,
  type RankingRequest,
  rankUniverses,
} from '@tarifario/core/service';
import { line, type Row } from '../line.ts';
import { chances, customers, market, questionFor, withBills } from '../market.ts';
import { sideBySide } from '../measure.ts';

type Universe = ReturnType<typeof compileUniverse>;

const QUESTIONS = 16;
const SIZES = [300, 5_000] as const;
/** The days of the months of a year. */
const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** What a question of a kind, and a question after an edit, may cost of a plain one. */
const MOST = 3;
const MOST_WITH_BILLS = 4;
const MOST_WHERE_ALL_DIFFER = 1.5;
/** What hours may cost of months. */
const MOST_BY_HOURS = 1.1;
/** Customers of a market where all differ: more than a table remembers tiers for. */
const CUSTOMERS = 1_000;
/** Accounts that are asked at random, and what that may cost of one that is asked all the time. */
const ACCOUNTS = 300;
const MOST_OF_MANY = 1.8;
const MOST_AFTER_EDIT: Readonly<Record<(typeof SIZES)[number], number>> = { 300: 3, 5000: 4 };

/** The same year by its months. */
function byMonth(request: RankingRequest): RankingRequest {
  const { customer } = request;
  if (customer.supplyType !== 'LUZ') throw new RangeError('the market is of electricity');
  const { consumptionKwh, exportedKwh, powerKw } = customer;
  const profile = MONTHS.map((days, index) => ({
    month: index + 1,
    days,
    consumptionKwh: consumptionKwh.map((kwh) => (kwh * days) / 365),
    exportedKwh: (exportedKwh * days) / 365,
  }));
  return { ...request, customer: defineCustomer({ supplyType: 'LUZ', powerKw, profile }) };
}

/** The same with what its hours cost beside an index. */
function byHours(request: RankingRequest): RankingRequest {
  const { customer } = byMonth(request);
  if (customer.supplyType !== 'LUZ' || !customer.profile) throw new RangeError('a year by months has a profile');
  const said = { differences: [0.012, 0.006, -0.004, 0.01, 0.02, -0.03], surplus: 0.04 };
  const profile = customer.profile.map((entry) => ({ ...entry, year: 2025, indices: { PVPC: said } }));
  return { ...request, customer: defineCustomer({ supplyType: 'LUZ', powerKw: customer.powerKw, profile }) };
}

/** Indexed offers follow the hours of an index, and so does the surplus of each. */
function followingHours(entries: ReturnType<typeof market>): ReturnType<typeof market> {
  return entries.map(({ offer, months }) => {
    if (offer.supplyType !== 'LUZ') return { offer, months };
    const index = offer.isIndexed ? 'PVPC' : null;
    return { offer: { ...offer, index, hasSolarPanels: true, surplusIndex: 'PVPC' }, months };
  });
}

const asking = (reasons: Parameters<typeof askReasons>[0]) => (request: RankingRequest) => ({
  ...request,
  reasons: askReasons(reasons),
});

/** A plain question as one of each other kind. */
const KINDS: Readonly<Record<string, (request: RankingRequest) => RankingRequest>> = {
  'with perfil': byMonth,
  'with mes': (request) => ({ ...request, month: '2026-01-01' }),
  'with fecha_firma': (request) => ({ ...request, signingDay: '2026-05-05' }),
  'with ssaa_eur_mwh': (request) => ({ ...request, ssaaEurPerMwh: 12 }),
  'with a search': (request) => ({ ...request, search: { words: ['1'], companyNameOf: () => '' } }),
  'with explicar': asking({ why: { againstId: null } }),
  'with thresholds of consumption': asking({ thresholds: true }),
  'with retrospectiva': asking({ retrospective: true }),
  'with margins': asking({ margin: true }),
  'with impuestos': withBills,
};

function rankIn(universe: Universe | undefined, questions: readonly RankingRequest[], turn: number) {
  const request = questions[turn % questions.length];
  if (!request || !universe) throw new RangeError('there is a question, and an account');
  return rankUniverses([{ universe, admits: () => true }], request);
}

/** A market of its own for each account, without the service. */
async function accountsRow(): Promise<Row> {
  const plain = customers(QUESTIONS).map((customer) => questionFor(customer));
  const chance = chances(3);
  const universes = Array.from({ length: ACCOUNTS }, (_, index) =>
    compileUniverse('LUZ', market('LUZ', 300, index + 1)),
  );
  const of = (index: number, turn: number) => rankIn(universes[index], plain, turn);
  const micros = await sideBySide({
    random: (turn: number) => of(Math.floor(chance() * ACCOUNTS), turn),
    one: (turn: number) => of(0, turn),
  });
  return {
    ...{
      what: `300 offers of ${ACCOUNTS} accounts, random`,
      oursMicros: micros.random,
      peer: 'one account all the time',
    },
    ...{ peerMicros: micros.one, ratio: 'ours/theirs', goal: { atMost: MOST_OF_MANY } },
  };
}

async function rowsOf(offerCount: (typeof SIZES)[number]): Promise<readonly Row[]> {
  const entries = market('LUZ', offerCount);
  const universe = compileUniverse('LUZ', entries);
  const plain = customers(QUESTIONS).map((customer) => questionFor(customer));
  const afterEdit = (turn: number) =>
    rankIn(patchUniverse(universe, entries.slice(turn % offerCount, (turn % offerCount) + 1)), plain, turn);
  // Each offer has limits of consumption of its own, and mostly the next customer has other tiers.
  const limited = compileUniverse(
    'LUZ',
    entries.map(({ offer, months }, index) => {
      return { offer: { ...offer, minAnnualKwh: (index * 37) % 3_000, maxAnnualKwh: 250_000 + index }, months };
    }),
  );
  const different = customers(CUSTOMERS, 3).map((customer) => questionFor(customer));
  const whereAllDiffer = (turn: number) => rankIn(limited, different, turn);
  const kinds = Object.entries(KINDS).map(([name, kind]) => {
    const questions = plain.map(kind);
    return [name, (turn: number) => rankIn(universe, questions, turn)] as const;
  });
  const warm = (turn: number) => rankIn(universe, plain, turn);
  const hourly = compileUniverse('LUZ', followingHours(entries));
  const [months, hours] = [plain.map(byMonth), plain.map(byHours)];
  const ofHours = await sideBySide(
    { hours: (turn: number) => rankIn(hourly, hours, turn), months: (turn: number) => rankIn(hourly, months, turn) },
    { rounds: 11, turnMs: 50 },
  );
  const runs = { plain: warm, afterEdit, whereAllDiffer, ...Object.fromEntries(kinds) };
  const micros: Readonly<Record<string, number>> = await sideBySide(runs, { rounds: 11, turnMs: 50 });
  const size = `${offerCount.toLocaleString('en')} offers`;
  const row = (name: string, what: string, atMost: number): Row => ({
    ...{ what: `${size}, ${what}`, oursMicros: micros[name] ?? 0, peer: 'a plain question' },
    ...{ peerMicros: micros.plain ?? 0, ratio: 'ours/theirs', goal: { atMost } },
  });
  return [
    ...kinds.map(([name]) => row(name, name, name === 'with impuestos' ? MOST_WITH_BILLS : MOST)),
    {
      ...{ what: `${size}, with hours`, oursMicros: ofHours.hours, peer: 'with months' },
      ...{ peerMicros: ofHours.months, ratio: 'ours/theirs', goal: { atMost: MOST_BY_HOURS } },
    },
    row('afterEdit', 'after an offer was edited', MOST_AFTER_EDIT[offerCount]),
    row('whereAllDiffer', 'where customers and limits of offers all differ', MOST_WHERE_ALL_DIFFER),
  ];
}

/**
 * A warm ranking of each kind against a plain one of the same customers, and one after an edit of an offer against a warm one:
 * what people ask must not cost many times what is asked for nothing.
 */
export const questionsLine = line({
  name: 'Kinds of questions',
  run: async () => {
    const rows: Row[] = [];
    for (const offerCount of SIZES) rows.push(...(await rowsOf(offerCount)));
    return [...rows, await accountsRow()];
  },
});
