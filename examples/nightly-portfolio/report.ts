import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createTarifario, type PortfolioCustomer, TarifarioError } from '@tarifario/client';
import Papa from 'papaparse';

const [source = 'customers.csv', target = 'report.csv'] = process.argv.slice(2);
const { TARIFARIO_URL = 'http://127.0.0.1:3000', TARIFARIO_KEY = '' } = process.env;
/** Nobody waits for the report, so it is patient with a busy service. */
const tarifario = createTarifario({ url: TARIFARIO_URL, key: TARIFARIO_KEY, retries: 5, maxWaitSeconds: 300 });
/** How many customers a call may have. */
const CALL = 1000;

type Row = Readonly<Record<string, string>>;

function customerOf(row: Row): PortfolioCustomer {
  // An empty cell becomes `null`, which the service refuses: 0 would be a guess.
  const number = (name: string) => Number(row[name] || Number.NaN);
  return {
    ref: row.ref ?? '',
    supply_type: 'LUZ',
    tariff_type: row.tariff_type ?? '',
    territory: 'peninsula',
    // Without it a household is shown offers for companies. The service refuses a word that is none of these.
    ...(row.client_type && { client_type: row.client_type as 'dni' | 'cif' | 'cdad' }),
    energia: { e1: number('e1'), e2: number('e2'), e3: number('e3') },
    potencia: { p1: number('p1'), p2: number('p2') },
    // Savings only: the report is for customers.
    w: 1,
    ...(row.pays_eur && { contrato_actual: { coste_total: Number(row.pays_eur) } }),
  };
}

/** Asks again after a lost connection, also that of a proxy (502, 504). A ranking may be asked for twice; a write needs an `idempotencyKey` for that. */
async function again<T>(ask: () => Promise<T>, tries = 4): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await ask();
    } catch (error) {
      const isLost = error instanceof TarifarioError && [0, 502, 504].includes(error.status);
      if (!isLost || left === 0) throw error;
      await setTimeout(1000);
    }
  }
}

const known = new Map<number, boolean>();

/** The costs of indexed offers are estimates, which the report says. Asked by id, because no list has all offers of a ranking. */
async function isIndexed(id: number): Promise<boolean> {
  const found = known.get(id) ?? (await again(() => tarifario.getOffer({ id, fields: 'is_indexed' }))).is_indexed;
  known.set(id, found);
  return found;
}

/** The best offer of a thousand customers at most, a line of the report for each. */
async function reportOf(customers: readonly PortfolioCustomer[]) {
  const fields = 'results.ref,results.avisos,results.best,results.error';
  const { results } = await again(() =>
    tarifario.rankPortfolio({ body: { customers: [...customers], top: 1 }, fields }),
  );
  const lines = [];
  for (const answer of results) {
    if (!('best' in answer)) {
      const { code, errors = [] } = answer.error;
      lines.push({
        ref: answer.ref,
        problem: [code, ...errors.map(({ path, error }) => `${path} ${error}`)].join('; '),
      });
      continue;
    }
    const [best] = answer.best;
    lines.push({
      ref: answer.ref,
      offer: best?.offer_name,
      company: best?.company_name,
      indexed: best && ((await isIndexed(best.offer_id)) ? 'yes' : 'no'),
      cost_eur: best?.cost.total,
      saves_eur: best?.ahorro?.eur,
      avisos: answer.avisos.join(' '),
      problem: best ? '' : 'no offer for this customer',
    });
  }
  return lines;
}

const { data } = Papa.parse<Row>(readFileSync(source, 'utf8'), {
  header: true,
  skipEmptyLines: true,
  transform: (cell) => cell.trim(),
});
const customers = data.map(customerOf);
const lines = [];
for (let from = 0; from < customers.length; from += CALL) {
  lines.push(...(await reportOf(customers.slice(from, from + CALL))));
}
const columns = ['ref', 'offer', 'company', 'indexed', 'cost_eur', 'saves_eur', 'avisos', 'problem'];
writeFileSync(`${target}.part`, `${Papa.unparse(lines, { columns, escapeFormulae: true })}\n`);
renameSync(`${target}.part`, target);
const wrong = lines.filter(({ problem }) => problem !== '').length;
console.log(`${lines.length} customers, ${wrong} with a problem: ${target}`);
