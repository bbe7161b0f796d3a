import { COST_PARTS, type CostPartName, SSAA_PART } from '@tarifario/core/service';
import { toWireEur } from '../../wire/numbers.ts';

/** A value for each part of a cost or a commission, by its name on the wire, in the order of the parts. */
export function byPart<Part extends { readonly wire: string }, Value>(
  parts: readonly Part[],
  make: (part: Part) => Value,
): { readonly [Name in Part['wire']]: Value } {
  // A loop takes half the time of Object.fromEntries; every result of a portfolio passes here.
  const values: { [Name in Part['wire']]?: Value } = {};
  for (const part of parts) values[part.wire as Part['wire']] = make(part);
  return values as { readonly [Name in Part['wire']]: Value };
}

/** The cost of an offer or, where parts may be unknown, of the present contract. */
export function toWireCost<Eur extends number | null>(
  cost: { readonly [Name in CostPartName]: Eur } & { readonly ssaaEur?: number; readonly totalEur: number },
) {
  const parts = byPart(COST_PARTS, ({ name }) => {
    const eur: number | null = cost[name];
    return (eur === null ? null : toWireEur(eur)) as Eur;
  });
  const { ssaaEur, totalEur } = cost;
  return {
    ...parts,
    ...(ssaaEur !== undefined && { [SSAA_PART.wire]: toWireEur(ssaaEur) }),
    total: toWireEur(totalEur),
  };
}
