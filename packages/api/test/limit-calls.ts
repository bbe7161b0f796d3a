import type { Plan } from '@tarifario/core/service';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import type { ApiAnswer } from '../src/index.ts';

export const codeOf = ({ body }: ApiAnswer) => asRecord(asRecord(body ?? { detail: {} }).detail ?? {}).code;

/** Callers with a plan, and calls until there is no point left. */
export function limitCalls(world: () => World) {
  /** A fresh account with a key that is not bound and one that is. */
  async function newCaller(plan: Plan): Promise<{ accountId: number; key: string; boundKey: string }> {
    const { id } = await world().newAccount({ plan });
    const terms = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    const at = '2026-01-01T00:00:00.000Z';
    const firm = await world().store.write({ keyId: null, at }, (writer) => writer.firms.insert(id, terms));
    return { accountId: id, key: await world().newKey(id), boundKey: await world().newKey(id, { firmId: firm.id }) };
  }

  const ask = (key: string | null, address?: string) =>
    world().send('getAccount', { key, ...(address === undefined ? {} : { address }) });

  /** Calls until one is refused for its rate: how many passed before. */
  async function passing(call: () => Promise<ApiAnswer>): Promise<{ passed: number; refused: ApiAnswer }> {
    for (let passed = 0; passed < 1000; passed += 1) {
      const answer = await call();
      if (answer.status === 429) return { passed, refused: answer };
    }
    throw new Error('a thousand calls passed');
  }

  return { newCaller, ask, passing };
}
