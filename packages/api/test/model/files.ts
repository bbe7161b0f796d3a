import { isDeepStrictEqual } from 'node:util';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { edited } from './catalog.ts';
import { type ModelRequest, named, numberIn, paged, textIn } from './firms.ts';
import { written } from './offer-rules.ts';
import { changed, companyBehind, MASKED, offersOfOwner, put } from './offers.ts';
import { sheetsIn } from './reading.ts';
import {
  clean,
  type ExpectedAnswer,
  type Fields,
  isName,
  type Json,
  type ModelOffer,
  type ModelUpload,
  narrow,
  nextId,
  pageOf,
  Refusal,
  refuseRules,
  type Sheets,
} from './state.ts';
import { putUpload, showUpload, uploadOf, uploadsOf } from './uploads.ts';

// Files of the two sheets `ofertas` and `borrar`. A file is sent as a body that has `sheets`, each a
// list of rows with the header first; what else is in that body are the texts of the form.

/** A row as the fields that it sends, without its id; an empty cell erases. */
function fieldsOf(header: readonly Json[], row: readonly Json[]): Fields {
  const erased: Fields = { offer_name: '', commission: 0 };
  const pairs = header.map((name, index): [string, Json] => [String(name), row[index] ?? erased[String(name)] ?? null]);
  return Object.fromEntries(pairs.slice(1));
}

interface Change {
  readonly offer: ModelOffer;
  readonly sent: Fields;
}

/** What a file changes. @throws Refusal 422 with every row that is wrong. */
function planOf(request: ModelRequest, sheets: Sheets): readonly Change[] {
  const byId = new Map(offersOfOwner(request).map((offer) => [offer.id, offer]));
  const wrong: string[] = [];
  const seen = new Set<Json>();
  const changes: Change[] = [];
  const [header = [], ...rows] = sheets.ofertas ?? [];
  for (const [index, row] of rows.entries()) {
    const offer = byId.get(Number(row[0]));
    const sent = fieldsOf(header, row);
    const isWrong = !offer || seen.has(offer.id) || written(offer.supply, offer.fields, sent).wrong.length > 0;
    if (isWrong) wrong.push(`ofertas ${index + 2}`);
    else changes.push({ offer, sent });
    if (offer) seen.add(offer.id);
  }
  for (const [index, row] of (sheets.borrar ?? []).slice(1).entries()) {
    const offer = byId.get(Number(row[0]));
    if (!offer || seen.has(offer.id)) wrong.push(`borrar ${index + 2}`);
    else changes.push({ offer, sent: { is_active: false } });
    if (offer) seen.add(offer.id);
  }
  if (wrong.length > 0) throw new Refusal(422, 'business_rule', { wrong });
  return changes;
}

function newUpload(
  request: ModelRequest,
  sheets: Sheets,
  more: Pick<ModelUpload, 'clientId' | 'kind' | 'status'>,
): ModelUpload {
  const { state, caller } = request;
  const stamps = { createdAt: state.now, updatedAt: state.now, finishedAt: null };
  const file = { fileName: 'hoja.xlsx', sizeBytes: fakeFile(sheets).length, hasFile: true, sender: caller.text };
  const rest = { error: null, result: null, ...stamps, ...more };
  return putUpload(request, { id: nextId(state.uploads), accountId: caller.accountId, ...file, ...rest });
}

function countsOf(sheets: Sheets) {
  const count = (name: string) => Math.max(0, (sheets[name]?.length ?? 0) - 1);
  const none = { created: 0, companies_created: 0, prices_upserted: 0, tiers_replaced: 0 };
  return { ...none, replaced: count('ofertas'), deactivated: count('borrar') };
}

function makeChanges(request: ModelRequest, changes: readonly Change[]): void {
  for (const { offer, sent } of changes) {
    const { fields } = written(offer.supply, offer.fields, sent);
    put(request, changed({ ...request, body: sent }, offer, { fields }));
  }
}

/** What a dry run shows: the fields that change, and of commissions that may not be seen those that are sent. */
function effectOf(
  { state, caller: { seesCommissions } }: ModelRequest,
  clientId: number | null,
  changes: readonly Change[],
): string {
  const entries = changes.map(({ offer, sent }) => {
    const after = written(offer.supply, offer.fields, sent).fields;
    const shown = Object.keys(after).flatMap((name) => {
      if (!seesCommissions && MASKED.includes(name)) return name in sent ? [[name]] : [];
      const values = [offer.fields[name] ?? null, after[name] ?? null];
      return isDeepStrictEqual(values[0], values[1]) ? [] : [[name, ...values]];
    });
    return shown.length === 0 ? [] : [offer.id, offer.fields.offer_name, companyBehind(state, offer).name, shown];
  });
  return JSON.stringify([seesCommissions, clientId, entries]);
}

/** Applies what a dry run has kept, or ends its upload. */
function applyKept(request: ModelRequest): ExpectedAnswer {
  const upload = uploadOf(request);
  const { clientId, kind, kept } = upload;
  if (kind !== 'file') permitKind(request, kind);
  if (upload.status !== 'pending' || !kept) throw new Refusal(409, 'wrong_state');
  const owner = kind === 'catalog_bulk_update' ? 'catalog' : 'own';
  const sender: ModelRequest = { ...request, owner, query: clientId === null ? {} : { client_id: clientId } };
  const { now } = request.state;
  const end = (change: Partial<ModelUpload>) =>
    putUpload(request, { ...upload, kept: null, updatedAt: now, finishedAt: now, ...change });
  try {
    const changes = planOf(sender, kept.sheets);
    if (effectOf(sender, clientId, changes) !== kept.effect) throw new Refusal(409, 'wrong_state');
    makeChanges(sender, changes);
    const result = countsOf(kept.sheets);
    return { status: 200, body: { ...result, upload_id: end({ status: 'completed', result }).id } };
  } catch (error) {
    if (error instanceof Refusal) end({ status: 'failed', error: { code: codeOf(error) } });
    throw error;
  }
}

function codeOf({ answer: { status } }: Refusal): string {
  return status === 422 ? 'business_rule' : 'wrong_state';
}

function apply(request: ModelRequest, kind: string): ExpectedAnswer {
  const { state, query } = request;
  const sheets = sheetsIn(request.body) ?? {};
  const only = narrow(state, request.caller, named(request));
  const isDry = query.dry_run === true;
  if (query.keep === true && !isDry) throw new Refusal(400, 'invalid_request', { wrong: ['keep'] });
  const clientId = request.owner === 'catalog' ? null : only;
  const upload = (change: Partial<ModelUpload>) => {
    if (isDry) return null;
    const begun = newUpload(request, sheets, { clientId, kind, status: 'processing' });
    return putUpload(request, { ...begun, ...change, finishedAt: state.now }).id;
  };
  const keep = (changes: readonly Change[]) => {
    const begun = newUpload(request, sheets, { clientId, kind, status: 'pending' });
    const kept = { sheets, effect: effectOf(request, clientId, changes) };
    return putUpload(request, { ...begun, hasFile: false, kept }).id;
  };
  try {
    const changes = planOf(request, sheets);
    const counts = countsOf(sheets);
    if (!isDry) makeChanges(request, changes);
    const done = { status: 'completed', result: counts, hasFile: false };
    return { status: 200, body: { ...counts, upload_id: query.keep === true ? keep(changes) : upload(done) } };
  } catch (error) {
    if (error instanceof Refusal) upload({ status: 'failed', error: { code: 'business_rule' } });
    throw error;
  }
}

/** Refuses who may not do what a bulk update of this kind does. */
function permitKind(request: ModelRequest, kind: string): void {
  const { caller, state } = request;
  const scope = kind === 'catalog_bulk_update' ? 'catalog:write' : 'offers:write';
  if (caller.scopes !== null && !caller.scopes.includes(scope)) throw new Refusal(403, 'missing_scope', { scope });
  if (kind !== 'catalog_bulk_update') return;
  if (caller.clientId !== null) throw new Refusal(403, 'bound_key');
  if (!state.accounts.get(caller.accountId)?.isEditor) throw new Refusal(403, 'not_catalog_editor');
}

/** A file that waits to be applied. */
function queueFile(request: ModelRequest, sheets: Sheets): ExpectedAnswer {
  const { state, caller, body } = request;
  const kind = typeof body.kind === 'string' ? body.kind : 'offers_bulk_update';
  permitKind(request, kind);
  const isShared = kind === 'catalog_bulk_update';
  const owner = typeof body.client_id === 'number' ? body.client_id : undefined;
  if (isShared && owner !== undefined) throw new Refusal(400, 'invalid_request');
  const clientId = narrow(state, caller, named(request), owner);
  const upload = newUpload(request, sheets, { clientId: isShared ? null : clientId, kind, status: 'pending' });
  return { status: 202, body: showUpload(request, upload) };
}

export const fileHandlers = {
  bulkUpdateOffers: (request: ModelRequest): ExpectedAnswer => apply(request, 'offers_bulk_update'),
  bulkUpdateCatalogOffers: (request: ModelRequest): ExpectedAnswer => apply(edited(request), 'catalog_bulk_update'),
};

export const uploadHandlers = {
  listUploads: (request: ModelRequest): ExpectedAnswer => {
    const status = textIn(request.query, 'status');
    const uploads = uploadsOf(request).filter((upload) => status === undefined || upload.status === status);
    return pageOf(uploads, paged(request), (upload) => showUpload(request, upload));
  },
  createUpload: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller, body } = request;
    const sheets = sheetsIn(body);
    if (sheets) return queueFile(request, sheets);
    const clientId = narrow(state, caller, named(request), numberIn(body, 'client_id'));
    const fileName = clean((textIn(body, 'file_name') ?? '').replace(/^.*[/\\]/s, ''));
    refuseRules(isName(fileName, 255) ? [] : ['file_name']);
    const none = { sizeBytes: null, hasFile: false, result: null, error: null };
    const rest = { kind: textIn(body, 'kind') ?? 'file', status: 'pending', ...none };
    const stamps = { createdAt: state.now, updatedAt: state.now, finishedAt: null };
    const upload = { id: nextId(state.uploads), accountId: caller.accountId, clientId, fileName, ...rest, ...stamps };
    return { status: 201, body: showUpload(request, putUpload(request, upload)) };
  },
  getUpload: (request: ModelRequest): ExpectedAnswer => ({ status: 200, body: showUpload(request, uploadOf(request)) }),
  retryUpload: (request: ModelRequest): ExpectedAnswer => {
    const upload = uploadOf(request);
    if (upload.kind !== 'file') permitKind(request, upload.kind);
    const { text, seesCommissions } = request.caller;
    if (upload.kind !== 'file' && upload.hasFile && upload.sender !== text && !seesCommissions)
      throw new Refusal(403, 'missing_scope', { scope: 'commissions:read' });
    if (upload.status !== 'failed' || !upload.hasFile) throw new Refusal(409, 'wrong_state');
    const again = { status: 'pending', result: null, error: null, finishedAt: null, updatedAt: request.state.now };
    return { status: 200, body: showUpload(request, putUpload(request, { ...upload, ...again })) };
  },
  applyUpload: applyKept,
  cancelUpload: (request: ModelRequest): ExpectedAnswer => {
    const upload = uploadOf(request);
    if (upload.kind !== 'file' && upload.sizeBytes !== null && upload.sender !== request.caller.text)
      permitKind(request, upload.kind);
    if (upload.status !== 'pending') throw new Refusal(409, 'wrong_state');
    const { now } = request.state;
    const cancelled = { ...upload, status: 'cancelled', hasFile: false, kept: null, updatedAt: now, finishedAt: now };
    return { status: 200, body: showUpload(request, putUpload(request, cancelled)) };
  },
};
