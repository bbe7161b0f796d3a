import { typedNumber } from '../customer/numbers.ts';
import { Select } from '../shell/form.tsx';
import { Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';

type Tier = Readonly<Record<string, string | number | null>>;

/** The tiers of a commission, a row each. A number is a text while it is typed. */
export function TierFields({
  name,
  text,
  types,
  isReadOnly,
  onInput,
}: {
  readonly name: string;
  readonly text: string;
  readonly types: readonly string[];
  readonly isReadOnly: boolean;
  readonly onInput: (text: string) => void;
}) {
  const { say } = useTranslation();
  const tiers: readonly Tier[] = text === '' ? [] : JSON.parse(text);
  const [of, unit] = types.includes('per_kw') ? ['power', 'kW'] : ['consumption', 'MWh'];
  const columns = [
    [`${of}_from`, `${say('tierFrom')} ${unit}`],
    [`${of}_to`, `${say('tierTo')} ${unit}`],
    ['commission', say('commission')],
  ] as const;
  const change = (next: readonly Tier[]) => onInput(JSON.stringify(next));
  const set = (at: number, name: string, value: string) =>
    change(tiers.map((tier, index) => (index === at ? { ...tier, [name]: value } : tier)));
  const removal = isReadOnly ? [] : [[say('remove')] as const];
  const empty = { ...Object.fromEntries(columns.map(([name]) => [name, ''])), commission_type: types[0] ?? null };
  return (
    <>
      {tiers.length > 0 && (
        <Table name={name} headings={[...columns.map(([, heading]) => [heading] as const), [say('kind')], ...removal]}>
          {tiers.map((tier, at) => (
            <TierRow
              key={at}
              {...{ tier, columns, types, isReadOnly }}
              row={at + 1}
              onInput={(name, value) => set(at, name, value)}
              onRemove={() => change(tiers.toSpliced(at, 1))}
            />
          ))}
        </Table>
      )}
      {!isReadOnly && (
        <button type="button" class="plain" onClick={() => change([...tiers, empty])}>
          {say('addTier')}
        </button>
      )}
    </>
  );
}

function TierRow({
  tier,
  columns,
  types,
  row,
  isReadOnly,
  onInput,
  onRemove,
}: {
  readonly tier: Tier;
  readonly columns: readonly (readonly [name: string, heading: string])[];
  readonly types: readonly string[];
  readonly row: number;
  readonly isReadOnly: boolean;
  readonly onInput: (name: string, value: string) => void;
  readonly onRemove: () => void;
}) {
  const { say, language } = useTranslation();
  const shown = (value: Tier[string] | undefined) =>
    typeof value === 'number' ? typedNumber(value, language) : (value ?? '');
  return (
    <tr>
      {columns.map(([name, heading]) => (
        <td key={name}>
          <input
            inputMode="decimal"
            aria-label={`${heading} ${row}`}
            value={shown(tier[name])}
            readOnly={isReadOnly}
            onInput={({ currentTarget }) => onInput(name, currentTarget.value)}
          />
        </td>
      ))}
      <td>
        <Select
          aria-label={`${say('kind')} ${row}`}
          value={`${tier.commission_type ?? ''}`}
          disabled={isReadOnly}
          options={types}
          onChoose={(type) => onInput('commission_type', type)}
        />
      </td>
      {!isReadOnly && (
        <td>
          <button type="button" class="plain" aria-label={`${say('removeTier')} ${row}`} onClick={onRemove}>
            ×
          </button>
        </td>
      )}
    </tr>
  );
}
