import { setTimeout as sleep } from 'node:timers/promises';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { sendFile } from '@tarifario/testkit/http/bulk-files';
import { type Answer, ask, askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { type History, markedPrice, newHistory } from './histories.ts';

type Server = Pick<RunningServer, 'url'>;

/** Offers that everybody writes at the same time: those of an account, or those of the catalog. */
export interface Field {
  readonly format: 'own' | 'catalog';
  /** A key for each who may write. */
  readonly keys: readonly string[];
  readonly offerIds: readonly number[];
}

export interface Amounts {
  /** Ten for each account and hour at most. */
  readonly files: number;
  /** Thirty for each account and minute at most; of own offers only. */
  readonly patches: number;
  /** Prices of single offers, toggles and, a fifth of them, deletions. */
  readonly singles: number;
}

const PATHS = {
  own: { offers: '/v1/offers', update: '/v1/offers/bulk-update', id: 'offer_id' },
  catalog: { offers: '/v1/catalog/offers', update: '/v1/catalog/offers/bulk-update', id: 'catalog_offer_id' },
} as const;

/** Indexed offers that all cost the same. */
export async function openField(
  server: RunningServer,
  {
    format,
    keys,
    offers,
  }: { readonly format: Field['format']; readonly keys: readonly string[]; readonly offers: number },
): Promise<Field> {
  const [key = ''] = keys;
  const make = async (path: string, body: object) => (await askFor<{ id: number }>(server, key, { path, body })).id;
  const client_id = await make('/v1/clients', { name: 'Cliente' });
  const company_id =
    format === 'own'
      ? await make('/v1/companies', { client_id, name: 'Comercializadora' })
      : await make('/v1/catalog/companies', { name: `Compartida ${client_id}` });
  const terms = {
    supply_type: 'LUZ',
    tariff_type: '2.0TD',
    acepta_dni: true,
    territory_peninsula: true,
    is_indexed: true,
  };
  const offerIds: number[] = [];
  for (let i = 0; i < offers; i += 1) {
    const offer = {
      company_id,
      offer_name: `Tarifa ${i}`,
      ...terms,
      e1: 0.1,
      e2: 0.1,
      services_cost: 0,
      commission: 0,
    };
    offerIds.push(await make(PATHS[format].offers, offer));
  }
  return { format, keys, offerIds };
}

function workbookOf({ format, offerIds }: Field, marker: number): Promise<Uint8Array> {
  const { id } = PATHS[format];
  return workbookBytes({
    ofertas: offerIds.map((offerId) => ({ [id]: offerId, services_cost: marker })),
    precios_indexados: offerIds.map((offerId) => ({
      [id]: offerId,
      reference_month: '2026-01',
      e1: markedPrice(marker),
    })),
  });
}

interface Shown {
  readonly id: number;
  readonly services_cost: number;
}

/** Three ways to see offers: all of them in a list, ten in a comparison, in a ranking those that have a price. */
function looksAt({ format, offerIds }: Field) {
  const ids = offerIds.slice(0, 10).map((id) => `ids=${id}`);
  return [
    { path: `${PATHS[format].offers}?include_inactive=true&limit=200` },
    { path: `/v1/offers/compare?${ids.join('&')}` },
    { path: '/v1/offers/efficient', body: { supply_type: 'LUZ', energia: { e1: 1 }, limit: 200 } },
  ];
}

/** The markers of the offers that an answer shows. */
async function shownBy(
  server: Server,
  key: string,
  { offerIds }: Field,
  look: ReturnType<typeof looksAt>[number],
): Promise<readonly number[]> {
  const { results } = await askFor<{ readonly results: readonly (Shown & { readonly offer?: Shown })[] }>(
    server,
    key,
    look,
  );
  const offers = results.map((result) => result.offer ?? result);
  return offers.flatMap(({ id, services_cost }) => (offerIds.includes(id) ? [services_cost] : []));
}

/**
 * Files, bulk patches, prices, toggles and deletions of the same offers, all at the same time, while others look.
 *
 * @param any - Some replica, another one each time.
 */
export async function mix(field: Field, amounts: Amounts, any: () => Server): Promise<History> {
  const history = newHistory();
  const { format, keys, offerIds } = field;
  const { offers, update } = PATHS[format];
  let lastMarker = 0;
  const newMarker = () => {
    lastMarker += 1;
    return lastMarker;
  };
  const keyOf = (turn: number) => keys[turn % keys.length] ?? '';
  const offerOf = (turn: number) => offerIds[(turn * 7) % offerIds.length] ?? 0;
  const times = async (count: number, work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; turn < count; turn += 1) await work(turn);
  };

  const files = (who: number) =>
    times(amounts.files, async () => {
      const marker = newMarker();
      const bytes = await workbookOf(field, marker);
      await history.act({ kind: 'file', offerId: null, marker }, () =>
        sendFile(any(), keyOf(who), { path: update, bytes }),
      );
    });
  const patches = (who: number) =>
    times(amounts.patches, () => {
      const marker = newMarker();
      const body = { offer_ids: offerIds, updates: { services_cost: marker } };
      return history.act({ kind: 'all', offerId: null, marker }, () =>
        ask(any(), keyOf(who), { path: '/v1/offers/bulk-patch', body }),
      );
    });
  const single = (who: number) => (turn: number) => {
    const offerId = offerOf(3 * turn + who);
    const path = `${offers}/${offerId}`;
    const send =
      (request: Parameters<typeof ask>[2]): (() => Promise<Answer>) =>
      () =>
        ask(any(), keyOf(who), request);
    if (turn % 2 === 0) {
      const marker = newMarker();
      const body = { e2: markedPrice(marker) };
      return history.act({ kind: 'price', offerId, marker }, send({ method: 'PATCH', path, body }));
    }
    const kind = turn % 10 === 9 ? 'delete' : 'toggle';
    const request = kind === 'delete' ? { method: 'DELETE', path } : { method: 'PATCH', path: `${path}/toggle` };
    return history.act({ kind, offerId, marker: null }, send(request));
  };

  let isWriting = true;
  const looking = looksAt(field).map(async (look, who) => {
    while (isWriting) {
      // A killed replica answers nothing, so another one is read.
      await history.look(() => shownBy(any(), keyOf(who), field, look).catch(() => []));
      await sleep(5);
    }
  });
  const writing = [0, 1, 2].flatMap((who) => [
    files(who),
    ...(format === 'own' ? [patches(who)] : []),
    times(amounts.singles, single(who)),
    times(amounts.singles, single(who + 11)),
  ]);
  await Promise.all(writing);
  isWriting = false;
  await Promise.all(looking);
  // Nothing was shown, so there is nothing to judge.
  const shown = history.looks.filter(({ markers }) => markers.length > 0);
  history.looks.splice(0, history.looks.length, ...shown);
  return history;
}
