import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { expect } from 'vitest';
import { type Act, actInModel } from './acts.ts';
import { beginModel, FIRST_SECOND, instantAt } from './beginning.ts';
import { answer } from './model.ts';
import { KEYS } from './pieces.ts';
import { pickFrom, type RequestDraft, requestFrom } from './references.ts';
import { anyRequest } from './requests.ts';
import type { ExpectedAnswer, Request, State } from './state.ts';
import { type Service, verdictOf } from './systems.ts';

/** The services under test, and what they were asked so far. */
export interface Run {
  readonly services: readonly Service[];
  second: number;
  /** How often an operation was answered how. */
  readonly tally: Map<string, number>;
}

type Command = AsyncCommand<State, Run>;

function nextInstant(state: State, run: Run): string {
  run.second += 1;
  state.now = instantAt(run.second);
  return state.now;
}

/**
 * Asks the model and every service, and holds their answers against each other: status, body, ids, stamps, order and
 * totals. A refused or reading request has changed no row of any table.
 */
async function check(state: State, run: Run, request: Request): Promise<ExpectedAnswer> {
  const { services } = run;
  const at = nextInstant(state, run);
  // A file that is refused leaves a record, unless it was only tried.
  const { dry_run, keep } = request.query;
  const isSent = request.operation.startsWith('bulkUpdate') && (dry_run !== 'true' || keep === 'true');
  const isFile = isSent || request.operation === 'applyUpload';
  const but = isFile ? 'uploads' : undefined;
  const wanted = answer(state, request);
  const context = JSON.stringify(request);
  const isRead = /^(get|list|rank|recommend|compare|calculate)/.test(request.operation);
  const changesNothing = wanted.status >= 400 || isRead;
  let first: string | null = null;
  for (const { name, bugs, send, tables, readsCannotWrite, closeGaps } of services) {
    const isWatched = changesNothing && !(isRead && readsCannotWrite);
    const before = isWatched ? await tables(but) : '';
    const answered = await send(request, at);
    expect(bugs, context).toEqual([]);
    // How many bytes records take follows from how a store writes them.
    const text = JSON.stringify(answered, (member, value: unknown) => (member === 'storage' ? undefined : value));
    first ??= text;
    expect(text, `${name} and ${services[0]?.name}: ${context}`).toBe(first);
    expect(verdictOf(answered), `${name}: ${context}`).toEqual(wanted);
    if (isWatched) expect((await tables(but)) === before, `changes nothing on ${name}: ${context}`).toBe(true);
    if (wanted.status >= 400 && !isRead) await closeGaps();
  }
  return wanted;
}

function callCommand(draft: RequestDraft): Command {
  return {
    check: () => true,
    run: async (state, run) => {
      const request = requestFrom(state, draft);
      const { status } = await check(state, run, request);
      const entry = `${request.operation} ${status}`;
      run.tally.set(entry, (run.tally.get(entry) ?? 0) + 1);
    },
    toString: () => JSON.stringify(draft),
  };
}

type Pick = (state: State) => Act;

function actCommand(pick: Pick): Command {
  let text = 'an act';
  return {
    check: () => true,
    run: async (state, run) => {
      const act = pick(state);
      text = JSON.stringify(act);
      const at = nextInstant(state, run);
      for (const service of run.services) {
        await service.act(act, at);
        if (act.act === 'subscribe') await service.closeGaps();
      }
      actInModel(state, act);
    },
    toString: () => text,
  };
}

const pick = fc.nat(20);

const anyAct: Arbitrary<Command> = fc
  .oneof(
    fc.tuple(pick, fc.constantFrom('processing', 'failed', 'failed', 'completed' as const)).map(([n, to]) => {
      return (state: State): Act => ({ act: 'work', uploadId: pickFrom(state, 'waiting', n), to });
    }),
    fc
      .tuple(fc.constantFrom(1, 2), fc.integer({ min: 0, max: 5 }), fc.boolean())
      .map(([accountId, limit, isActive]) => {
        return (): Act => ({ act: 'subscribe', accountId, limit, isActive });
      }),
    fc.boolean().map((isActive) => (): Act => ({ act: 'account-active', accountId: 2, isActive })),
  )
  .map((choose) => actCommand(choose));

/** Lists of commands, requests for the most part. */
export function commandLists(maxCommands: number) {
  const requests = Array.from({ length: 12 }, () => anyRequest.map(callCommand));
  return fc.commands([...requests, anyAct], { maxCommands, size: 'max' });
}

const ENDING: readonly (readonly [string, Request['query']])[] = [
  ['listClients', { include_inactive: 'true', limit: '200' }],
  ['listCompanies', { include_inactive: 'true', limit: '200' }],
  ['listOffers', { include_inactive: 'true', limit: '200' }],
  ['listOffers', { include_inactive: 'true', limit: '200', supply_type: 'GAS' }],
  ['listUploads', { limit: '200' }],
  ['getStats', {}],
  ['getAccount', {}],
  ['getSubscription', {}],
];

/** Runs a list of commands on the model and on fresh services, and looks at all that is there in the end. */
export async function runList(
  services: readonly Service[],
  commands: Iterable<Command>,
  tally: Map<string, number>,
): Promise<void> {
  const state = beginModel();
  const run = { services, second: FIRST_SECOND, tally };
  await fc.asyncModelRun(() => ({ model: state, real: run }), commands);
  for (const key of [KEYS.full, KEYS.other]) {
    for (const [operation, query] of ENDING) await check(state, run, { operation, key, params: {}, query });
    for (const id of state.offers.keys()) {
      await check(state, run, { operation: 'getOffer', key, params: { id: String(id) }, query: {} });
    }
  }
}
