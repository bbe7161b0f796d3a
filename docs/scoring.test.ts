import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineOffer, type OfferDefinition, type Ranking, type RankOffersInput, rankOffers } from '@tarifario/core';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const page = textOf('docs/scoring.md');

interface Example extends Omit<RankOffersInput, 'offers'> {
  readonly offers: readonly Omit<OfferDefinition, 'supplyType' | 'tariffType' | 'accepts' | 'territories'>[];
}

const example: Example = JSON.parse(/```json scoring-example\n(.*?)```/s.exec(page)?.[1] ?? '');

/** The rows of the tables with this header, one list of rows for each table. */
function tables(header: string): number[][][] {
  return page
    .split(`\n${header}\n`)
    .slice(1)
    .map((text) => {
      const [rule = '', ...lines] = text.split('\n');
      expect(rule).toMatch(/^[|-]+$/);
      const end = lines.findIndex((line) => !line.startsWith('|'));
      return lines.slice(0, end).map((line) => line.split('|').slice(1, -1).map(Number));
    });
}

function rank(offerIds: readonly number[]): Ranking {
  const offers = example.offers
    .filter(({ id }) => offerIds.includes(id))
    .map((definition) =>
      defineOffer({
        ...definition,
        supplyType: 'LUZ',
        tariffType: '2.0TD',
        accepts: { dni: true },
        territories: { peninsula: true },
      }),
    );
  return rankOffers({ ...example, offers });
}

/** Answers are rounded, and the page shows at most 4 decimals. */
function expectRows(actual: readonly (readonly number[])[], expected: readonly (readonly number[])[] | undefined) {
  expect(actual.map((row) => row.map((value) => Math.round(value * 1e4) / 1e4 + 0))).toEqual(expected);
}

const scoreRows = ({ results }: Ranking) =>
  results.map((result, place) => [
    place + 1,
    result.offer.id,
    result.priceScore,
    result.commissionScore ?? Number.NaN,
    result.score,
  ]);

test('the example of the page has its order and its scores, with its third offer and without', () => {
  const [all, without] = tables('| place | offer | nota_precio | nota_comision | nota |');
  expectRows(scoreRows(rank([1, 2, 3])), all);
  expectRows(scoreRows(rank([1, 2])), without);
});

const rounding = /## Where numbers are rounded(.*?)\n## /s.exec(page)?.[1] ?? '';

test('A-03: core rounds in the files that the page names, and in no other', () => {
  const sources = readdirSync(join(root, 'packages/core/src/engine'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'numbers.ts')
    .filter((file) => /roundHalfUp\(/.test(readFileSync(join(root, 'packages/core/src/engine', file), 'utf8')));
  const named = [...rounding.matchAll(/`(\w+\/[\w-]+\.ts)`/g)].map((match) => match[1] ?? '');
  expect(sources.toSorted()).toEqual([...new Set(named)].toSorted());
});
