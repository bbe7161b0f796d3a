import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineOffer, type OfferDefinition, type Ranking, type RankOffersInput, rankOffers } from '@tarifario/core';
import { COST_PARTS } from '@tarifario/core/service';
import { describe, expect, test } from 'vitest';

/** The engine computes the example of the page, and every figure of its tables is compared. */
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

describe('the example worked out by hand', () => {
  const ranking = rank([1, 2, 3]);
  const byId = ranking.results.toSorted((a, b) => a.offer.id - b.offer.id);

  test('has the costs of the page', () => {
    const rows = byId.map(({ offer, cost }) => [offer.id, ...COST_PARTS.map(({ name }) => cost[name]), cost.totalEur]);
    const [expected, ...others] = tables(`| offer | ${COST_PARTS.map(({ wire }) => wire).join(' | ')} | total |`);
    expect(others).toEqual([]);
    expectRows(rows, expected);
  });

  test('has the commissions of the page', () => {
    const rows = byId.map(({ offer, commission }) => [
      offer.id,
      commission?.energyEur ?? Number.NaN,
      commission?.powerEur ?? Number.NaN,
      commission?.totalEur ?? Number.NaN,
    ]);
    expectRows(rows, tables('| offer | energia | potencia | total |')[0]);
  });

  test('has the order and the scores of the page, with its third offer and without', () => {
    const [all, without] = tables('| place | offer | nota_precio | nota_comision | nota |');
    expectRows(scoreRows(ranking), all);
    expectRows(scoreRows(rank([1, 2])), without);
  });

  test('has the winners by weight of the page', () => {
    const rows = ranking.winners?.map((segment) => [segment.fromWeight, segment.toWeight, segment.offerId]);
    expectRows(rows ?? [], tables('| w_desde | w_hasta | offer |')[0]);
  });

  test('uses the period of the page', () => {
    expect(page).toContain(`= ${ranking.period.months} months.`);
    expect(ranking.period).toEqual({ days: 73, months: 2.4 });
  });
});

const rounding = /## Where numbers are rounded(.*?)\n## /s.exec(page)?.[1] ?? '';

test('A-03: core rounds in the files that the page names, and in no other', () => {
  const sources = readdirSync(join(root, 'packages/core/src/engine'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'numbers.ts')
    .filter((file) => /roundHalfUp\(/.test(readFileSync(join(root, 'packages/core/src/engine', file), 'utf8')));
  const named = [...rounding.matchAll(/`(\w+\/[\w-]+\.ts)`/g)].map((match) => match[1] ?? '');
  expect(sources.toSorted()).toEqual([...new Set(named)].toSorted());
});

test('A-03: the decision, the page and the comment of the rounding give the same number of places', () => {
  const count = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'][
    (rounding.match(/^- /gm)?.length ?? 0) - 1
  ];
  const texts = [rounding, textOf('docs/assumptions.md'), textOf('packages/core/src/engine/numbers.ts')];
  expect(texts.map((text) => / (?:in|the) \[?(\w+)\s+places/.exec(text)?.[1])).toEqual([count, count, count]);
});

describe('what an embedder has to know without reading the engine', () => {
  const offers = Array.from({ length: 60 }, (_, index) =>
    defineOffer({
      ...{ id: index + 1, offerName: 'Tramos', supplyType: 'LUZ', tariffType: '2.0TD' },
      ...{ accepts: { dni: true }, territories: { peninsula: true } },
      energyEurPerKwh: [0.1234567, null, null],
      consumptionTiers: [
        { from: 0, to: 5, value: 1, type: 'fixed' },
        { from: 6, to: null, value: 2, type: 'fixed' },
      ],
    }),
  );
  const { results } = rankOffers({ offers, customer: { supplyType: 'LUZ', consumptionKwh: [5500.01] } });
  const readme = textOf('packages/core/README.md').replaceAll(/\s+/g, ' ');

  test('A-14: the page, the README and the hover of a tier say to which tier a gap of 1 MWh belongs', () => {
    expect(results[0]?.commission?.totalEur).toBe(2);
    const hover = /\/\*\*[^/]*\*\/\s*export type ConsumptionTier /.exec(
      textOf('packages/core/src/engine/commission/tier.ts'),
    )?.[0];
    for (const text of [page, readme, hover ?? ''])
      expect(text).toMatch(/gap of up to 1 MWh\s+belongs to the upper tier/);
  });

  test('A-03: the README says that parts of a cost are not rounded', () => {
    expect(results[0]?.cost).toMatchObject({ energyEur: 5500.01 * 0.1234567, totalEur: 679.013085 });
    expect(readme).toMatch(/Totals are rounded to 6 decimals, [^.]*the parts of a cost or of a commission are not\./);
  });

  test('the README says how many results there are by default', () => {
    expect(readme).toContain(`\`limit\` is ${results.length} by default`);
  });
});
