import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose, createLog } from '@tarifario/runtime';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { askService } from '@tarifario/testkit/service';
import { afterAll, beforeAll, expect, it } from 'vitest';

const HOUSEHOLD = { supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 1200, e2: 900, e3: 1400 } };
const PRICES = { e1: 0.18, e2: 0.13, e3: 0.09, p1: 0.08, p2: 0.01, territory_peninsula: true, acepta_dni: true };

let place: Workplace;
let proposalId = 0;
let made = '';

beforeAll(async () => {
  place = await openWorkplace();
  const person = ['--name', 'Una', '--email', 'a@example.com', '--password', 'molinos de viento'];
  await place.json(['account', 'create', ...person]);
  const { key } = await place.json<{ key: string }>(['key', 'create', '--account', '1', '--full-access']);
  const service = await compose(`sqlite:${place.databaseFile}`, createLog('silent'));
  const ask = async (id: string, body: unknown, params = {}) => {
    const answer = await askService(service, key, id, { params, body });
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body as { id: number; created_at: string };
  };
  const client = await ask('createClient', { name: 'Asesoría' });
  const company = await ask('createCompany', { client_id: client.id, name: 'Comercializadora' });
  const offer = await ask('createOffer', {
    ...PRICES,
    company_id: company.id,
    offer_name: 'Luz',
    supply_type: 'LUZ',
    tariff_type: '2.0TD',
  });
  const proposal = await ask('createProposal', { request: HOUSEHOLD, offer_ids: [offer.id] });
  [proposalId, made] = [proposal.id, proposal.created_at];
  await ask('updateOffer', { e1: 0.5 }, { id: String(offer.id) });
  await service.close();
  await writeFile(join(place.folder, 'customer.json'), JSON.stringify(HOUSEHOLD));
});

afterAll(() => place.remove());

it('A-86: ranks the offers of an account in the database, now and as of an instant', async () => {
  const rank = ['rank', '--account', '1', '--customer', join(place.folder, 'customer.json')];
  type Ranking = { as_of?: string; results: { offer: { e1: number } }[] };
  const now = await place.json<Ranking>(rank);
  expect([now.as_of, now.results[0]?.offer.e1]).toEqual([undefined, 0.5]);
  const then = await place.json<Ranking>([...rank, '--as-of', made]);
  expect([then.as_of, then.results[0]?.offer.e1]).toEqual([made, 0.18]);
  for (const [args, status, message] of [
    [[...rank, '--as-of', '2999-01-01'], 1, 'future'],
    [[...rank, '--as-of', 'ayer'], 1, 'as_of'],
    [['rank', '--offers', 'x.json', '--customer', 'y.json', '--as-of', made], 2, '--account'],
    [[...rank, '--offers', 'x.json'], 2, '--offers'],
  ] as const) {
    const finished = await place.runHere(args);
    expect([finished.status, finished.stdout]).toEqual([status, '']);
    expect(finished.stderr).toContain(message);
  }
});

it('A-90: verifies a proposal, and ends with status 1 where it is not reproducible', async () => {
  const verify = (id: number) => place.runHere(['proposal', 'verify', String(id)]);
  const good = await verify(proposalId);
  expect([good.status, JSON.parse(good.stdout)]).toEqual([
    0,
    { reproducible: true, sha256_now: expect.any(String), differences: [] },
  ]);
  const file = new DatabaseSync(place.databaseFile);
  file.exec("update proposals set content = replace(content, '1200', '1201')");
  file.close();
  const bad = await verify(proposalId);
  expect(bad.status).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({ reproducible: false });
  const missing = await verify(999);
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('there is no proposal 999')]);
});
