import { useId } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';
import {
  BILL_DAY,
  billDayOf,
  EXCESS,
  isTicked,
  RENTAL_EUR,
  RENTALS,
  rentalOf,
  TAX_TICKS,
  ticking,
  turningTaxes,
  USES,
  withoutRates,
} from './draft.ts';
import { Choice, type FormParts, NumberField } from './fields.tsx';

/** Whether bills are asked for, of which day, and what they depend on. */
export function TaxFields({ form }: { readonly form: FormParts }) {
  const translation = useTranslation();
  const { say } = translation;
  const id = useId();
  const fault = form.faults[BILL_DAY]?.(translation);
  const { draft, change } = form;
  const day = billDayOf(draft);
  return (
    <fieldset class="taxes">
      <legend>{say('bill')}</legend>
      <label class="tick">
        <input
          type="checkbox"
          name="taxes"
          checked={day !== null}
          onChange={({ currentTarget }) => change((now) => turningTaxes(now, currentTarget.checked))}
        />
        {say('withTaxes')}
      </label>
      {day !== null && (
        <>
          <div class="row">
            <div class="field">
              <label for={id}>{say('taxDay')}</label>
              <input
                id={id}
                type="date"
                name="fecha"
                required
                value={day}
                aria-invalid={fault !== undefined}
                aria-describedby={fault && `${id}-fault`}
                onInput={({ currentTarget: { value } }) =>
                  value !== '' && change((now) => ({ taxDay: value, values: withoutRates(now.values) }))
                }
              />
              {fault && (
                <span class="fault" id={`${id}-fault`}>
                  {fault}
                </span>
              )}
            </div>
            <Choice
              label="rental"
              value={rentalOf(draft)}
              options={RENTALS[draft.supply]}
              nameOf={say}
              onChange={(rental) => change({ rental })}
            />
            {rentalOf(draft) === 'rentalEur' && (
              <NumberField name={RENTAL_EUR} label={say('rentalMonthly')} unit={say('eurPerMonth')} form={form} />
            )}
            {draft.supply === 'LUZ' && (
              <>
                <Choice label="use" value={draft.use} options={USES} nameOf={say} onChange={(use) => change({ use })} />
                <NumberField name={EXCESS} label={say('excess')} unit="€" form={form} />
              </>
            )}
          </div>
          {TAX_TICKS.filter(({ isFor }) => isFor(draft)).map(({ name }) => (
            <label key={name} class="tick">
              <input
                type="checkbox"
                name={name}
                checked={isTicked(draft, name)}
                onChange={({ currentTarget }) => change((now) => ticking(now, name, currentTarget.checked))}
              />
              {say(name)}
            </label>
          ))}
        </>
      )}
    </fieldset>
  );
}
