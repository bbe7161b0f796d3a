import { compose, createLog, type Service } from '@tarifario/runtime';
import { fillAccount } from '../account.ts';
import { ask } from '../asking.ts';
import { line, type Row } from '../line.ts';
import { chances } from '../market.ts';
import { cpuMicros, medianOf } from '../measure.ts';
import { openService } from '../service-work.ts';

const OFFERS = 300;
/** How many accounts there are when they are measured. */
const COUNTS = [100, 1000];
/** Where random accounts are compared with skewed ones. */
const MANY = 1000;
/** Room for all of them: about a kilobyte an offer. */
const ALL_MB = 4096;
const ROUNDS = 3;
/** Rankings of one round. */
const RANKINGS = 1000;

type Keys = readonly string[];
/** Picks the account that calls next. */
type Pick = (keys: Keys) => number;

/** Processor time of a ranking, microseconds: of accounts that a pick chooses, and of one account all the time. */
async function measured(service: Service, keys: Keys, pick: Pick) {
  const rank = (account: number, turn: number) => ask(service, 'rankOffers', { apiKey: keys[account] ?? '', turn });
  const times: Record<'ours' | 'warm', number[]> = { ours: [], warm: [] };
  for (const account of keys.keys()) await rank(account, account);
  const roundOf = async (choose: Pick) => {
    const work = async () => {
      for (let turn = 0; turn < RANKINGS; turn++) await rank(choose(keys), turn);
    };
    return (await cpuMicros(work)) / RANKINGS;
  };
  await roundOf(pick);
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await roundOf(pick));
    times.warm.push(await roundOf(() => 0));
  }
  return { ours: medianOf(times.ours), warm: medianOf(times.warm) };
}

/** Every account as likely as the next. */
function uniform(): Pick {
  const chance = chances(3);
  return (keys) => Math.floor(chance() * keys.length);
}

/** The n-th account calls 1/n as often as the first (Zipf). */
function skewed(count: number): Pick {
  const chance = chances(4);
  const sums = [0];
  for (let n = 1; n <= count; n++) sums.push((sums[n - 1] ?? 0) + 1 / n);
  return () => {
    const share = chance() * (sums[count] ?? 0);
    return sums.findIndex((sum) => sum > share) - 1;
  };
}

async function rowOf(what: string, service: Service, keys: Keys, pick: Pick) {
  const { ours, warm } = await measured(service, keys, pick);
  const peer = { peer: 'one account all the time', peerMicros: warm, ratio: 'ours/theirs' } as const;
  return { what, oursMicros: ours, ...peer, goal: { atMost: 1.5 } } satisfies Row;
}

/**
 * Rankings by accounts of OFFERS offers each on SQLite: whole requests inside one process, without HTTP, each of
 * another account, against requests of one account that is always ready. Random: every account as often as the others;
 * skewed: the n-th calls 1/n as often as the first. Each account was ranked once before. As their number grows, a
 * request should cost the same.
 */
export const accountsLine = line({
  name: 'Many accounts',
  run: async () => {
    const { file, key, close } = await openService(OFFERS);
    const service = await compose(`sqlite:${file}`, createLog('error'), { cacheMb: ALL_MB });
    const keys = [key];
    const rows: Row[] = [];
    try {
      for (const count of COUNTS) {
        while (keys.length < count) keys.push((await fillAccount(service, OFFERS, `bench${keys.length}`)).key);
        rows.push(await rowOf(`${count} accounts, random`, service, keys, uniform()));
        if (count === MANY) rows.push(await rowOf(`${count} accounts, skewed`, service, keys, skewed(count)));
      }
    } finally {
      await service.close();
      await close();
    }
    return rows;
  },
});
