import type { HostileFile } from '@tarifario/testkit/files/hostile-files';
import { sheetXml, workbookFile } from '@tarifario/testkit/files/workbook-file';
import { runningChildren, watched } from '@tarifario/testkit/loop-watch';
import { expectWithin } from '@tarifario/testkit/share';
import { expect } from 'vitest';
import type { WorkbookReader } from '../src/workbook-reader.ts';
import { outcomeOf, wholeOf } from './whole-files.ts';

const GOOD_FILE = workbookFile({ sheets: { ofertas: sheetXml('<row><c><v>1</v></c></row>') } });

/** Expects that a file soon has its expected outcome, and that neither this process nor the next file is affected. */
export async function expectHarmless(reader: WorkbookReader, { bytes, outcome }: HostileFile): Promise<void> {
  const file = bytes();
  const { value, wallMs, blockedMs, grownMb } = await watched(() => outcomeOf(reader.read(file, 'xlsx')));
  expect(outcome.split(' or ')).toContain(value.split(' ')[0]);
  expectWithin(wallMs, 35_000);
  expectWithin(blockedMs, 100);
  expect(grownMb).toBeLessThan(50);
  expect(await runningChildren()).toBe(0);
  expect(await wholeOf(reader.read(GOOD_FILE, 'xlsx'))).toHaveLength(1);
}
