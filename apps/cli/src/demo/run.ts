import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createTarifario, type RankingQuestion, type Tarifario } from '@tarifario/client';
import { type HttpServer, listen, startServer } from '@tarifario/http';
import { mcpMount } from '@tarifario/mcp';
import { type Config, compose, type Log, migrate, type Service } from '@tarifario/runtime';
import {
  formatConflict,
  formatExcluded,
  formatPresent,
  formatResults,
  formatWarnings,
  formatWinners,
  type Paint,
  type WireRanking,
} from '../ranking-view.ts';
import { formatNegotiation, formatReasons } from '../reasons-view.ts';
import { DEMO_INDEX, type DemoHousehold, HOURLY_CURVE, readDemoCatalog, readDemoReadings } from './demo-catalog.ts';
import { endKeys, openDemo, openKeys } from './seed.ts';

export interface DemoOptions {
  readonly config: Config;
  readonly log: Log;
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** All journeys, and not two screens. */
  readonly isFull: boolean;
  readonly isFresh: boolean;
}

const FOLDER = './data';
const DEFAULT_PORT = 3000;
/** How many offers the rankings of the readings show. */
const FEW = 3;
/** How many offers the first screen shows. */
const FIRST = 5;

/**
 * Serves the database of the demo, requests the ranking of one household over HTTP and shows the answers. The database is
 * a file named after the port, which keeps what is changed in it; without one, or with `isFresh`, it is filled. It is
 * touched only once the port is reserved, so that of a running demo never is. The keys of a run end with it.
 *
 * @returns The server, still serving.
 * @throws Error with that of the system as its cause when the port is not available.
 */
export async function runDemo(options: DemoOptions): Promise<HttpServer> {
  const { log, write, paint, isFull, isFresh } = options;
  const reservation = await holdPort(options.config);
  const file = `${FOLDER}/${reservation.port === DEFAULT_PORT ? 'demo' : `demo-${reservation.port}`}.db`;
  const config = { ...options.config, port: reservation.port, databaseUrl: `sqlite:${file}` };
  const prepare = async () => {
    if (isFresh) for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    await migrate(config.databaseUrl);
    return withService(config, log, async (service) => {
      const { id, isNew } = await openDemo(service, file);
      return { id, isNew, keys: await openKeys(service, id) };
    });
  };
  const { id, isNew, keys } = await prepare().finally(reservation.release);
  const endRun = () => withService(config, log, (service) => endKeys(service, id));
  const server = await startServer({ config, log, mounts: [mcpMount] });
  const close = () => server.close().finally(endRun);
  try {
    const lines = await describeDemo({ url: server.url, file, keys, isNew, isFull, paint });
    write(`${lines.join('\n')}\n`);
    return { ...server, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function withService<T>({ databaseUrl }: Config, log: Log, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await compose(databaseUrl, log);
  return work(service).finally(() => service.close());
}

/** Reserves a port until the server uses it. */
async function holdPort({ host, port }: Config): Promise<{ readonly port: number; release(): Promise<void> }> {
  const holder = createServer();
  await listen(holder, { host, port, setting: 'PORT' });
  const address = holder.address();
  if (address === null || typeof address === 'string') throw new RangeError('the holder listens on a port');
  const release = () =>
    new Promise<void>((resolve) => {
      holder.close(() => resolve());
      // Early connections are closed without an answer, because they would keep the port open.
      holder.closeAllConnections();
    });
  return { port: address.port, release };
}

interface RunningDemo {
  readonly url: string;
  readonly file: string;
  readonly keys: Keys;
  /** The data were made now, and not changed by an earlier run. */
  readonly isNew: boolean;
  readonly isFull: boolean;
  readonly paint: Paint;
}

type Keys = Awaited<ReturnType<typeof openKeys>>;

async function describeDemo(demo: RunningDemo): Promise<string[]> {
  const { url, file, keys, isNew, isFull, paint } = demo;
  const household = readDemoCatalog().households[0];
  if (household === undefined) throw new RangeError('the demo has a household');
  const body = { ...household.efficient, limit: 200 };
  const tarifario = createTarifario({ url, key: keys.full_access });
  const all = await tarifario.rankOffers({
    body: { ...body, explicar: true, retrospectiva: true, umbrales_consumo: true, margen: true },
  });
  const { offers, retailers } = await tarifario.describeComparison({});
  const kept = isNew ? '' : ', as you left it (--fresh starts anew)';
  return [
    '',
    paint.strong('Tarifario: what each offer costs, what it pays, and which one is defensible'),
    `${offers} offers of ${retailers} fictional retailers in ${file}${kept}, served at ${url}`,
    '',
    `${paint.strong('Customer')} ${describe(household)}`,
    '',
    ...(isFull ? await journeys(tarifario, all, { url, keys, body, paint }) : shortRanking(all, paint)),
    '',
    paint.strong('The page for advisors: open it in a browser. Its key is for this run, and ends with it'),
    `${url}/app/#key=${keys.page}`,
    '',
    paint.strong('Try it yourself: paste the three settings once, then any request'),
    ...requests(url, keys, { household, ranking: all }),
    '',
    paint.weak(`Ctrl+C stops the server.${isFull ? '' : ' --full shows every offer, and what else can be asked.'}`),
  ];
}

/** The first offers, who wins at which weight, and what the best paid offer would cost the customer. */
function shortRanking(all: WireRanking, paint: Paint): string[] {
  const [winners, rest] = [formatWinners(all, paint), all.excluded_count];
  const excluded = rest > 0 ? [`${rest} ${rest === 1 ? 'offer' : 'offers'} excluded, each with its reason.`] : [];
  return [
    ...formatResults({ ...all, results: all.results.slice(0, FIRST) }, paint),
    ...winners,
    ...tradeOff(all),
    ...excluded,
  ];
}

interface Journey {
  readonly url: string;
  readonly keys: Keys;
  readonly body: RankingQuestion;
  readonly paint: Paint;
}

async function journeys(
  tarifario: Tarifario,
  all: WireRanking,
  { url, keys, body, paint }: Journey,
): Promise<string[]> {
  const masked = await createTarifario({ url, key: keys.public }).rankOffers({ body });
  return [
    ...formatWarnings(all, paint),
    ...formatResults(all, paint),
    ...formatWinners(all, paint),
    ...formatConflict(all),
    ...tradeOff(all),
    ...formatReasons(all),
    ...formatExcluded(all, paint),
    '',
    paint.strong('The same question with a key that may not see commissions: by cost alone'),
    '',
    ...formatResults(masked, paint),
    '',
    ...(await describeReadings(tarifario, paint)),
    '',
    ...(await describeHours(tarifario, paint)),
    '',
    ...(await describeNegotiation(tarifario, all, paint)),
    '',
    ...(await describeReach(tarifario, paint)),
  ];
}

/** From a QR code and from the curve of a meter to rankings, with the best offers of each. */
async function describeReadings(tarifario: Tarifario, paint: Paint): Promise<string[]> {
  const { invoiceUrl, curve } = readDemoReadings();
  const { efficient, contrato_actual } = await tarifario.readInvoice({ body: { url: invoiceUrl } });
  const extra = { client_type: 'dni', limit: FEW } as const;
  const byInvoice = await tarifario.rankOffers({
    body: { ...efficient, ...extra, ...(contrato_actual && { contrato_actual }) },
  });
  const place = { tariff_type: '2.0TD', territory: 'peninsula' } as const;
  const read = await tarifario.readConsumption({ ...place, body: new Blob([curve]) });
  const byMonths = await tarifario.rankOffers({
    body: { supply_type: 'LUZ', ...place, ...extra, potencia: { p1: 5.75, p2: 5.75 }, perfil: read.perfil },
  });
  return [
    paint.strong('From the QR code of an invoice to what each offer saves (a generated invoice)'),
    '',
    ...formatWarnings(byInvoice, paint),
    ...formatPresent(byInvoice),
    ...formatResults(byInvoice, paint),
    '',
    paint.strong(`From the curve of a meter: ${read.perfil.length} months of a house with panels (a generated file)`),
    '',
    ...formatWarnings(byMonths, paint),
    ...formatResults(byMonths, paint),
  ];
}

/** What the hours of a house with panels change for the offers that follow an index. */
async function describeHours(tarifario: Tarifario, paint: Paint): Promise<string[]> {
  const place = { tariff_type: '2.0TD', territory: 'peninsula' } as const;
  const body = new Blob([readDemoReadings().hourlyCurve]);
  const { perfil, indices = [] } = await tarifario.readConsumption({ ...place, indices: DEMO_INDEX.name, body });
  const question = { supply_type: 'LUZ', ...place, potencia: { p1: 4.6, p2: 4.6 }, w: 1, limit: 200 } as const;
  const byHours = await tarifario.rankOffers({ body: { ...question, perfil } });
  const means = perfil.map(({ anio: _year, indices: _hours, ...entry }) => entry);
  const byMeans = await tarifario.rankOffers({ body: { ...question, perfil: means } });
  const line = ({ results }: WireRanking, id: number, basis: string) => {
    const at = results.findIndex(({ offer }) => offer.id === id);
    const { offer, cost } = results[at] ?? {};
    if (!offer || !cost) return [];
    const figures = [cost.energia, cost.excedentes, cost.total].map((eur) => eur.toFixed(2).padStart(9));
    return [[offer.offer_name.padEnd(20), basis.padEnd(9), ...figures, String(at + 1).padStart(7)].join(' ')];
  };
  const followers = byHours.results.flatMap(({ offer, por_horas }) => (por_horas ? [offer.id] : []));
  return [
    paint.strong('From the hours of a meter: June 2026 of another house with panels (a generated file)'),
    HOURLY_CURVE,
    ...indices.map(({ indice, efecto }) => `Its hours cost ${efecto.toFixed(2)} EUR more than the mean of ${indice}.`),
    '',
    paint.weak('OFFER                PRICED       ENERGY   SURPLUS     TOTAL   PLACE'),
    ...followers.flatMap((id) => [...line(byMeans, id, 'by means'), ...line(byHours, id, 'by hours')]),
  ];
}

/** What the best paid offer would have to come down to win the customers of the demo with its tariff. */
async function describeNegotiation(tarifario: Tarifario, ranking: WireRanking, paint: Paint): Promise<string[]> {
  const offer_id = ranking.mas_comision_id;
  if (offer_id === null) return [];
  const customers = readDemoCatalog().households.map(({ name, efficient }) => ({ ref: name, ...efficient }));
  const own = customers.filter(({ tariff_type }) => tariff_type === '2.0TD');
  const negotiated = await tarifario.negotiateOffer({ body: { offer_id, customers: own } });
  const name = ranking.results.find(({ offer }) => offer.id === offer_id)?.offer.offer_name;
  return [
    paint.strong(`How far ${name} would have to come down to be the cheapest for customers of the demo`),
    '',
    ...formatNegotiation(negotiated),
  ];
}

/** What the comparison says of itself. */
async function describeReach(tarifario: Tarifario, paint: Paint): Promise<string[]> {
  const { scope, criteria, offers, retailers } = await tarifario.describeComparison({});
  return [paint.strong(`What is compared: ${offers} offers of ${retailers} retailers`), '', scope.en, criteria.en];
}

function describe({ name, efficient }: DemoHousehold): string {
  const { energia, potencia, tariff_type, territory, client_type } = efficient;
  const kwh = Object.values(energia ?? {}).join(' + ');
  const kw = [...new Set(Object.values(potencia ?? {}))].join(' / ');
  return `${name}: ${kwh} kWh a year, ${kw} kW, ${tariff_type}, ${territory}, ${client_type}`;
}

/** What the best-paid offer would cost the customer. */
function tradeOff({ results, mas_barata_id, mas_comision_id }: WireRanking): string[] {
  const cheapest = results.find(({ offer }) => offer.id === mas_barata_id);
  const bestPaid = results.find(({ offer }) => offer.id === mas_comision_id);
  if (!cheapest?.commission || !bestPaid?.commission) return [];
  const dearer = (bestPaid.cost.total - cheapest.cost.total).toFixed(2);
  const better = (bestPaid.commission.total - cheapest.commission.total).toFixed(2);
  return [
    '',
    `The best paid offer pays ${better} EUR a year more than the cheapest, and costs the customer ${dearer} EUR more.`,
  ];
}

function requests(
  url: string,
  keys: Keys,
  { household, ranking }: { household: DemoHousehold; ranking: WireRanking },
): string[] {
  // Offers of its data may be gone.
  const [first = 1, second = 2] = ranking.results.map(({ offer }) => offer.id);
  const get = (path: string, key = 'KEY') => `curl -s "$URL${path}" -H "X-API-Key: $${key}"`;
  const post = `-H "X-API-Key: $KEY" -H 'Content-Type: application/json'`;
  const call = { name: 'rank_offers', arguments: { ...household.efficient, limit: 3 } };
  const others = [
    get('/v1/offers?tariff_type=2.0TD&limit=2'),
    get(`/v1/offers/compare?ids=${first}&ids=${second}`),
    get(`/v1/offers/${first}`, 'BOT'),
    get(`/v1/offers/${first}/commission-calculator?consumption_mwh=3.5&power_kw=4.6`),
    get('/v1/offers/recommend?consumption_mwh=3.5&power_kw=4.6&tariff_type=2.0TD&limit=3'),
  ];
  return [
    `URL=${url}`,
    `KEY=${keys.full_access}`,
    `BOT=${keys.public}`,
    `curl -s "$URL/v1/offers/efficient" ${post} \\`,
    `  -d '${JSON.stringify({ ...household.efficient, w: 1, limit: 3 })}'`,
    ...others,
    '# The same for agents, by MCP, with the key of a bot that talks to customers:',
    `curl -s "$URL/mcp" ${post.replace('$KEY', '$BOT')} \\`,
    `  -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}'`,
    '# claude mcp add --transport http tarifario $URL/mcp --header "X-API-Key: $BOT"',
  ];
}
