import { typedNumber } from '../customer/numbers.ts';
import { Press, Select } from '../shell/form.tsx';
import { type Column, Removal, Table } from '../shell/table.tsx';
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
  const { say, language } = useTranslation();
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
  const removal = (_: Tier, at: number) => (
    <Removal name={say('tierNumber', { number: at + 1 })} onRemove={() => change(tiers.toSpliced(at, 1))} />
  );
  const shown = (value: Tier[string] | undefined) =>
    typeof value === 'number' ? typedNumber(value, language) : (value ?? '');
  const empty = { ...Object.fromEntries(columns.map(([name]) => [name, ''])), commission_type: types[0] ?? null };
  return (
    <>
      {tiers.length > 0 && (
        <Table
          name={name}
          rows={tiers}
          isNamed={false}
          columns={[
            ...columns.map(
              ([name, heading]): Column<Tier> => [
                heading,
                (tier, at) => (
                  <input
                    inputMode="decimal"
                    aria-label={`${heading} ${at + 1}`}
                    value={shown(tier[name])}
                    readOnly={isReadOnly}
                    onInput={({ currentTarget }) => set(at, name, currentTarget.value)}
                  />
                ),
              ],
            ),
            [
              say('kind'),
              (tier, at) => (
                <Select
                  aria-label={`${say('kind')} ${at + 1}`}
                  value={`${tier.commission_type ?? ''}`}
                  disabled={isReadOnly}
                  options={types}
                  onChoose={(type) => set(at, 'commission_type', type)}
                />
              ),
            ],
            ...(isReadOnly ? [] : [[say('remove'), removal] as const]),
          ]}
        />
      )}
      {!isReadOnly && <Press text="addTier" class="plain" onPress={() => change([...tiers, empty])} />}
    </>
  );
}
