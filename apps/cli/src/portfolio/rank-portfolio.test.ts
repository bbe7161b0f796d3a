import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { customersIn } from './customer-file.ts';
import { threadsFor } from './rank-portfolio.ts';

it('uses all processors only for files so large that loading the program on each of them pays', () => {
  expect([0, 8 * 2 ** 20 - 1, 8 * 2 ** 20].map((bytes) => threadsFor(bytes, 6))).toEqual([1, 1, 6]);
});

const HEADER = 'ref,e1,p1\n';

it.each([
  ['customers.csv', `${HEADER}uno,1000.5,4.6\ndos,,\n`, HEADER.length],
  ['customers.ndjson', '{"ref":"uno","dias":30}\n{"ref":"dos"}\n', 0],
])('counts rows of %s by their share of the bytes, so that progress ends with the work', async (name, text, head) => {
  const folder = await mkdtemp(join(tmpdir(), 'tarifario-rows-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text);
    let length = head;
    for await (const row of customersIn(file)) length += row.length;
    expect(length).toBe((await stat(file)).size);
  } finally {
    await rm(folder, { recursive: true });
  }
});
