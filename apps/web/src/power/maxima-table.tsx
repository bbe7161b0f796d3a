import { useId } from 'preact/hooks';
import type { Fault } from '../customer/number-fault.ts';
import { Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';
import { MAXIMA_ROWS, maximumName, pastedMaxima, powerPeriods } from './maxima.ts';

type Values = Readonly<Record<string, string>>;

/** The highest power of each month, or of a year, by period. */
export function MaximaTable({
  tariff,
  values,
  faults,
  onType,
}: {
  readonly tariff: string;
  readonly values: Values;
  readonly faults: Readonly<Record<string, Fault>>;
  readonly onType: (typed: Values) => void;
}) {
  const translation = useTranslation();
  const { say, monthName } = translation;
  const id = useId();
  const periods = powerPeriods(tariff);
  return (
    <>
      <Table
        name={say('maxima')}
        headings={[[say('maxima')], ...periods.map((period) => [period.toUpperCase()] as const)]}
        kind="maxima"
      >
        {MAXIMA_ROWS.map((row) => {
          const title = row === 0 ? say('maximaYear') : monthName(row);
          return (
            <tr key={row}>
              <th scope="row">{title}</th>
              {periods.map((period) => {
                const name = maximumName(row, period);
                return (
                  <td key={period}>
                    <input
                      name={name}
                      inputMode="decimal"
                      autocomplete="off"
                      aria-label={`${title} ${period.toUpperCase()} kW`}
                      aria-invalid={name in faults}
                      aria-describedby={id}
                      value={values[name] ?? ''}
                      onInput={({ currentTarget }) => onType({ [name]: currentTarget.value })}
                      onPaste={(event) => {
                        const text = event.clipboardData?.getData('text') ?? '';
                        const cells = pastedMaxima(text, tariff, { row, period });
                        if (cells === null) return;
                        event.preventDefault();
                        onType(cells);
                      }}
                    />
                  </td>
                );
              })}
            </tr>
          );
        })}
      </Table>
      <p class="fault" id={id}>
        {[...new Set(Object.values(faults).map((fault) => fault(translation)))].join(' ')}
      </p>
    </>
  );
}
