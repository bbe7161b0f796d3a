import { compare, divide, exact, fraction, ONE, subtract, toWireNumber, ZERO } from './rational.mjs';
import { orderAt } from './score.mjs';

/**
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {import('./score.mjs').Scored} Scored
 * @typedef {{ from: Rational, to: Rational, winner: Scored }} Segment
 */

/** How fast the score grows with the weight. @type {(entry: Scored) => Rational} */
const slopeOf = (entry) => subtract(entry.notaPrecio, entry.notaComision);

/**
 * The weight above which `steeper` beats `current`: n(w) = comision + w * (precio - comision), solved for equality.
 *
 * @type {(current: Scored, steeper: Scored) => Rational}
 */
const crossing = (current, steeper) =>
  divide(subtract(current.notaComision, steeper.notaComision), subtract(slopeOf(steeper), slopeOf(current)));

/** @type {(all: readonly Scored[]) => Segment[]} */
function upperEnvelope(all) {
  /** @type {Segment[]} */
  const segments = [];
  const byTie = orderAt(ONE, true);
  let winner = [...all].sort(
    (a, b) => compare(b.notaComision, a.notaComision) || compare(b.notaPrecio, a.notaPrecio) || byTie(a, b),
  )[0];
  let from = ZERO;
  while (winner !== undefined) {
    const current = winner;
    const [next] = all
      .filter((entry) => compare(slopeOf(entry), slopeOf(current)) > 0)
      .map((entry) => ({ entry, at: crossing(current, entry) }))
      .sort((a, b) => compare(a.at, b.at) || compare(slopeOf(b.entry), slopeOf(a.entry)) || byTie(a.entry, b.entry));
    const ends = next === undefined || compare(next.at, ONE) >= 0;
    segments.push({ from, to: ends ? ONE : next.at, winner: current });
    winner = ends ? undefined : next.entry;
    from = ends ? ONE : next.at;
  }
  return segments;
}

/**
 * Who wins at which weight, from 0 to 1 without a gap.
 *
 * @param {readonly Scored[]} all
 * @param {Trace} trace
 * @returns {{ w_desde: number, w_hasta: number, offer_id: number }[]}
 */
export function winnersByWeight(all, trace) {
  const segments = upperEnvelope(all);
  const [atZero, atOne] = [ZERO, ONE].map((w) => [...all].sort(orderAt(w, true))[0]);
  if (atZero !== undefined && atZero !== segments[0]?.winner)
    segments.unshift({ from: ZERO, to: ZERO, winner: atZero });
  if (atOne !== undefined && atOne !== segments.at(-1)?.winner) segments.push({ from: ONE, to: ONE, winner: atOne });
  for (const [index, { from, to, winner }] of segments.entries()) {
    const next = segments[index + 1]?.winner;
    const turn = next === undefined ? ONE : subtract(slopeOf(next), slopeOf(winner));
    if (compare(subtract(to, from), exact('0.000001')) < 0)
      trace.risks.push('a winner holds for less than 1e-6 of weight');
    if (compare(turn, fraction(2n, 1000n)) < 0) trace.risks.push('two winners are nearly parallel');
  }
  return segments.map(({ from, to, winner }) => ({
    w_desde: toWireNumber(from, 9),
    w_hasta: toWireNumber(to, 9),
    offer_id: winner.offer.id,
  }));
}
