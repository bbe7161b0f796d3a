import { type Operation, operations } from '@tarifario/api';
import { questions } from '@tarifario/testkit/api/questions';
import { GAS_BODY, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput } from '@tarifario/testkit/api/world';
import { type HttpRequest, requestOf } from '@tarifario/testkit/http/http-world';

/** A request as bytes are made of it; a body that is a text goes out as it is. */
export interface CorpusRequest extends HttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
}

const MISSING = '999999';

/** What writers send who may not see what is stored: sound, wrong, equal to what is stored, and meant to find it out. */
function writes(sample: Sample): readonly CorpusRequest[] {
  const tiers = (...bounds: readonly (readonly [number, number | null])[]) =>
    bounds.map(([from, to]) => ({ consumption_from: from, consumption_to: to, commission: 5 }));
  const changes = [
    // First what leaves commissions as they were planted.
    { services_cost: 3 },
    { precio_excedentes: 0.1 },
    { territory_peninsula: false },
    { e1: 11 },
    { is_active: true },
    {},
    { commission: 50 },
    { commission: 0 },
    { commission_type: 'fixed' },
    { commission_type: 'per_mwh' },
    { commission_type: 'per_kw' },
    { commission: -1 },
    { commission: null },
    { commission: 'x' },
    { commission_tiers: [] },
    { commission_tiers: tiers([0, 5], [3, 8]) },
    { commission_tiers: tiers([5, null], [0, 5]) },
    { commission_power_tiers: [] },
    { commission_power_tiers: null },
  ];
  const ids = [sample.luzId, sample.gasId, sample.indexedId, sample.catalogId].map(String);
  const batches = [
    [sample.luzId, sample.gasId],
    [sample.luzId, sample.indexedId],
    [sample.luzId, sample.catalogId],
  ];
  const body = { ...LUZ_BODY, company_id: sample.companyId };
  return [
    // As many batches as the limit on them allows, together with the variations.
    ...changes.flatMap((change, index) => [
      ...ids.map((id) => requestOf('updateOffer', { params: { id }, body: change })),
      ...(index < 14
        ? [requestOf('bulkPatchOffers', { body: { offer_ids: batches[index % batches.length], updates: change } })]
        : []),
    ]),
    ...changes.map((change) => requestOf('createOffer', { body: { ...body, ...change } })),
    requestOf('createOffer', { body: { ...GAS_BODY, company_id: sample.companyId, commission_power_tiers: [{}] } }),
    requestOf('createOffer', { body: { ...body, company_id: sample.catalogCompanyId } }),
  ];
}

/** What a file would change, asked before it is applied. */
function dryRuns(calls: Readonly<Record<string, CallInput>>): readonly CorpusRequest[] {
  const query = { dry_run: 'true' };
  return ['bulkUpdateOffers', 'bulkUpdateCatalogOffers'].map((id) => requestOf(id, { ...calls[id], query }));
}

/** One operation in all the ways in which a request can go wrong. */
function variations(operation: Operation, input: CallInput | undefined): readonly CorpusRequest[] {
  const { id } = operation;
  const good = requestOf(id, input);
  const with_ = (search: string) => ({ ...good, path: `${good.path}${good.path.includes('?') ? '&' : '?'}${search}` });
  const at = (text: string) => requestOf(id, { ...input, params: { ...input?.params, id: text } });
  const { body } = good;
  const bodies = body === undefined ? [] : ['{', '[]', 'null', '"x"', { ...asRecord(body), extra: 1 }, {}];
  return [
    good,
    with_('limit=201&offset=-1'),
    with_('client_id=999999'),
    with_('client_id=x'),
    with_('orden=comision'),
    at(MISSING),
    at('x'),
    ...bodies.map((each) => ({ ...good, body: each })),
    ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
      .filter((method) => !operations.some((row) => row.path === operation.path && row.method === method))
      .map((method) => ({ method, path: good.path })),
    { ...good, headers: { 'If-None-Match': '*', 'If-Modified-Since': 'Fri, 20 Nov 2026 12:00:00 GMT' } },
    { ...good, headers: { Accept: 'text/html', Range: 'bytes=0-10', 'Accept-Encoding': 'gzip' } },
  ];
}

/** Deactivating what others need comes last. */
const LAST = [
  ...['toggleOffer', 'deleteOffer', 'toggleCompany', 'deleteCompany'],
  ...['toggleCatalogOffer', 'deleteCatalogOffer', 'toggleCatalogCompany', 'deleteCatalogCompany'],
  ...['unsubscribeFromCatalogCompany', 'toggleClient', 'deleteClient'],
];

type Share = <T>(things: readonly T[], every: number, round?: number) => readonly T[];

/**
 * Many requests in a fixed order: every operation in every way, what has no key, and readers after every writer.
 *
 * @param take - Of things that are alike one of `every`, others in each round.
 * @param isWriter - Whether the caller may write. Most calls of others are refused by their path alone.
 */
export function corpusOf(
  sample: Sample,
  calls: Readonly<Record<string, CallInput>>,
  { take, isWriter }: { readonly take: Share; readonly isWriter: boolean },
): readonly CorpusRequest[] {
  const variationsOf = (row: Operation) => take(variations(row, calls[row.id]), isWriter ? 9 : 18);
  const order = operations.toSorted((a, b) => LAST.indexOf(a.id) - LAST.indexOf(b.id));
  const early = order.filter(({ id }) => !LAST.includes(id)).flatMap(variationsOf);
  const late = order.filter(({ id }) => LAST.includes(id)).flatMap(variationsOf);
  // Each is asked once by one of two keys with the same scopes: before, between or after the writes.
  const asked = questions(sample).map(([id, input]) => requestOf(id, input));
  const rounds = [0, 1, 2].map((round) => take(asked, 6, 2 * round));
  const pages = ['/openapi.json', '/docs', '/healthz', '/readyz', '/v1', '/v1/commissions', '/v1/offers/', '/metrics'];
  return [
    ...(rounds[0] ?? []),
    ...dryRuns(calls),
    // A retry takes a point of the files of an hour, which their variations use up.
    requestOf('retryUpload', calls.retryUpload),
    // Of a webhook's attempts the last ones are kept: what the others do makes further ones.
    requestOf('redeliverWebhook', calls.redeliverWebhook),
    ...early,
    ...pages.map((path) => ({ method: 'GET', path })),
    ...take(writes(sample), isWriter ? 1 : 12),
    ...(rounds[1] ?? []),
    ...late,
    ...(rounds[2] ?? []),
  ];
}
