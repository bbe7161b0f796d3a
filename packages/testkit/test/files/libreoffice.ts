import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = 'soffice';

/** Whether there is a LibreOffice here; says so loudly when there is none. */
export function hasLibreOffice(): boolean {
  const isHere = spawnSync(PROGRAM, ['--version']).status === 0;
  if (!isHere) console.warn(`NOT TESTED: what LibreOffice does to our workbooks. There is no ${PROGRAM} here.`);
  return isHere;
}

export interface LibreOffice {
  /** A workbook as LibreOffice saves it after opening it. Meanwhile connections may end, and are seen to end. */
  savedAgain(bytes: Uint8Array): Promise<Uint8Array>;
  close(): void;
}

/** A LibreOffice with a profile and a folder of its own. */
export function openLibreOffice(): LibreOffice {
  const folder = mkdtempSync(join(tmpdir(), 'libreoffice-'));
  const [opened, saved] = [join(folder, 'file.xlsx'), join(folder, 'saved')];
  mkdirSync(saved);
  return {
    async savedAgain(bytes) {
      writeFileSync(opened, bytes);
      const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
      rmSync(join(saved, 'file.xlsx'), { force: true });
      await promisify(execFile)(PROGRAM, [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, opened], {
        timeout: 600_000,
      });
      return readFileSync(join(saved, 'file.xlsx'));
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
