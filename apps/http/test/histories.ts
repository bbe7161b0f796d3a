import type { MonthlyPrice, Offer, OfferVersion, Store } from '@tarifario/core/service';
import type { Answer } from '@tarifario/testkit/http/running-server';

/** A request and its time. The status `null` means that there was no answer. */
export interface Act {
  /** `all` and `file` write their marker into every offer, `price` and `flip` change one offer. */
  readonly kind: 'all' | 'file' | 'price' | 'toggle' | 'delete';
  /** `null`: all of them. */
  readonly offerId: number | null;
  /** A number that no other act writes; `null` for those that turn offers on and off. */
  readonly marker: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number | null;
  /** The state of the offer in the answer of a toggle. */
  readonly isActive: boolean | null;
}

/** What a reader saw in all offers at once: one marker, if everything is right. */
export interface Look {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly markers: readonly number[];
}

/** Collects all writes and reads. */
export interface History {
  readonly acts: Act[];
  readonly looks: Look[];
  act(terms: Pick<Act, 'kind' | 'offerId' | 'marker'>, send: () => Promise<Answer>): Promise<number | null>;
  look(read: () => Promise<readonly number[]>): Promise<void>;
}

export function newHistory(): History {
  const acts: Act[] = [];
  const looks: Look[] = [];
  return {
    acts,
    looks,
    async act(terms, send) {
      const startedAt = performance.now();
      const answer = await send().catch(() => null);
      const endedAt = performance.now();
      const isActive =
        terms.kind === 'toggle' && answer?.status === 200 ? Boolean(JSON.parse(answer.text).is_active) : null;
      acts.push({ ...terms, startedAt, endedAt, status: answer?.status ?? null, isActive });
      return answer?.status ?? null;
    },
    async look(read) {
      const startedAt = performance.now();
      const markers = await read();
      looks.push({ startedAt, endedAt: performance.now(), markers: [...new Set(markers)] });
    },
  };
}

/** One change of one offer, from its versions. */
interface Step {
  readonly offerId: number;
  readonly revision: number;
  readonly kind: 'all' | 'price' | 'on' | 'off' | 'month' | 'torn';
  /** The written value; for an incomplete step the changed fields. */
  readonly value: number | string;
}

/** A price of the file's month and of an offer that carry a marker. */
export const markedPrice = (marker: number) => marker / 10_000;
const markerOf = (price: number | null | undefined) => Math.round((price ?? 0) * 10_000);

/**
 * What the database itself says about what happened: every version of these offers, in order.
 *
 * @param since - The revision of the owner before the first act.
 */
export async function stepsOf(
  store: Store,
  { owner, offerIds }: { readonly owner: number | 'catalog'; readonly offerIds: readonly number[] },
  since: number,
): Promise<Witnessed> {
  return await store.read(async (reader) => {
    const all = await reader.changes.since(owner, 0);
    const offers = all.offers.filter(({ offer }) => offerIds.includes(offer.id));
    const steps: Step[] = [];
    for (const { offer, months } of offers) {
      const versions = (await reader.offers.versions(owner, offer.id)).filter(({ revision }) => revision > since);
      steps.push(...termSteps(offer, versions), ...monthSteps(offer, versions, months[0]));
    }
    return { steps, offerCount: offers.length };
  });
}

function termSteps(last: Offer, versions: readonly OfferVersion[]): Step[] {
  const changes = versions.flatMap(({ revision, before }) =>
    before.kind === 'terms' ? [{ revision, offer: before.offer }] : [],
  );
  return changes.map(({ revision, offer }, index) => {
    const after = changes[index + 1]?.offer ?? last;
    return { offerId: last.id, revision, ...changeBetween(offer, after) };
  });
}

function changeBetween(before: Offer, after: Offer): Pick<Step, 'kind' | 'value'> {
  const fieldsOf = (offer: Offer) =>
    new Map(Object.entries(offer).map(([name, value]) => [name, JSON.stringify(value)]));
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changed = [...now.keys()].filter((name) => name !== 'updatedAt' && old.get(name) !== now.get(name));
  if (changed.length !== 1) return { kind: 'torn', value: changed.join() };
  if (changed[0] === 'servicesEurPerMonth') return { kind: 'all', value: after.servicesEurPerMonth ?? -1 };
  if (changed[0] === 'isActive') return { kind: after.isActive ? 'on' : 'off', value: 0 };
  if (changed[0] !== 'energyEurPerKwh' || before.supplyType !== 'LUZ' || after.supplyType !== 'LUZ')
    return { kind: 'torn', value: changed.join() };
  const periods = after.energyEurPerKwh.flatMap((price, i) => (price === before.energyEurPerKwh[i] ? [] : [i]));
  return periods.join() === '1'
    ? { kind: 'price', value: markerOf(after.energyEurPerKwh[1]) }
    : { kind: 'torn', value: `energy ${periods.join()}` };
}

/** Changes of the one month that files write. */
function monthSteps(offer: Offer, versions: readonly OfferVersion[], last: MonthlyPrice | undefined): Step[] {
  const changes = versions.flatMap(({ revision, before }) =>
    before.kind === 'month' ? [{ revision, price: before.price }] : [],
  );
  return changes.map(({ revision }, index) => {
    const after = changes[index + 1]?.price ?? last;
    const [price] = after?.supplyType === 'LUZ' ? after.energyEurPerKwh : [];
    return { offerId: offer.id, revision, kind: 'month', value: markerOf(price) };
  });
}

interface Witnessed {
  readonly steps: readonly Step[];
  readonly offerCount: number;
}

/**
 * The errors of a history. It has none when the acts happened one after the other, each whole or not at all, each that
 * was answered between its request and its answer, and every read saw the state of one moment.
 */
export function wrongsOf(history: History, { steps, offerCount }: Witnessed): readonly string[] {
  const wrongs = steps
    .filter(({ kind }) => kind === 'torn')
    .map(({ offerId, revision, value }) => `offer ${offerId}, revision ${revision}: changed at once ${value}`);
  const revisions = new Map<Act, number>();
  for (const act of history.acts) {
    if (act.marker === null) continue;
    const own = stepsOfAct(act, steps);
    const count = act.offerId === null ? offerCount : 1;
    const ownRevisions = new Set(own.map(({ revision }) => revision));
    const expected = act.status === 200 ? [count] : act.status === null || act.status === 503 ? [0, count] : [0];
    if (!expected.includes(own.length)) wrongs.push(`${nameOf(act)} is in ${own.length} offers of ${count}`);
    if (ownRevisions.size > 1) wrongs.push(`${nameOf(act)} has revisions ${[...ownRevisions].join()}`);
    const [revision] = ownRevisions;
    if (revision !== undefined) revisions.set(act, revision);
    if (act.kind === 'file') wrongs.push(...wrongMonths(act, revision, { steps, offerCount }));
  }
  const known = new Set(history.acts.map(({ marker }) => marker));
  for (const { kind, value } of steps) {
    if ((kind === 'all' || kind === 'price') && !known.has(Number(value))) wrongs.push(`nobody wrote ${value}`);
  }
  return [...wrongs, ...sharedRevisions(steps), ...wrongFlips(history, steps), ...wrongOrder(history, revisions)];
}

function nameOf({ kind, marker, offerId, status }: Act): string {
  return `${kind} ${marker ?? ''} of ${offerId ?? 'all'} (${status})`;
}

function stepsOfAct({ kind, marker, offerId }: Act, steps: readonly Step[]): readonly Step[] {
  const stepKind = kind === 'file' ? 'all' : kind;
  return steps.filter(
    (step) => step.kind === stepKind && step.value === marker && (offerId === null || step.offerId === offerId),
  );
}

/** A file also writes a month of every offer. */
function wrongMonths(act: Act, revision: number | undefined, { steps, offerCount }: Witnessed): readonly string[] {
  const months = steps.filter(({ kind, value }) => kind === 'month' && value === act.marker);
  const isWhole = months.every((step) => step.revision === revision) && [0, offerCount].includes(months.length);
  const isThere = months.length > 0 === (revision !== undefined);
  return isWhole && isThere ? [] : [`${nameOf(act)} is in ${months.length} months`];
}

/** Two acts never have the same revision. */
function sharedRevisions(steps: readonly Step[]): readonly string[] {
  const acts = Map.groupBy(steps, ({ revision }) => revision);
  return [...acts].flatMap(([revision, own]) => {
    const shared = new Set(own.map(({ kind, value }) => (kind === 'all' || kind === 'month' ? `all ${value}` : kind)));
    const isSingle = !own.some(({ kind }) => kind === 'all' || kind === 'month') && own.length > 1;
    return shared.size > 1 || isSingle ? [`revision ${revision} is that of ${[...shared].join(' and ')}`] : [];
  });
}

/** Each answered toggle switched its offer once, to the state in its answer. A deletion switches an active offer off. */
function wrongFlips(history: History, steps: readonly Step[]): readonly string[] {
  const ids = new Set(
    history.acts.flatMap(({ kind, offerId }) => (kind === 'toggle' || kind === 'delete' ? [offerId] : [])),
  );
  return [...ids].flatMap((id) => {
    const own = steps.filter(({ offerId, kind }) => offerId === id && (kind === 'on' || kind === 'off'));
    const acts = history.acts.filter(({ offerId, kind }) => offerId === id && (kind === 'toggle' || kind === 'delete'));
    const toggled = (isActive: boolean) => acts.filter((act) => act.isActive === isActive).length;
    const open = acts.filter(({ status }) => status === null || status === 503).length;
    const deleted = acts.filter(({ kind, status }) => kind === 'delete' && status !== null && status < 300).length;
    const [on, off] = (['on', 'off'] as const).map((kind) => own.filter((step) => step.kind === kind).length);
    const isRight =
      within(on ?? 0, toggled(true), toggled(true) + open) &&
      within(off ?? 0, toggled(false), toggled(false) + deleted + open);
    return isRight
      ? []
      : [`offer ${id} went on ${on} and off ${off} times; answered: ${toggled(true)} and ${toggled(false)}`];
  });
}

function within(value: number, low: number, high: number): boolean {
  return low <= value && value <= high;
}

/** A request comes after each request that was answered before it was sent. A read shows all writes answered before it. */
function wrongOrder({ acts, looks }: History, revisions: ReadonlyMap<Act, number>): readonly string[] {
  const wrongs: string[] = [];
  const done = acts.flatMap((act) => {
    const revision = revisions.get(act);
    return revision === undefined ? [] : [{ act, revision }];
  });
  for (const earlier of done) {
    if (earlier.act.status !== 200) continue;
    for (const later of done) {
      if (earlier.act.endedAt < later.act.startedAt && earlier.revision > later.revision)
        wrongs.push(`${nameOf(later.act)} came before ${nameOf(earlier.act)}, which was answered`);
    }
  }
  const ofMarker = new Map(
    done.filter(({ act }) => act.offerId === null).map(({ act, revision }) => [act.marker, { act, revision }]),
  );
  for (const { markers, startedAt, endedAt } of looks) {
    const [marker = 0] = markers;
    const shown = ofMarker.get(marker);
    if (markers.length !== 1) wrongs.push(`one answer shows ${markers.join()}`);
    else if (marker !== 0 && !shown) wrongs.push(`an answer shows ${marker}, which was not kept`);
    else if (shown && shown.act.startedAt > endedAt) wrongs.push(`an answer shows ${marker} before it was asked for`);
    const missed = [...ofMarker.values()].find(
      ({ act, revision }) => act.status === 200 && act.endedAt < startedAt && revision > (shown?.revision ?? 0),
    );
    if (missed) wrongs.push(`an answer shows ${marker} and not ${nameOf(missed.act)}, which was answered before`);
  }
  return [...new Set(wrongs)];
}
