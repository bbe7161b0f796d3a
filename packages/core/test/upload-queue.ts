import type { Caller } from '../src/service/access/caller.ts';
import type { Upload } from '../src/service/uploads/upload.ts';
import { type Command, carryOut } from '../src/service/usecases/requests/command.ts';
import type { Deps } from '../src/service/usecases/requests/deps.ts';
import { type QueueParts, runNextUpload } from '../src/service/usecases/uploads/queued-uploads.ts';
import { createUpload, type NewUpload } from '../src/service/usecases/uploads/uploads.ts';
import { refusalOf } from '../testing/callers.ts';
import { createImportWorld, type ImportWorld } from './import-world.ts';
import { type FORMULA, sheet } from './simple-bulk.ts';

export const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;

/** A file that sets the first price of an offer, for its firm or for none. */
export function priceFile(world: ImportWorld, price: number | typeof FORMULA, offer = world.offers[0]) {
  const bytes = world.fileOf({ ofertas: sheet(['offer_id', 'e1'], [offer.id, price]) });
  return {
    ...{ fileName: 'a.xlsx', firmId: null, ownerFirmId: null },
    kind: 'offers_bulk_update' as const,
    file: { bytes, charged: null },
  };
}

/** Runs a command that uses what the world has. */
export function run<In, Out, Found, Ready>(
  world: ImportWorld,
  command: Command<In, Out, Found, Ready>,
  input: In,
  caller: Caller = world.fullCaller,
): Promise<Out> {
  const deps = world.deps as unknown as Deps;
  return carryOut({ command, input, deps, caller }, async ({ find, run }) => run(await find()));
}

export function queue(world: ImportWorld, file: NewUpload, caller?: Caller): Promise<Upload> {
  return run(world, createUpload, file, caller);
}

/** A world in which a file waits that sets the first price to 0.3. */
export async function worldWithFile(): Promise<ImportWorld> {
  const world = await createImportWorld();
  await queue(world, priceFile(world, 0.3));
  return world;
}

/** The background worker, with a list of the reported bugs. */
export function workerOf(world: ImportWorld, changes: Partial<QueueParts> = {}) {
  const bugs: unknown[] = [];
  const parts = { ...world.parts, reportBug: (error: unknown) => bugs.push(error), ...changes };
  return { bugs, next: () => runNextUpload(parts) };
}

export async function lastUpload(world: ImportWorld): Promise<Upload | undefined> {
  return (await world.uploads()).at(-1);
}

export async function firstPrice(world: ImportWorld, offer = world.offers[0]) {
  const stored = await world.offer(offer.id);
  return stored?.supplyType === 'LUZ' ? stored.energyEurPerKwh[0] : undefined;
}

export const write = (world: ImportWorld) => ({ keyId: null, at: world.parts.clock.now() });
