import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QUESTION, type Wire } from '../../../test/oracle-questions.ts';
import { COST_PARTS, SSAA_PART } from '../price/rule.ts';
import type { CostDifference } from './ranking.ts';
import { askReasons } from './reasons.ts';

interface Answer {
  readonly frente_a: number | null;
  readonly results: readonly {
    readonly porque: readonly { readonly concepto: string; readonly diferencia: number }[];
  }[];
}

/** The second program: exact fractions, the words of the wire, no code of the engine. */
const oracle: {
  readonly expectedFor: (given: Wire) => { readonly status: number; readonly body: Answer };
  readonly roundingRisks: (given: Wire) => readonly string[];
} = await import(new URL('../../../../../test-fixtures/vectors/oracle/oracle.mjs', import.meta.url).href);

function asking(given: Wire, asked: Wire): Wire {
  const { request, ...others } = given as { readonly request: { readonly body: Wire } };
  return { ...others, request: { ...request, body: { ...request.body, ...asked } } };
}

function differences(why: readonly CostDifference[] | undefined): Readonly<Record<string, number>> {
  const wire = new Map<string, string>([...COST_PARTS, SSAA_PART].map((part) => [part.name, part.wire]));
  return Object.fromEntries(
    why?.map(({ part, period, eur }) => [`${wire.get(part)}${period === null ? '' : `_p${period}`}`, eur]) ?? [],
  );
}

test('A-116: the engine and exact fractions explain every cost with the same figures', () => {
  let compared = 0;
  holds(
    fc.property(QUESTION, fc.nat({ max: 3 }), ({ entries, request, given }, place) => {
      const { results } = rankEntries(entries, request);
      const againstId = results[place]?.offer.id ?? null;
      const asked = asking(given, { explicar: true, ...(againstId !== null && { frente_a: againstId }) });
      const { status, body } = oracle.expectedFor(asked);
      if (status !== 200 || oracle.roundingRisks(asked).length > 0) return;
      const ranking = rankEntries(entries, { ...request, reasons: askReasons({ why: { againstId } }) });
      expect(ranking.reasons?.againstId).toBe(body.frente_a);
      ranking.results.forEach((result, index) => {
        const own = differences(result.reasons?.why);
        const exact = Object.fromEntries(
          body.results[index]?.porque.map((one) => [one.concepto, one.diferencia]) ?? [],
        );
        // What rounding leaves is in the largest difference: some millionths.
        for (const name of Object.keys({ ...own, ...exact })) {
          expect(Math.abs((own[name] ?? 0) - (exact[name] ?? 0))).toBeLessThan(2e-5);
          compared += 1;
        }
      });
    }),
    300,
  );
  expect(compared).toBeGreaterThan(1000);
});
