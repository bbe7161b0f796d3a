import {
  cleanNote,
  contentOf,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  type JsonDifference,
  MAX_NOTE_LENGTH,
  MAX_PAGE_ROWS,
  MAX_REF_LENGTH,
  type Offer,
  type PageRow,
  PROPOSAL_STATES,
  type Proposal,
  type ProposalForms,
  type ProposalHead,
  type ProposalSummary,
  type ProposedRanking,
  type RankingAnswer,
  type Verification,
} from '@tarifario/core/service';
import { z } from 'zod';
import { idsField } from '../../fields.ts';
import { readJson } from '../../read-input.ts';
import { answer, clientId, id, instant } from '../../wire/answer.ts';
import { toWireMark, toWireSaving } from '../ranking/advice.ts';
import { toWireCost } from '../ranking/cost.ts';
import { proposalRequest, toQuestion } from '../ranking/question.ts';
import { companyOf, toWireDiscounted, toWireRanking } from '../ranking/ranking.ts';
import { pageRowShape, rankingShape } from '../ranking/shape.ts';
import { ratesIn, toWireLines, toWireRates } from '../taxes.ts';

const MAX_CHOSEN = 10;
const PROPOSED = 'The offers that are proposed, each among the results.';

/** The body of `POST /v1/proposals`. */
export const proposalBody = z
  .strictObject({
    request: proposalRequest,
    offer_ids: idsField(1, MAX_CHOSEN).describe(PROPOSED),
    nota: z
      .string()
      .max(MAX_NOTE_LENGTH)
      .overwrite(cleanNote)
      .describe('A note of up to 2 000 characters, which must not identify the customer.')
      .optional(),
    ref: z
      .string()
      .max(MAX_REF_LENGTH)
      .overwrite(cleanNote)
      .describe('What the office calls the customer by, up to 80 characters in one line, which must not be a CUPS.')
      .optional(),
  })
  .meta({ id: 'NewProposal' });

export const stateField = z
  .enum(PROPOSAL_STATES)
  .describe('How far a proposal has come: a draft (`borrador`), sent, accepted or refused.');

const storedNotices = z.object({
  avisos: z
    .array(z.object({ codigo: z.string(), mensaje: z.string() }))
    .default([])
    .catch([]),
});

/** How questions are read and rankings written, the same as when the proposal was made. */
export const PROPOSAL_FORMS: ProposalForms = {
  toQuestion: (request) => {
    const body = readJson(proposalRequest, request);
    return toQuestion(body, body.client_id ?? null);
  },
  // Prices that are settled later than the proposal give it no notice.
  tablesIn: (answer, question) => ({
    rates: ratesIn(answer, question),
    ...(storedNotices.parse(answer).avisos.some(({ codigo }) => codigo === 'potencia_bajo_regulado')
      ? {}
      : { regulatedPrices: [] }),
  }),
  toAnswer: (ranked, kept) => {
    const has = (member: string) => kept === undefined || JSON.stringify(kept).includes(`"${member}":`);
    const [hasSurplus, hasMarks, saysSsaa] = [has(SURPLUS), has('peaje_imposible'), has('ssaa_incluidos')];
    const { avisos, ...answer } = toStored(ranked, hasMarks);
    const rows = ranked.rows.map((row) => ({
      ...toWireRow(row, ranked),
      ...(hasSurplus && toWireSurplus(row, isPartlyByMeans(avisos, row.offer.id))),
      ...(hasMarks && toWireMark(row)),
      ...(saysSsaa && row.offer.supplyType === 'LUZ' && row.offer.ssaaIncluded && { ssaa_incluidos: true as const }),
    }));
    return { answer: { ...answer, avisos: kept ? noticesAsKept(avisos, kept) : avisos }, pagina: rows };
  },
};

/** As in proposals of earlier releases, which have to verify. */
function toStored(ranked: RankingAnswer, hasMarks: boolean) {
  const { ranking } = ranked;
  const { results, impuestos, ...answer } = toWireRanking(ranked);
  return {
    ...answer,
    ...(impuestos && ranking.billed && { impuestos: { ...impuestos, tipos: toWireRates(ranking.billed) } }),
    results: results.map(({ offer: { placas_solares: _panels, ...offer }, peaje_imposible, ...result }) => ({
      ...{ offer, ...result },
      ...(hasMarks && peaje_imposible && { peaje_imposible }),
    })),
  };
}

type Notice = ReturnType<typeof toWireRanking>['avisos'][number];

/** What was added to the notices about a question, which proposals of earlier releases do not have. */
const ADDED_NOTICES: ReadonlySet<string> = new Set<Notice['codigo']>([
  ...(['sin_potencia', 'consumo_en_un_periodo', 'potencia_en_un_periodo'] as const),
  ...(['consumo_improbable', 'placas_sin_excedentes'] as const),
]);

/** Notices in the words and the order of those that are kept: what they say is compared, not how a release says it. */
function noticesAsKept(avisos: readonly Notice[], { answer }: { readonly answer: unknown }): readonly Notice[] {
  const kept = new Map(
    storedNotices.parse(answer).avisos.map(({ codigo, mensaje }, place) => [codigo, { mensaje, place }]),
  );
  const placeOf = ({ codigo }: Notice) => kept.get(codigo)?.place ?? kept.size;
  return avisos
    .filter(({ codigo }) => kept.has(codigo) || !ADDED_NOTICES.has(codigo))
    .map((notice) => ({ ...notice, mensaje: kept.get(notice.codigo)?.mensaje ?? notice.mensaje }))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

/** A row of the page without commissions. */
function toWireRow(row: PageRow, { companies }: ProposedRanking) {
  const { place, offer, cost, saving, billed } = row;
  return {
    puesto: place,
    offer_id: offer.id,
    offer_name: offer.offerName,
    company_name: companyOf(offer, companies).name,
    tariff_type: offer.tariffType,
    cost: toWireCost(cost),
    ...toWireDiscounted(row),
    ...(billed && { factura_estimada: toWireLines(billed.bill) }),
    ahorro: toWireSaving(saving, billed),
    ...toWireIndices(row),
    ...toWireTerms(offer),
  };
}

const SURPLUS = 'precio_excedentes';

/** Whether some entries of an offer lack hours. Where the list of the notice is cut, it may. */
export function isPartlyByMeans(
  avisos: readonly { readonly codigo: string; readonly total: number; readonly offer_ids: readonly number[] }[],
  id: number,
): boolean {
  const lacking = avisos.find(({ codigo }) => codigo === 'indexada_sin_curva');
  return lacking !== undefined && (lacking.offer_ids.includes(id) || lacking.total > lacking.offer_ids.length);
}

/** What the surplus of the customer is worth; no member where it is worth nothing, or all of it is paid by its hours. */
function toWireSurplus({ offer, cost, byHours }: PageRow, isPartly: boolean) {
  if (cost.surplusEur === 0 || (byHours?.surplusCount && !isPartly)) return null;
  return offer.supplyType === 'LUZ' && { [SURPLUS]: offer.surplusEurPerKwh };
}

/** Whose hours an offer was priced by. */
function toWireIndices({ offer, byHours }: PageRow) {
  if (offer.supplyType !== 'LUZ' || !byHours) return null;
  return {
    ...(byHours.energyCount > 0 && offer.index !== null && { indice: offer.index }),
    ...(byHours.surplusCount > 0 && offer.surplusIndex !== null && { indice_excedentes: offer.surplusIndex }),
  };
}

/** What is known of the contract of an offer, by names of the wire; no member where nothing is. */
function toWireTerms(offer: Offer) {
  const known = fieldsOfSupply(offer.supplyType, fieldsOf('contract'))
    .flatMap(fieldPartsOf)
    .map(({ field, wire }) => [wire, Reflect.get(offer, field.name)] as const)
    .filter(([, value]) => value !== null);
  return known.length > 0 && { condiciones: Object.fromEntries(known) };
}

const hash = z.string().length(64);
const summary = z
  .strictObject({
    ofertas: z.int().min(1).describe('How many offers are proposed.'),
    offer_id: id.describe('The proposed offer with which least is paid, of those that can be compared.'),
    offer_name: z.string(),
    company_name: z.string(),
    ahorro_anual: z
      .number()
      .nullable()
      .describe('What it saves in 365 days, EUR; null: the present contract is not known, or a discount ends sooner.'),
    ahorro_pct: z.number().nullable().describe('The same in percent of what is paid today.'),
    con_impuestos: z.boolean().describe('Whether the saving is of bills.'),
  })
  .meta({ id: 'ProposalSummary' });
const HEAD = {
  id,
  created_at: instant,
  client_id: clientId,
  nota: z.string().nullable().describe('The note; null: none.'),
  ref: z.string().nullable().describe('What the office calls the customer by; null: nothing.'),
  estado: stateField,
  resumen: summary
    .nullable()
    .describe('What is proposed, without commissions; null: the proposal was made by an earlier release.'),
  sha256: hash,
  url: z.string().describe('The path of the proposal.'),
};

export const proposalHead = answer('ProposalEntry', HEAD, (head: ProposalHead) => ({
  id: head.id,
  created_at: head.createdAt,
  client_id: head.firmId,
  nota: head.note,
  ref: head.ref,
  estado: head.state,
  resumen: head.summary && toWireSummary(head.summary),
  sha256: head.sha256,
  url: `/v1/proposals/${head.id}`,
}));

const toWireSummary = (summary: ProposalSummary) => ({
  ofertas: summary.offers,
  offer_id: summary.offerId,
  offer_name: summary.offerName,
  company_name: summary.companyName,
  ahorro_anual: summary.savingPerYearEur,
  ahorro_pct: summary.savingPercent,
  con_impuestos: summary.hasTaxes,
});

const CONTENT = {
  request: z.record(z.string(), z.unknown()),
  offer_ids: z.array(id).min(1).max(MAX_CHOSEN).describe(PROPOSED),
  answer: rankingShape,
  pagina: z
    .array(pageRowShape)
    .max(MAX_PAGE_ROWS + MAX_CHOSEN)
    .describe(
      'The rows of the page without commissions: the cheapest, then the proposed ones that are not among them.',
    ),
  sal: z
    .string()
    .length(32)
    .describe('128 random bits, hexadecimal: without them sha256 would confirm a guess of a commission.'),
};

/** @throws RangeError when the stored text is no proposal. */
export const proposal = answer('Proposal', { ...HEAD, ...CONTENT }, (kept: Proposal) => {
  const content = contentOf(kept.content);
  if (content === null) throw new RangeError(`proposal ${kept.id} cannot be read`);
  // It was an answer when it was stored, perhaps by another release.
  const { request, offer_ids, answer, pagina, sal } = content as unknown as z.input<z.ZodObject<typeof CONTENT>>;
  const { nota } = content;
  return { ...proposalHead.toWire(kept), request, offer_ids, nota, answer, pagina, sal };
});

export const verification = answer(
  'Verification',
  {
    reproducible: z.boolean(),
    sha256_now: hash,
    differences: z
      .array(
        z.strictObject({
          path: z
            .string()
            .describe('The place, with points between names and indexes; `seal`: in stored data that is not shown.'),
          // biome-ignore lint/suspicious/noThenProperty: the name is given, and nobody awaits a shape
          then: z.unknown().describe('The stored value; null: none.'),
          now: z.unknown().describe('The value that is made today; null: none.'),
        }),
      )
      .max(100)
      .describe('The first 100 places where the answer made again differs from the stored one.'),
  },
  ({ isReproducible, sha256Now, differences }: Verification) => ({
    reproducible: isReproducible,
    sha256_now: sha256Now,
    differences: differences.map(toWireDifference),
  }),
);

function toWireDifference({ path, before, after }: JsonDifference) {
  // biome-ignore lint/suspicious/noThenProperty: the name is given, and nobody awaits a difference
  return { path, then: before, now: after };
}
