import { expect, test } from 'vitest';
import { createImportWorld, type ImportWorld, readingOf } from '../../../../test/import-world.ts';
import { FORMULA, NEW, NO_COUNTS, newRow, partsOf, sheet } from '../../../../test/simple-bulk.ts';
import { refusalOf } from '../../../../testing/callers.ts';
import { companyTerms } from '../../../../testing/contract/world.ts';
import { UnreadableFile } from '../../../engine/cells.ts';
import { DomainError, type RefusalCode, type RowErrors } from '../../../engine/errors.ts';
import type { IdempotencyRequest } from '../../access/idempotency.ts';
import type { ImportJob } from '../../ports/imports.ts';
import type { Reader, Store, Writer } from '../../ports/stores.ts';
import { importFile, runImport } from './run-import.ts';
import { reportIn } from './stored-reports.ts';

async function rowErrorsOf(attempt: Promise<unknown>): Promise<RowErrors | undefined> {
  const { code, details } = await refusalOf(attempt);
  return code === 'business_rule' ? details.rowErrors : undefined;
}

function write<T>({ store }: ImportWorld, work: (writer: Writer) => Promise<T>): Promise<T> {
  return store.write({ keyId: null, at: '2026-03-01T00:00:00.000Z' }, work);
}

/**
 * A store that counts what happens in its transactions. After each of the first reads others may write.
 *
 * @param times - After how many reads `disturb` is called.
 */
function disturbed({ store }: ImportWorld, times: number, disturb: () => Promise<unknown>) {
  const seen = { reads: 0, failedReads: 0, offers: 0, readWhileWriting: 0 };
  const counting = <T extends Reader>(reader: T, count: (offers: number) => void): T => ({
    ...reader,
    changes: {
      ...reader.changes,
      since: async (...of: Parameters<Reader['changes']['since']>) => {
        const changes = await reader.changes.since(...of);
        count(changes.offers.length);
        return changes;
      },
    },
  });
  const over: Pick<Store, 'read' | 'write'> = {
    read: async (work) => {
      seen.reads += 1;
      const isDisturbed = seen.reads <= times;
      try {
        return await store.read((reader) => work(counting(reader, (offers) => (seen.offers += offers))));
      } catch (error) {
        seen.failedReads += 1;
        throw error;
      } finally {
        if (isDisturbed) await disturb();
      }
    },
    write: (context, work) =>
      store.write(context, (writer) => work(counting(writer, () => (seen.readWhileWriting += 1)))),
  };
  return { store: over, seen };
}

/** Renames the firm Norte. */
function rename(world: ImportWorld, name: string): Promise<unknown> {
  const [firm] = world.firms;
  return write(world, (writer) => writer.firms.update(world.fullCaller.accountId, firm.id, { ...firm, name }));
}

test('A-38: an applied file leaves a completed upload without a file, with its result', async () => {
  const world = await createImportWorld();
  const [offer] = world.offers;
  const firmId = world.firms[0].id;
  const workbook = { ofertas: sheet(['offer_id', 'e1'], [offer.id, 0.2]) };
  const report = await runImport(world.parts, world.jobOf(workbook, { firmId }));
  const counts = { ...NO_COUNTS, replaced: 1 };
  expect(report).toEqual({ uploadId: 1, counts, diff: null, warnings: [] });
  expect(await world.offer(offer.id)).toMatchObject({ energyEurPerKwh: [0.2, null, null, null, null, null] });
  const [upload] = await world.uploads();
  expect(upload).toMatchObject({
    id: 1,
    kind: 'offers_bulk_update',
    firmId,
    fileName: 'ofertas.xlsx',
    sizeBytes: 2,
    status: 'completed',
    result: { ...counts, warnings: [] },
    error: null,
    hasFile: false,
  });
  expect(upload?.finishedAt).not.toBeNull();
  const [version] = (
    await world.store.read((reader) => reader.offers.versions(world.fullCaller.accountId, offer.id))
  ).slice(-1);
  expect(version?.keyId).toBe(world.fullCaller.keyId);
});

test('A-38: a file with wrong rows leaves a failed upload with the reason and the file', async () => {
  const world = await createImportWorld();
  const workbook = { ofertas: sheet(['offer_id', 'e1'], [world.offers[0].id, FORMULA], [999, 1]) };
  const { code, message: words, details } = await refusalOf(runImport(world.parts, world.jobOf(workbook)));
  expect(words).toBe('nothing was changed: the file has 2 errors');
  const { message } = details;
  const errors = [
    { sheet: 'ofertas', row: 2, id: world.offers[0].id, column: 'e1', message: 'must not be a formula' },
    { sheet: 'ofertas', row: 3, id: 999, column: 'offer_id', message: 'no such offer' },
  ];
  const rowErrors = { format: 'own', errors, errorCount: 2 };
  expect({ code, details }).toEqual({ code: 'business_rule', details: { message, rowErrors } });
  expect(await world.uploads()).toMatchObject([
    { status: 'failed', hasFile: true, result: null, error: { code, message, format: 'own', errors, errorCount: 2 } },
  ]);
});

test('A-38: of many errors an upload stores the first hundred about tiers, the first hundred others, and the number of all', async () => {
  const world = await createImportWorld();
  const wrong = (count: number) => Array.from({ length: count }, (_, index) => [1000 + index]);
  const workbook = {
    tramos_consumo: [['offer_id'], ...wrong(120)],
    borrar: [['offer_id'], ...wrong(130)],
  };
  const { errors = [], errorCount } = (await rowErrorsOf(runImport(world.parts, world.jobOf(workbook)))) ?? {};
  const ofTiers = errors.filter(({ sheet }) => sheet.startsWith('tramos_'));
  const others = errors.filter(({ sheet }) => sheet === 'borrar');
  expect(Math.min(ofTiers.length, others.length)).toBeGreaterThan(100);
  const [upload] = await world.uploads();
  expect(upload?.error).toMatchObject({ errorCount });
  expect(upload?.error?.errors).toEqual([...ofTiers.slice(0, 100), ...others.slice(0, 100)]);
});

test('A-28: an unreadable file is refused with our own message, its sheet and row, and leaves a failed upload', async () => {
  const world = await createImportWorld();
  const right = partsOf({ ofertas: sheet(['offer_id', 'e1'], [world.offers[0].id, 0.5]) });
  const bytes = world.workbooks.fileOf(right, new UnreadableFile('cell_too_long', 'precios\u202e', 12));
  const { code, message: words, details } = await refusalOf(runImport(world.parts, world.jobOf({}, { bytes })));
  expect([code, words]).toEqual([
    'invalid_request',
    'the file cannot be read: a cell has more than 4 096 bytes (sheet precios , row 12)',
  ]);
  expect(await world.uploads()).toMatchObject([{ status: 'failed', hasFile: true, error: { code, ...details } }]);
  expect(await world.offer(world.offers[0].id)).toEqual(world.offers[0]);
});

test('A-38: a file that is too large, or that is refused because the queue is full, leaves no upload', async () => {
  const world = await createImportWorld();
  const refuse = async (job: ImportJob): Promise<RefusalCode> => (await refusalOf(runImport(world.parts, job))).code;
  expect(await refuse(world.jobOf({}, { bytes: new Uint8Array(10 * 1024 * 1024 + 1) }))).toBe('too_large');
  const counted = world.workbooks.fileOf([], new UnreadableFile('too_large'));
  expect(await refuse(world.jobOf({}, { bytes: counted }))).toBe('too_large');
  const workbooks = readingOf(world, {
    before: () => Promise.reject(new DomainError('unavailable', { retryAfterSeconds: 5 })),
  });
  const attempt = runImport({ ...world.parts, workbooks }, world.jobOf({}));
  expect((await refusalOf(attempt)).code).toBe('unavailable');
  expect(await world.uploads()).toEqual([]);
});

test('a bug leaves no upload and is rethrown unchanged', async () => {
  const world = await createImportWorld();
  const bug = new RangeError('broken');
  const sha256 = () => {
    throw bug;
  };
  const attempt = runImport({ ...world.parts, sha256 }, world.jobOf({ ofertas: [['offer_id'], [world.offers[0].id]] }));
  await expect(attempt).rejects.toBe(bug);
  expect(await world.uploads()).toEqual([]);
});

test('A-46: a dry run that is refused leaves no upload either', async () => {
  const world = await createImportWorld();
  const job = world.jobOf({ ofertas: [['offer_id'], [999]] }, { dryRun: true });
  expect((await refusalOf(runImport(world.parts, job))).code).toBe('business_rule');
  expect(await world.uploads()).toEqual([]);
});

test('A-42: a file is planned again when others write meanwhile', async () => {
  const world = await createImportWorld();
  const [firm] = world.firms;
  const job = world.jobOf({ ofertas: [NEW, newRow('Norte', 'Nueva', 'Una')] });
  const company = companyTerms(firm.id, 'NUEVA');
  const { store } = disturbed(world, 1, () =>
    write(world, (writer) => writer.companies.insert(job.caller.accountId, company)),
  );
  const { counts } = await runImport({ ...world.parts, store }, job);
  expect(counts).toMatchObject({ created: 1, companiesCreated: 0 });
});

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [9, 1],
])('a file that is disturbed %i times is planned %i times, and then makes others wait', async (times, expected) => {
  const world = await createImportWorld();
  const { store, seen } = disturbed(world, times, () => rename(world, `N${seen.reads}`));
  const prices = sheet(['offer_id', 'e1'], [world.offers[0].id, 0.77]);
  const { counts } = await runImport({ ...world.parts, store }, world.jobOf({ ofertas: prices }));
  expect([counts.replaced, seen.readWhileWriting]).toEqual([1, expected]);
  expect(await world.offer(world.offers[0].id)).toMatchObject({ energyEurPerKwh: expect.arrayContaining([0.77]) });
  expect(await world.uploads()).toMatchObject([{ status: 'completed' }]);
});

test.each([true, false])(
  'a file is planned after its snapshot has been read, while no transaction waits: dry %s',
  async (dryRun) => {
    const world = await createImportWorld();
    const { store, seen } = disturbed(world, 0, async () => {});
    const job = world.jobOf({ borrar: [['offer_id'], [999_999]] }, { dryRun });
    expect((await refusalOf(runImport({ ...world.parts, store }, job))).code).toBe('business_rule');
    expect(seen.failedReads).toBe(0);
  },
);

test('a file that is no longer valid when it is applied is refused, and changes nothing', async () => {
  const world = await createImportWorld();
  const workbook = {
    ofertas: [[...NEW], newRow('Norte', 'Nueva', 'Una')],
    borrar: [['offer_id'], [world.offers[1].id]],
  };
  const { store } = disturbed(world, 1, () => rename(world, 'Centro'));
  const rowErrors = await rowErrorsOf(runImport({ ...world.parts, store }, world.jobOf(workbook)));
  expect(rowErrors?.errors).toMatchObject([{ column: 'cliente', message: 'no such firm' }]);
  expect(await world.offer(world.offers[1].id)).toEqual(world.offers[1]);
  expect(await world.uploads()).toMatchObject([{ status: 'failed', hasFile: true }]);
});

test('a write to the catalog between plan and apply does not affect a file of own offers', async () => {
  const world = await createImportWorld();
  const terms = { ...world.catalogOffer, isActive: false };
  const { store, seen } = disturbed(world, 1, () =>
    write(world, (writer) =>
      writer.offers.update('catalog', [{ before: world.catalogOffer, terms, sections: ['reach'] }]),
    ),
  );
  const workbook = { ofertas: sheet(['offer_id', 'e1'], [world.offers[0].id, 0.2]) };
  await runImport({ ...world.parts, store }, world.jobOf(workbook));
  expect(seen).toMatchObject({ reads: 1, readWhileWriting: 0 });
});

test('A-26: to a caller who may not see commissions, writing the same commission is a change', async () => {
  const world = await createImportWorld();
  const [offer] = world.offers;
  const workbook = { ofertas: sheet(['offer_id', 'commission'], [offer.id, offer.commissionValue]) };
  const masked = await world.newCaller({ scopes: ['offers:write'] });
  await runImport(world.parts, world.jobOf(workbook));
  expect((await world.offer(offer.id))?.updatedAt).toBe(offer.updatedAt);
  await runImport(world.parts, world.jobOf(workbook, { caller: masked }));
  expect((await world.offer(offer.id))?.updatedAt).not.toBe(offer.updatedAt);
});

test('A-26: a caller who may no longer see commissions when the file is applied is treated accordingly', async () => {
  const world = await createImportWorld();
  const [offer] = world.offers;
  const masked = await world.newCaller({ scopes: ['offers:write'] });
  const workbook = { ofertas: sheet(['offer_id', 'commission'], [offer.id, offer.commissionValue]) };
  const callers = [world.fullCaller, masked];
  await importFile(world.parts, world.jobOf(workbook), { callerNow: async () => callers.shift() ?? masked });
  expect((await world.offer(offer.id))?.updatedAt).not.toBe(offer.updatedAt);
});

/** A claim of the caller of the world. */
function idempotencyRequestIn({ fullCaller }: ImportWorld): IdempotencyRequest {
  return { keyId: fullCaller.keyId, idempotencyKey: 'hoja', fingerprint: 'f', rights: 'r' };
}

function answerIn({ store }: ImportWorld, { keyId, idempotencyKey }: IdempotencyRequest) {
  return store.read((reader) => reader.answers.get(keyId, idempotencyKey));
}

test('a file in an account of many offers reads those that it names, and counts all for the quota', async () => {
  const world = await createImportWorld();
  const { accountId } = world.fullCaller;
  const more = Array.from({ length: 50 }, (_, index) => ({ ...world.offers[0], offerName: `Otra ${index}` }));
  await write(world, (writer) => writer.offers.insert(accountId, more));
  const { store, seen } = disturbed(world, 0, async () => {});
  const workbook = {
    ofertas: [
      [...NEW, 'e1'],
      [world.offers[0].id, ...newRow('Norte', 'Iber', 'Estable').slice(1), 0.2],
      [...newRow('Norte', 'Iber', 'Nueva'), 0.3],
    ],
  };
  expect((await runImport({ ...world.parts, store }, world.jobOf(workbook))).counts).toMatchObject({
    created: 1,
    replaced: 1,
  });
  expect(seen.offers).toBe(1);
  const caller = { ...world.fullCaller, quotas: { ...world.fullCaller.quotas, offers: 53 } };
  const another = world.jobOf({ ofertas: [NEW, newRow('Norte', 'Iber', 'Otra más')] }, { caller });
  expect((await refusalOf(runImport({ ...world.parts, store }, another))).code).toBe('quota_reached');
});

test('A-53: the report of a file is stored with its effect, and the same request is not performed again', async () => {
  const world = await createImportWorld();
  const idempotencyRequest = idempotencyRequestIn(world);
  const job = world.jobOf({ ofertas: [NEW, newRow('Norte', 'Nueva', 'Una')] }, { idempotencyRequest });
  const report = await runImport(world.parts, job);
  const stored = await answerIn(world, idempotencyRequest);
  expect(stored).toMatchObject(idempotencyRequest);
  expect(reportIn(stored?.answer ?? '')).toEqual(report);
  expect((await refusalOf(runImport(world.parts, job))).code).toBe('idempotency_in_flight');
  const other = { ...job, idempotencyRequest: { ...idempotencyRequest, fingerprint: 'g' } };
  expect((await refusalOf(runImport(world.parts, other))).code).toBe('idempotency_mismatch');
  expect(await world.uploads()).toHaveLength(1);
  const { offers } = await world.store.read((reader) => reader.changes.since(world.fullCaller.accountId, 0));
  expect(offers).toHaveLength(3);
});

test('A-53: a file that is wrong only because the same request was performed meanwhile leaves no failed upload', async () => {
  const world = await createImportWorld();
  const idempotencyRequest = idempotencyRequestIn(world);
  const job = world.jobOf({ ofertas: [NEW, newRow('Norte', 'Nueva', 'Una')] }, { idempotencyRequest });
  const { store } = disturbed(world, 1, async () => {
    await runImport(world.parts, job);
    await rename(world, 'Centro');
  });
  expect((await refusalOf(runImport({ ...world.parts, store }, job))).code).toBe('idempotency_in_flight');
  expect((await world.uploads()).map(({ status }) => status)).toEqual(['completed']);
});

test('A-53: a file that is wrong from the start while the same request is performed leaves no failed upload either', async () => {
  const world = await createImportWorld();
  const idempotencyRequest = idempotencyRequestIn(world);
  const right = world.jobOf({ borrar: [['offer_id'], [world.offers[0].id]] }, { idempotencyRequest });
  const wrong = world.jobOf({ borrar: [['offer_id'], [999]] }, { idempotencyRequest });
  // As slow as a file of that size may be.
  const workbooks = readingOf(world, { before: () => runImport(world.parts, right) });
  expect((await refusalOf(runImport({ ...world.parts, workbooks }, wrong))).code).toBe('idempotency_in_flight');
  expect((await world.uploads()).map(({ status }) => status)).toEqual(['completed']);
});

test('A-120: a dry run names active offers whose price of power is below the tolls and charges of its day', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const own = ['offer_id', 'p1', 'is_active'];
  const rowsIn = async (workbook: Parameters<ImportWorld['jobOf']>[0], changes: Partial<ImportJob> = {}) => {
    const { warnings } = await runImport(world.parts, world.jobOf(workbook, { dryRun: true, ...changes }));
    return warnings.filter(({ code }) => code === 'potencia_bajo_regulado').map(({ sheet: at, rows }) => [at, ...rows]);
  };
  const below = { ofertas: sheet(own, [one.id, 0.075901, true], [other.id, 0.075902, true]) };
  expect(await rowsIn(below)).toEqual([['ofertas', 2]]);
  expect(await rowsIn(below, { dryRun: false })).toEqual([]);
  // It is stored now: a row that changes nothing is named too.
  expect(await rowsIn({ ofertas: sheet(['offer_id'], [other.id], [one.id]) })).toEqual([['ofertas', 3]]);
  expect(await rowsIn({ ofertas: sheet(['offer_id', 'is_active'], [one.id, false]) })).toEqual([]);
  expect(await rowsIn({ ofertas: sheet([...NEW, 'p1'], [...newRow('Norte', 'Iber', 'Nueva'), 0.07]) })).toEqual([
    ['ofertas', 2],
  ]);
  world.pass(366 * 86_400);
  expect(await rowsIn(below)).toEqual([]);
});

test('A-04: a dry run names active offers whose tariff does not exist for their supply', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const rowsIn = async (...rows: readonly (readonly (string | number | boolean)[])[]) => {
    const own = sheet(['offer_id', 'tariff_type', 'is_active'], ...rows);
    const { warnings } = await runImport(world.parts, world.jobOf({ ofertas: own }, { dryRun: true }));
    return warnings.flatMap((warning) => (warning.code === 'peaje_desconocido' ? warning.rows : []));
  };
  expect(await rowsIn([one.id, '2.0A', true], [other.id, '3.0TD', true])).toEqual([2]);
  expect(await rowsIn([one.id, '2.0td', true], [other.id, 'RL.1', true])).toEqual([2, 3]);
  expect(await rowsIn([one.id, '2.0A', false], [other.id, '6.4TD', true])).toEqual([]);
});

test('A-165: a dry run names active offers that follow an index that is not loaded', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const ofertas = sheet(
    ['offer_id', 'placas_solares', 'indice_excedentes'],
    [one.id, true, 'PVPC'],
    [other.id, true, 'OMIE'],
  );
  const rowsIn = async () => {
    const { warnings } = await runImport(world.parts, world.jobOf({ ofertas }, { dryRun: true }));
    return warnings.flatMap((warning) => (warning.code === 'indice_sin_cargar' ? warning.rows : []));
  };
  expect(await rowsIn()).toEqual([2, 3]);
  const day = { index: 'PVPC', day: '2026-01-01', prices: Array(24).fill(0.1) };
  await world.parts.store.write({ keyId: null, at: world.parts.clock.now() }, (writer) => writer.indices.put([day]));
  expect(await rowsIn()).toEqual([3]);
});

test('A-43: a dry run asks about percentages that are all at most 1', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const askedOf = async (...values: readonly [number | null, number | null]) => {
    const columns = ['offer_id', 'descuento_energia_pct', 'descuento_meses'];
    const rows = [one, other].map(({ id }, at) => [id, values[at] ?? null, values[at] === null ? null : 12]);
    const { warnings } = await runImport(
      world.parts,
      world.jobOf({ ofertas: sheet(columns, ...rows) }, { dryRun: true }),
    );
    return warnings.filter(({ code }) => code === 'porcentaje_improbable');
  };
  const asked = { code: 'porcentaje_improbable', sheet: 'ofertas', columns: ['descuento_energia_pct'] };
  expect(await askedOf(0.1, 0.05)).toEqual([{ ...asked, count: 2, rows: [2, 3], percentage: 0.1 }]);
  expect(await askedOf(null, 1)).toEqual([{ ...asked, count: 1, rows: [3], percentage: 1 }]);
  expect(await askedOf(0.5, 10)).toEqual([]);
  expect(await askedOf(0, null)).toEqual([]);
});

test('A-121: a dry run names active offers with prices that are likely in cents or of a year', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const rowsIn = async (column: string, ...values: readonly [number, number]) => {
    const rows = [one, other].map(({ id }, at) => [id, values[at] ?? 0]);
    const { warnings } = await runImport(
      world.parts,
      world.jobOf({ ofertas: sheet(['offer_id', column], ...rows) }, { dryRun: true }),
    );
    return warnings.flatMap((warning) => (warning.code === 'precio_improbable' ? warning.rows : []));
  };
  expect(await rowsIn('e1', 8.5, 0.15)).toEqual([2]);
  expect(await rowsIn('e2', 2, 9.9)).toEqual([3]);
  expect(await rowsIn('services_cost', 100, 120)).toEqual([3]);
  expect(await rowsIn('p1', 1, 0.9)).toEqual([]);
});

test('A-121: a dry run names months with prices that are likely in cents', async () => {
  const world = await createImportWorld();
  const [{ id }] = world.offers;
  const ofertas = sheet(['offer_id', 'is_indexed'], [id, true]);
  const months = sheet(['offer_id', 'reference_month', 'e1'], [id, '2026-01', 0.2], [id, '2026-02', 8.5]);
  const job = world.jobOf({ ofertas, precios_indexados: months }, { dryRun: true });
  const { warnings } = await runImport(world.parts, job);
  expect(warnings.filter(({ code }) => code === 'precio_improbable')).toEqual([
    { code: 'precio_improbable', sheet: 'precios_indexados', count: 1, rows: [3] },
  ]);
});

test('A-128: a dry run names active 2.0TD offers for persons with a penalty above 5 %', async () => {
  const world = await createImportWorld();
  const [one, other] = world.offers;
  const rowsIn = async (columns: readonly string[], ...rows: readonly (readonly (string | number | boolean)[])[]) => {
    const job = world.jobOf({ ofertas: sheet(columns, ...rows) }, { dryRun: true });
    const { warnings } = await runImport(world.parts, job);
    return warnings.flatMap((one) => (one.code === 'penalizacion_sobre_el_limite' ? one.rows : []));
  };
  const own = ['offer_id', 'tariff_type', 'acepta_dni', 'acepta_cif', 'penalizacion_pct', 'is_active'];
  expect(
    await rowsIn(own, [one.id, '2.0TD', true, true, 5.01, true], [other.id, '2.0TD', true, true, 5, true]),
  ).toEqual([2]);
  expect(await rowsIn(own, [one.id, '3.0TD', true, true, 9, true], [other.id, '2.0TD', false, true, 9, true])).toEqual(
    [],
  );
  expect(await rowsIn(own, [one.id, '2.0TD', true, true, 9, false])).toEqual([]);
});
