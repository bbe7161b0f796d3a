import { type Operation, operations } from '@tarifario/api';
import type { Service } from '@tarifario/runtime';
import { customers } from './market.ts';
import { toBody } from './question-body.ts';

const BODIES = customers(64).map(toBody);

/** A call without HTTP. */
export interface Call {
  readonly apiKey: string;
  /** The number of the question, for operations that have one. */
  readonly turn: number;
  /** The instant of a ranking; left out: now. */
  readonly as_of?: string;
}

/** One whole request inside the process, of an operation without parameters in its path. */
export async function ask(service: Service, id: Operation['id'], { apiKey, turn, ...more }: Call): Promise<void> {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new RangeError(`there is no operation ${id}`);
  const query = new URLSearchParams(operation.method === 'GET' ? 'limit=100' : '');
  const call = { operation, apiKey, address: '127.0.0.1', params: {}, query, takesJson: true };
  const { status } = await service.dispatch({
    kind: 'operation',
    ...call,
    readBody: async () => ({ ...BODIES[turn % BODIES.length], ...more }),
  });
  if (status !== 200) throw new RangeError(`${id} was answered ${status}`);
}
