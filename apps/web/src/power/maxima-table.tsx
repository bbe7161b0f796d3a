import { useId } from 'preact/hooks';
import type { Fault } from '../customer/number-fault.ts';
import { type Column, Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';
import { MAXIMA_ROWS, maximumName, pastedMaxima, powerPeriods, rowTitle } from './maxima.ts';

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
  const { say } = translation;
  const id = useId();
  const periods = powerPeriods(tariff);
  const titleOf = (row: number) => rowTitle(row, translation);
  const columnOf = (period: string): Column<number> => [
    period.toUpperCase(),
    (row) => {
      const name = maximumName(row, period);
      return (
        <input
          name={name}
          inputMode="decimal"
          autocomplete="off"
          aria-label={`${titleOf(row)} ${period.toUpperCase()} kW`}
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
      );
    },
  ];
  return (
    <>
      <Table
        name={say('maxima')}
        kind="maxima"
        rows={MAXIMA_ROWS}
        columns={[[say('maxima'), titleOf], ...periods.map(columnOf)]}
      />
      <p class="fault" id={id}>
        {[...new Set(Object.values(faults).map((fault) => fault(translation)))].join(' ')}
      </p>
    </>
  );
}
