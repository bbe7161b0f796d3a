import type { Proposal } from '@tarifario/client';
import { TARIFFS } from '@tarifario/core';
import type { RequestedPreference } from '../ranking/preference.ts';
import type { Language } from '../texts/common.ts';
import { RANKING } from '../texts/ranking.ts';
import { dayOf, today } from './day.ts';
import { type Draft, EMPTY_DRAFT, fieldAt, questionOf, RENTALS, type Supply, TAX_TICKS, ticking } from './draft.ts';
import { typedAll } from './numbers.ts';

/** A question that is opened again as a study. */
export interface Reopened {
  readonly typed: Draft;
  /** What the office calls the customer by. */
  readonly ref: string;
  readonly comment: string;
  readonly preference: RequestedPreference;
  readonly offerIds: readonly number[];
  /** The proposal that it is the question of; `null`: of none. */
  readonly proposalId: number | null;
  /** The offers of the proposal as they were then. */
  readonly proposed?: Proposal['pagina'];
  /** The members of the question that the form has no field for. */
  readonly missing: readonly string[];
}

type Wire = Readonly<Record<string, unknown>>;
const wireIn = (value: unknown): Wire => (typeof value === 'object' && value !== null ? (value as Wire) : {});

/** A question of the service as it would have been typed. */
export function reopened(
  request: Wire,
  language: Language,
  {
    ref = '',
    comment = '',
    offerIds = [],
    proposalId = null,
  }: Partial<Pick<Reopened, 'ref' | 'comment' | 'offerIds' | 'proposalId'>> = {},
): Reopened {
  const typed = { ...draftOf(request, language), remark: remarkIn(comment) };
  const read = questionOf(typed, language);
  const asked = membersOf('question' in read ? read.question : {});
  const missing = [...membersOf(request)].filter(([path, value]) => !NO_FIELDS.test(path) && asked.get(path) !== value);
  return {
    ...{ typed, ref, comment, offerIds, proposalId, preference: preferenceIn(request) },
    missing: missing.map(([path]) => path),
  };
}

/** The question of a proposal today: bills of the day on which it was made are those of today, whose rates may be others. */
export function askedToday(proposal: Proposal, language: Language): Reopened {
  const { id, request, ref, nota, offer_ids, created_at, pagina } = proposal;
  const { tipos: _rates, ...taxes } = wireIn(request.impuestos);
  const isOfItsDay = taxes.fecha === dayOf(new Date(created_at)) && taxes.fecha !== today();
  const question = isOfItsDay ? { ...request, impuestos: { ...taxes, fecha: today() } } : request;
  const proposed = pagina.filter(({ offer_id }) => offer_ids.includes(offer_id));
  const noted = { ref: ref ?? '', comment: nota ?? '', offerIds: offer_ids, proposalId: id };
  return { ...reopened(question, language, noted), proposed };
}

const REMARKS = RANKING.powerComment.map(
  (text) => new RegExp(text.replaceAll(/[().]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^()]*')),
);

/** What the page has said of a power in a comment. */
const remarkIn = (comment: string): string => REMARKS.flatMap((remark) => remark.exec(comment) ?? [])[0] ?? '';

/** Not about the customer, or what is meant where it is left out. */
const NO_FIELDS = /^(limit|offset|w|tolerancia|client_id|ref)$/;

/** The members of a question with a value, by their paths. */
function membersOf(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[path, value]]);
  const parts = Object.entries(value).map(([name, part]) => membersOf(part, path === '' ? name : `${path}.${name}`));
  return new Map(parts.flatMap((part) => [...part]));
}

function preferenceIn({ w, tolerancia }: Wire): RequestedPreference {
  if (typeof tolerancia === 'number') return { tolerance: tolerancia };
  return typeof w === 'number' ? { weight: w } : null;
}

function draftOf(request: Wire, language: Language): Draft {
  const supply: Supply = request.supply_type === 'GAS' ? 'GAS' : 'LUZ';
  const [first] = TARIFFS[supply];
  const { potencia, perfil, energia_verde } = request;
  const present = wireIn(request.contrato_actual);
  const taxes = wireIn(request.impuestos);
  const typed = [...membersOf(request)].map(([path, value]) => [fieldAt(path) ?? '', value]);
  const { '': _others, ...values } = typedAll(Object.fromEntries(typed), '', language);
  const draft: Draft = {
    ...EMPTY_DRAFT,
    supply,
    tariff: textOr(request.tariff_type, first),
    territory: textOr(request.territory, EMPTY_DRAFT.territory) as Draft['territory'],
    community: textOr(request.community, null) as Draft['community'],
    holder: textOr(request.client_type, EMPTY_DRAFT.holder) as Draft['holder'],
    panels: panelsIn(request.placas_solares),
    green: energia_verde === true ? 'yes' : energia_verde === false ? 'no' : EMPTY_DRAFT.green,
    present: presentIn(present),
    isBilled: request.impuestos !== undefined && request.impuestos !== null,
    taxDay: taxes.fecha === today() ? null : textOr(taxes.fecha, null),
    rental: rentalIn(taxes.alquiler, supply),
    use: textOr(taxes.uso, EMPTY_DRAFT.use) as Draft['use'],
    isWithoutPower: supply === 'LUZ' && !Object.values(wireIn(potencia)).some((kw) => Number(kw) > 0),
    values,
    months: Array.isArray(perfil) && supply === 'LUZ' ? perfil : null,
  };
  const ticked = TAX_TICKS.filter(({ name, sends }) => taxes[name] === sends);
  const ticks = ticked.map(({ name }) => ticking(EMPTY_DRAFT, name, true).values);
  return { ...draft, values: Object.assign(values, ...ticks) };
}

const textOr = <T>(value: unknown, other: T): string | T => (typeof value === 'string' ? value : other);

function panelsIn(panels: unknown): Draft['panels'] {
  return panels === true ? 'onlyPanels' : panels === false ? 'withoutPanels' : EMPTY_DRAFT.panels;
}

function presentIn(contract: Wire): Draft['present'] {
  if (typeof contract.offer_id === 'number') return 'presentOffer';
  if (typeof contract.factura_total === 'number') return 'presentBill';
  if (typeof contract.coste_total === 'number') return 'presentTotal';
  return Object.values(contract).some((value) => typeof value === 'number') ? 'presentPrices' : 'presentNone';
}

function rentalIn(rental: unknown, supply: Supply): Draft['rental'] {
  if (typeof rental === 'number') return 'rentalEur';
  return RENTALS[supply].find((name) => name === rental) ?? 'noRental';
}
