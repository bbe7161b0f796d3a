import { useEffect, useState } from 'preact/hooks';
import { useRested } from '../shell/query.ts';
import { useTranslation } from '../texts/texts.ts';

/** What the service takes where nothing is said. */
export const USUAL_WEIGHT = 0.5;

/** By which preference the best offer of a customer is chosen; without commissions it is the cheapest. */
export function PortfolioWeight({
  weight,
  seesCommissions,
  onWeight,
}: {
  readonly weight: number | null;
  readonly seesCommissions: boolean;
  readonly onWeight: (weight: number) => void;
}) {
  const { say, number } = useTranslation();
  const [shown, setShown] = useState(weight ?? USUAL_WEIGHT);
  const rested = useRested(shown);
  useEffect(() => {
    if (rested !== (weight ?? USUAL_WEIGHT)) onWeight(rested);
  }, [rested]);
  if (!seesCommissions) return <p class="note">{say('portfolioCheapest')}</p>;
  const value = say('weightValue', { saving: number(100 * shown, 0, 1), commission: number(100 - 100 * shown, 0, 1) });
  return (
    <label>
      {say('weight')}
      <input
        type="range"
        name="cartera_w"
        aria-label={say('weight')}
        min="0"
        max="1"
        step="0.05"
        value={shown}
        aria-valuetext={value}
        onInput={({ currentTarget }) => setShown(currentTarget.valueAsNumber)}
      />
      <small>{say('portfolioWeight', { value })}</small>
    </label>
  );
}
