import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Pages in Spanish against those beside them in English, whose commands other tests run. */
const root = join(import.meta.dirname, '..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const english = globSync('{*.md,docs/*.md,docs/decisions/*.md}', { cwd: root })
  .filter((page) => page !== 'README.es.md')
  .map(read)
  .join('\n');

const PAGES = [
  ['README.es.md', 'README.md'],
  ['docs/es/hojas-de-calculo.md', 'docs/bulk-import.md'],
  ['docs/es/puesta-en-marcha.md', 'docs/operations.md'],
] as const;

/** The blocks of commands, fenced or indented, without the comments that a language has. */
function commandsIn(page: string): readonly string[] {
  const blocks = read(page).match(/^```sh\n[^`]*^```$|(?:^ {4}\S.*\n)+/gm) ?? [];
  return blocks.map((block) => block.replaceAll(/ +# .*$/gm, ''));
}

const settingsIn = (page: string) =>
  new Map(
    [...read(page).matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| ([^|]*) \|/gm)].map(([, name = '', initial = '']) => [
      name,
      initial,
    ]),
  );

describe.each(PAGES)('%s beside %s', (page, original) => {
  test('has only commands that the page in English has, unchanged', () => {
    const commands = commandsIn(page);
    expect(commands.length).toBeGreaterThan(1);
    expect(commandsIn(original)).toEqual(expect.arrayContaining([...commands]));
  });

  test('has the settings of the page in English, with the same defaults', () => {
    const settings = settingsIn(original);
    const wrong = [...settingsIn(page)].filter(([name, initial]) => {
      const known = settings.get(name) ?? '';
      return initial.includes('`') ? known !== initial : known === '' || known.includes('`');
    });
    expect(wrong).toEqual([]);
  });

  test('names in code only what pages in English name', () => {
    const codes = [
      ...read(page)
        .replaceAll(/^```.*?^```$/gms, '')
        .matchAll(/`([^`\n]+)`/g),
    ].map(([, code = '']) => code);
    expect(codes.filter((code) => !english.includes(code))).toEqual([]);
  });

  test('is linked from the page in English', () => {
    expect(read(original)).toContain(page.replace(/^docs\//, ''));
  });
});
