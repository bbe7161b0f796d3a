import { type CurveReader, type CurveTerms, createCurveReader } from '../consumption/curve.ts';
import { DomainError } from '../errors.ts';
import { checkMembers } from '../members.ts';
import { perPeriod } from '../periods.ts';
import type { PowerQuestion } from './power-question.ts';

/** The demand that a meter has measured, by month. */
export type MeasuredDemand = Pick<PowerQuestion, 'measured' | 'entries'>;

//
/**
 * A reader of the demand in the CSV of a curve: hours or quarter-hours.
 *
 * @throws DomainError `business_rule` as `createCurveReader`, and for totals by month, which have no maxima.
 */
export function createDemandReader(
  terms: CurveTerms,
): Pick<CurveReader, 'take'> & { readonly finish: () => MeasuredDemand } {
  checkMembers('', terms, { tariff: 'text', territory: 'text', community: 'text' });
  const months = new Map<string, number[][]>();
  let measured: MeasuredDemand['measured'] = 'hours';
  const reader = createCurveReader(terms, {
    onLoad: ({ day, period, kw, isQuarter }) => {
      if (isQuarter) measured = 'quarter_hours';
      const month = day.slice(0, 7);
      const loads = months.get(month) ?? [];
      months.set(month, loads);
      loads[period] ??= [];
      loads[period].push(kw);
    },
  });
  return {
    take: (part) => reader.take(part),
    finish() {
      const curve = reader.finish();
      if (months.size === 0) {
        throw new DomainError('business_rule', {
          issues: [{ path: 'file', message: 'totals by month have no maxima' }],
        });
      }
      // In the order of time, as those of the curve.
      const names = [...months.keys()].toSorted();
      const entries = curve.months.map(({ month, days }, index) => {
        const loads = months.get(names[index] ?? '');
        return { month, days, loadsKw: perPeriod((period) => loads?.[period] ?? null) };
      });
      return { measured, entries };
    },
  };
}
