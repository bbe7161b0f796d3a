import type { RankingResult } from '@tarifario/client';
import { useMemo } from 'preact/hooks';
import { Press, Select } from '../shell/form.tsx';
import { useTranslation } from '../texts/texts.ts';
import { filtersFor, toggled, type View } from './view.ts';

/** The search by name and the filters of a list that is here. */
export function ViewFields({
  results,
  view,
  onView,
}: {
  readonly results: readonly RankingResult[];
  readonly view: View;
  readonly onView: (view: View) => void;
}) {
  const { say } = useTranslation();
  const retailers = useMemo(
    () => [...new Set(results.map(({ offer }) => offer.company.name))].toSorted((a, b) => a.localeCompare(b, 'es')),
    [results],
  );
  const filters = useMemo(() => filtersFor(results), [results]);
  return (
    <search class="view">
      <input
        type="search"
        aria-label={say('searchOffers')}
        placeholder={say('searchOffers')}
        maxLength={100}
        value={view.search}
        onInput={({ currentTarget }) => onView({ ...view, search: currentTarget.value })}
      />
      {retailers.length > 1 && (
        <Select
          aria-label={say('retailer')}
          value={view.retailer}
          options={[['', say('anyRetailer')], ...retailers.map((name) => [name, name] as const)]}
          onChoose={(retailer) => onView({ ...view, retailer })}
        />
      )}
      {filters.map((name) => (
        <Press
          text={name}
          key={name}
          class="chip"
          aria-pressed={view.filters.includes(name)}
          onPress={() => onView({ ...view, filters: toggled(view.filters, name) })}
        />
      ))}
    </search>
  );
}
