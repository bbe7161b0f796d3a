/** Any value of JSON, or nothing. */
export type Json = null | boolean | number | string | readonly Json[] | Fields;
export interface Fields {
  readonly [name: string]: Json;
}

export interface ModelAccount {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly isActive: boolean;
  /** May write the catalog. */
  readonly isEditor: boolean;
  readonly createdAt: string;
}

export interface ModelSubscription {
  readonly id: number;
  readonly plan: string;
  readonly isActive: boolean;
  readonly clientsLimit: number;
  readonly createdAt: string;
}

export interface ModelKey {
  readonly id: number;
  readonly accountId: number;
  /** `null`: not bound. */
  readonly clientId: number | null;
  /** `null`: full access. */
  readonly scopes: readonly string[] | null;
  readonly isActive: boolean;
}

export interface ModelClient {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly logo: string | null;
  readonly contact: string | null;
  readonly catalog: string;
  readonly isActive: boolean;
}

/** `accountId` and `clientId` are null in the catalog. */
export interface ModelCompany {
  readonly id: number;
  readonly accountId: number | null;
  readonly clientId: number | null;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly isActive: boolean;
}

export interface ModelOffer {
  readonly id: number;
  readonly companyId: number;
  readonly supply: 'LUZ' | 'GAS';
  /** What a writer can set, by its name on the wire. */
  readonly fields: Fields;
  /** Prices by month, in any order. */
  readonly months: ReadonlyMap<string, Fields>;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When anything but its commissions changed. */
  readonly maskedUpdatedAt: string;
}

/** Rows of each sheet by its name, the header first. */
export type Sheets = Readonly<Record<string, readonly (readonly (null | boolean | number | string)[])[]>>;

export interface ModelUpload {
  readonly id: number;
  readonly accountId: number;
  readonly clientId: number | null;
  readonly kind: string;
  readonly fileName: string;
  /** `null`: announced only. */
  readonly sizeBytes: number | null;
  /** Its file is stored. */
  readonly hasFile: boolean;
  /** The text of the key that sent the file; left out: none did. */
  readonly sender?: string;
  /** The file that its dry run has kept, and what it showed. */
  readonly kept?: { readonly sheets: Sheets; readonly effect: string } | null;
  readonly status: string;
  readonly error: Fields | null;
  readonly result: Fields | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/**
 * All that a service knows, in plain maps. Records are replaced, never changed in place, and only when nothing can be
 * refused any more.
 */
export interface State {
  /** When the command under way takes place. */
  now: string;
  readonly accounts: Map<number, ModelAccount>;
  /** By account. */
  readonly subscriptions: Map<number, ModelSubscription>;
  /** By their text. */
  readonly keys: Map<string, ModelKey>;
  readonly clients: Map<number, ModelClient>;
  readonly companies: Map<number, ModelCompany>;
  readonly offers: Map<number, ModelOffer>;
  readonly uploads: Map<number, ModelUpload>;
  /** By client and catalog company: whether it was subscribed to or given up. */
  readonly decisions: Map<string, boolean>;
}

export function emptyState(): State {
  return {
    now: '',
    accounts: new Map(),
    subscriptions: new Map(),
    keys: new Map(),
    clients: new Map(),
    companies: new Map(),
    offers: new Map(),
    uploads: new Map(),
    decisions: new Map(),
  };
}

/** Ids are counted from 1 in each kind of record, and nothing is ever removed. */
export function nextId(records: ReadonlyMap<unknown, unknown>): number {
  return records.size + 1;
}

/** A request for one operation, as it is on the wire. */
export interface Request {
  readonly operation: string;
  readonly key: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Json;
}

/** Who calls. */
export interface Caller extends ModelKey {
  /** The text of the key. */
  readonly text: string;
  readonly seesCommissions: boolean;
}

/**
 * What has to be answered: the body of a success, or of a refusal its code, the scope that is missing, and the places
 * (with the offer, if one is named) that are wrong, each once and in order of text.
 */
export interface ExpectedAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** Places that are wrong because of another field. They need not be reported when other places are wrong too. */
const TOGETHER = [
  ...['', 'energia', 'consumo_gas', 'ids', 'offer_ids', 'updates'],
  ...['placas_solares', 'commission_power_tiers'],
];

/** Places as they are compared: each once, in order of text. */
export function placesOf(wrong: readonly string[]): readonly string[] {
  const places = [...new Set(wrong)].sort();
  const alone = places.filter((place) => !TOGETHER.includes(place));
  return alone.length > 0 ? alone : places;
}

/** A refusal; `wrong` are the places. */
export class Refusal extends Error {
  readonly answer: ExpectedAnswer;

  constructor(
    status: number,
    code: string,
    details: { readonly wrong?: readonly string[]; readonly scope?: string } = {},
  ) {
    super(code);
    const wrong = details.wrong === undefined ? {} : { wrong: placesOf(details.wrong) };
    const scope = details.scope === undefined ? {} : { scope: details.scope };
    this.answer = { status, body: { code, ...scope, ...wrong } };
  }
}

/** @param place - The field that names the record. */
export function notFound(place = 'id'): Refusal {
  return new Refusal(404, 'not_found', { wrong: [place] });
}

/** Places that break a rule, if any. */
export function refuseRules(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Refusal(422, 'business_rule', { wrong });
}

/** The firm that a request is narrowed to, `null` for none; each firm that is named must be the caller's. */
export function narrow(state: State, caller: Caller, ...named: readonly (number | undefined)[]): number | null {
  const foreign = new Refusal(403, 'foreign_firm');
  let narrowed = caller.clientId;
  for (const id of named) {
    if (id === undefined) continue;
    if (state.clients.get(id)?.accountId !== caller.accountId) throw foreign;
    if (narrowed !== null && narrowed !== id) throw foreign;
    narrowed = id;
  }
  return narrowed;
}

export function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A page of a list that is in the order of ids. */
export function pageOf<T>(
  records: readonly T[],
  { limit = 50, offset = 0 }: { limit?: number; offset?: number },
  show: (record: T) => unknown,
) {
  return {
    status: 200,
    body: { total: records.length, limit, offset, results: records.slice(offset, offset + limit).map(show) },
  };
}

/** A name as it is stored. */
export function clean(name: string): string {
  return name.normalize('NFC').trim();
}

/** A name as it is compared. */
export function folded(name: string): string {
  return clean(name).toLowerCase();
}

/** Whether a text may be a name of so many characters. */
export function isName(name: string, longest = 200): boolean {
  if (!name.isWellFormed()) return false;
  const length = [...clean(name)].length;
  return length >= 1 && length <= longest && !/[\p{C}\u2028\u2029]/u.test(clean(name));
}

/** Whether a text may be the picture of a client. */
export function isLogo(logo: string | null): boolean {
  const [, type, content = ''] = /^data:image\/(\w+);base64,(.+)$/s.exec(logo ?? '') ?? [];
  const bytes = Buffer.from(content, 'base64');
  const begun = { png: /^89504e470d0a1a0a/, jpeg: /^ffd8ff/, webp: /^52494646.{8}57454250/ }[type ?? ''];
  const isSound = bytes.toString('base64') === content && bytes.length <= 65_536;
  return logo === null || (isSound && begun?.test(bytes.toString('hex')) === true);
}

/** Whether a text may be the address of a picture. */
export function isPicture(url: string | null): boolean {
  return url === null || (/^https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/i.test(url) && url.length <= 2048);
}
