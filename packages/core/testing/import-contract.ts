import fc from 'fast-check';
import { TEMPLATE_KINDS, templateOf } from '../src/bulk/template.ts';
import type { SheetPart } from '../src/engine/cells.ts';
import { BULK_FORMATS, type BulkFormat, DomainError } from '../src/engine/errors.ts';
import type { Caller } from '../src/service/access/caller.ts';
import type { ImportReport } from '../src/service/ports/imports.ts';
import type { Reader, Store } from '../src/service/ports/stores.ts';
import type { Upload } from '../src/service/uploads/upload.ts';
import { catalogCounts } from '../src/service/usecases/requests/stats.ts';
import { runImport } from '../src/service/usecases/uploads/run-import.ts';
import { arbitraryBulkState, toSheetParts } from './bulk.ts';
import { equal, failureOf, SEED, type StoreCase } from './contract/assertions.ts';
import { EVERYTHING, moment, storeSnapshot } from './contract/world.ts';
import { arbitraryEditing, type EditedWorkbook, editedWorkbook } from './workbooks/arbitrary-workbooks.ts';
import { createMemoryWorkbooks } from './workbooks/memory-workbooks.ts';
import { naiveAfterRows, naiveState } from './workbooks/naive-bulk.ts';
import { arbitraryPlaces, hangsOnBadRow, partsOf, plantFaults } from './workbooks/planted-faults.ts';
import { recordsOfOwner, type Seeded, seed, seeing } from './workbooks/seeding.ts';

export interface ImportContractOptions {
  /**
   * Everything that a store holds except uploads, their files and recorded calls, if it can be read. By default
   * everything that a reader shows.
   */
  readonly dump?: (store: Store) => Promise<unknown>;
  /** How many workbooks each law is tried with. */
  readonly runs?: number;
}

/** A store with the offers of an owner, and the means to apply files to them. */
interface World extends Seeded {
  readonly store: Store;
  readonly format: BulkFormat;
  dump(): Promise<unknown>;
  /** Applies a file as the caller, or as one with fewer rights. */
  apply(
    parts: readonly SheetPart[],
    changes?: { readonly caller?: Caller; readonly dryRun?: boolean },
  ): Promise<ImportReport>;
  uploads(): Promise<readonly Upload[]>;
}

const HASH = 'a'.repeat(64);
const OF_DRY_RUNS: readonly string[] = [
  'columna_ausente',
  'peaje_desconocido',
  'potencia_bajo_regulado',
  'penalizacion_sobre_el_limite',
  'porcentaje_improbable',
  'precio_improbable',
  'indice_sin_cargar',
];

type Setup = Required<ImportContractOptions> & { readonly makeStore: () => Promise<Store> };

/** Runs a law on worlds of arbitrary states, each with a new store. */
async function holdsIn<T>(
  setup: Setup,
  format: BulkFormat,
  example: {
    readonly arbitrary: fc.Arbitrary<T>;
    readonly law: (world: World, value: T) => Promise<void>;
  },
): Promise<void> {
  const property = fc.asyncProperty(arbitraryBulkState(format), example.arbitrary, async (state, value) => {
    const store = await setup.makeStore();
    try {
      const seeded = await seed(store, format, state);
      await example.law(worldOf(setup, { store, format, seeded }), value);
    } finally {
      await store.close();
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: setup.runs });
}

function worldOf(
  { dump }: Setup,
  { store, format, seeded }: { readonly store: Store; readonly format: BulkFormat; readonly seeded: Seeded },
): World {
  const workbooks = createMemoryWorkbooks();
  let now = 100;
  const clock = { now: () => moment(now++) };
  const { accountId } = seeded.caller;
  return {
    ...seeded,
    store,
    format,
    dump: () => dump(store),
    apply: (parts, { caller = seeded.caller, dryRun = false } = {}) => {
      const file = {
        fileName: 'ofertas.xlsx',
        bytes: workbooks.fileOf(parts),
        dryRun,
        uploadId: null,
        idempotencyRequest: null,
      };
      return runImport({ store, clock, workbooks, sha256: () => HASH }, { caller, format, firmId: null, ...file });
    },
    uploads: async () => {
      const query = { accountId, firmId: null, status: null };
      return (await store.read((reader) => reader.uploads.list(query, EVERYTHING))).results;
    },
  };
}

/** A valid workbook made from the stored records. */
async function workbookIn(
  { store, owner, format }: World,
  editing: Parameters<typeof editedWorkbook>[2],
): Promise<EditedWorkbook> {
  return editedWorkbook(await recordsOfOwner(store, owner), format, editing);
}

const LAWS: readonly {
  readonly name: string;
  readonly run: (given: Setup, format: BulkFormat) => Promise<void>;
}[] = [
  {
    name: 'A-42, A-43: a workbook with wrong rows changes nothing, and is refused for exactly those rows',
    run: async (setup, format) => {
      const arbitrary = fc.tuple(arbitraryEditing(), arbitraryPlaces());
      await holdsIn(setup, format, {
        arbitrary,
        law: async (world, [editing, places]) => {
          const workbook = await workbookIn(world, editing);
          const { parts, bad } = plantFaults(workbook.tables, places);
          // A workbook without visible faults is replaced by another one.
          fc.pre(bad.length > 0 && !hangsOnBadRow(workbook, bad, format));
          const before = await world.dump();
          const caller = seeing(world.caller, workbook.rights.seesCommissions);
          const error = await failureOf(world.apply(parts, { caller }), 'a workbook with wrong rows');
          if (!(error instanceof DomainError) || error.code !== 'business_rule') throw error;
          const rows = error.details.rowErrors?.errors.map(({ sheet, row }) => `${sheet} ${row}`);
          equal([...new Set(rows)].toSorted(), bad.toSorted(), 'the rows that it names');
          equal(await world.dump(), before, 'everything that is kept');
          const [upload, ...others] = await world.uploads();
          equal([upload?.status, upload?.hasFile, upload?.result, others], ['failed', true, null, []], 'the upload');
        },
      });
    },
  },
  {
    name: 'A-42: a valid workbook has the effect of its rows one by one, and its upload says so',
    run: (setup, format) =>
      holdsIn(setup, format, {
        arbitrary: arbitraryEditing(),
        law: async (world, editing) => {
          const workbook = await workbookIn(world, editing);
          const before = await recordsOfOwner(world.store, world.owner);
          const caller = seeing(world.caller, workbook.rights.seesCommissions);
          const report = await world.apply(partsOf(workbook.tables), { caller });
          const after = await recordsOfOwner(world.store, world.owner);
          const expected = naiveAfterRows(before, workbook.tables, format);
          equal(newOnesByNumber(naiveState(after), before.offers.length), expected, 'the offers');
          const [upload] = await world.uploads();
          const kind = format === 'own' ? 'offers_bulk_update' : 'catalog_bulk_update';
          equal(
            [upload?.id, upload?.kind, upload?.status, upload?.hasFile, upload?.result],
            [report.uploadId, kind, 'completed', false, { ...report.counts, warnings: report.warnings }],
            'the upload',
          );
          await checkAudit(world, report);
        },
      }),
  },
  {
    name: 'A-44: a template that is sent back unedited, also by a spreadsheet with 15 digits, does not even change a stamp',
    run: (setup, format) =>
      holdsIn(setup, format, {
        arbitrary: fc.tuple(fc.constantFrom(...TEMPLATE_KINDS), fc.boolean(), fc.boolean(), fc.boolean()),
        law: async (world, [kind, isSeeing, includeInactive, isResaved]) => {
          const caller = seeing(world.caller, isSeeing);
          const rights = { format, seesCommissions: isSeeing, boundFirmId: null };
          const choice = { kind, supplyType: null, includeInactive };
          const records = await recordsOfOwner(world.store, world.owner);
          const look = () => world.store.read((reader) => ownerPortrait(reader, world));
          const before = await look();
          const sent = toSheetParts(templateOf(records, rights, choice));
          await world.apply(isResaved ? sent.map(withShortNumbers) : sent, { caller });
          equal(await look(), before, 'everything that is kept');
        },
      }),
  },
  {
    name: 'A-44: a caller who may not see commissions cannot erase one with a template',
    run: (setup, format) =>
      holdsIn(setup, format, {
        arbitrary: arbitraryEditing(),
        law: async (world, editing) => {
          const workbook = await workbookIn(world, { ...editing, seesCommissions: false });
          const before = commissionsIn((await recordsOfOwner(world.store, world.owner)).offers);
          await world.apply(partsOf(workbook.tables), { caller: seeing(world.caller, false) });
          const after = commissionsIn((await recordsOfOwner(world.store, world.owner)).offers);
          for (const [id, paid] of before) equal(after.get(id), paid, `commissions of offer ${id}`);
        },
      }),
  },
  {
    name: 'a dry run reports what the file would change and changes nothing',
    run: (setup, format) =>
      holdsIn(setup, format, {
        arbitrary: arbitraryEditing(),
        law: async (world, editing) => {
          const workbook = await workbookIn(world, editing);
          const caller = seeing(world.caller, workbook.rights.seesCommissions);
          const before = await world.dump();
          const dry = await world.apply(partsOf(workbook.tables), { caller, dryRun: true });
          equal([await world.dump(), await world.uploads()], [before, []], 'everything that is kept');
          const revision = await revisionOf(world);
          const report = await world.apply(partsOf(workbook.tables), { caller });
          const warnings = dry.warnings.filter(({ code }) => !OF_DRY_RUNS.includes(code));
          equal([dry.uploadId, dry.counts, warnings], [null, report.counts, report.warnings], 'the report');
          const isChanged = (await revisionOf(world)) !== revision;
          equal((dry.diff?.count ?? 0) > 0, isChanged, 'whether something changes');
        },
      }),
  },
];

/** A sheet after a spreadsheet has saved it. */
function withShortNumbers(part: SheetPart): SheetPart {
  const rows = part.rows.map(({ row, cells }) => ({
    row,
    cells: cells.map(({ column, value }) => {
      if (value.kind !== 'number' || value.number === null) return { column, value };
      const number = Number(value.number.toPrecision(15));
      return { column, value: { kind: 'number' as const, text: String(number), number } };
    }),
  }));
  return { ...part, rows };
}

/** New offers under the names that the model gives them, in the order of their ids. */
function newOnesByNumber<T>(state: Readonly<Record<string, T>>, known: number): Record<string, T> {
  const ids = Object.keys(state).sort((a, b) => Number(a) - Number(b));
  return Object.fromEntries(
    ids.flatMap((id, index) => {
      const offer = state[id];
      return offer === undefined ? [] : [[index < known ? id : `new ${index - known}`, offer] as const];
    }),
  );
}

async function checkAudit({ store, format, caller }: World, report: ImportReport): Promise<void> {
  const { results } = await store.read((reader) => reader.catalog.writes(EVERYTHING));
  if (format === 'own') return equal(results, [], 'the record of writes to the catalog');
  const counts = await store.read(catalogCounts);
  const [write] = results;
  const who = [write?.accountId, write?.keyId, write?.operation, write?.recordId, write?.fileHash];
  equal(who, [caller.accountId, 7, 'bulk_update', null, HASH], 'the record of the write');
  equal(write?.after, counts, 'the counts after it');
  const created = (write?.after.offers.total ?? 0) - (write?.before.offers.total ?? 0);
  equal(created, report.counts.created, 'the offers that it added');
}

async function revisionOf({ store, owner, caller }: World): Promise<number> {
  const { own, catalog } = await store.read((reader) => reader.changes.revisions(caller.accountId));
  return owner === 'catalog' ? catalog : own;
}

async function ownerPortrait(reader: Reader, { caller }: World): Promise<unknown> {
  // A write to the catalog is recorded, also when it changed nothing.
  const { audit: _, ...shown } = await storeSnapshot(reader, caller.accountId);
  return shown;
}

function commissionsIn(offers: Awaited<ReturnType<typeof recordsOfOwner>>['offers']): ReadonlyMap<number, unknown> {
  return new Map(
    offers.map(({ offer }) => [
      offer.id,
      [
        offer.commissionValue,
        offer.commissionType,
        offer.consumptionTiers,
        offer.supplyType === 'LUZ' ? offer.powerTiers : null,
      ],
    ]),
  );
}

/**
 * The contract for applying files on every store: a list of named checks, to be run like those of `storeContract`.
 *
 * @param makeStore - Makes an empty store; each check makes several and closes them.
 */
export function importContract(
  makeStore: () => Promise<Store>,
  { dump = dumpByReading, runs = 25 }: ImportContractOptions = {},
): readonly StoreCase[] {
  const setup = { makeStore, dump, runs };
  return BULK_FORMATS.flatMap((format) =>
    LAWS.map(({ name, run }) => ({ name: `${format}: ${name}`, run: () => run(setup, format) })),
  );
}

/** All accounts with all their records. */
async function dumpByReading(store: Store): Promise<unknown> {
  return await store.read(async (reader) => {
    const storeSnapshots = [];
    for (const { id } of await reader.accounts.list()) storeSnapshots.push(await storeSnapshot(reader, id));
    return storeSnapshots;
  });
}
