import { TextField, Tick } from '../shell/form.tsx';
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
import { DraftChoice, type FormParts, NumberField } from './fields.tsx';

/** Whether bills are asked for, of which day, and what they depend on. */
export function TaxFields({ form }: { readonly form: FormParts }) {
  const translation = useTranslation();
  const { say } = translation;
  const { draft, change } = form;
  const day = billDayOf(draft);
  return (
    <fieldset class="taxes">
      <legend>{say('bill')}</legend>
      <Tick name="taxes" isOn={day !== null} onTurn={(isOn) => change((now) => turningTaxes(now, isOn))}>
        {say('withTaxes')}
      </Tick>
      {day !== null && (
        <>
          <div class="row">
            <TextField
              label={say('taxDay')}
              type="date"
              name="fecha"
              required
              value={day}
              fault={form.faults[BILL_DAY]?.(translation)}
              onText={(text) => text !== '' && change((now) => ({ taxDay: text, values: withoutRates(now.values) }))}
            />
            <DraftChoice
              name="rental"
              label="rental"
              value={rentalOf(draft)}
              options={RENTALS[draft.supply]}
              form={form}
            />
            {rentalOf(draft) === 'rentalEur' && (
              <NumberField name={RENTAL_EUR} label={say('rentalMonthly')} unit={say('eurPerMonth')} form={form} />
            )}
            {draft.supply === 'LUZ' && (
              <>
                <DraftChoice name="use" label="use" options={USES} form={form} />
                <NumberField name={EXCESS} label={say('excess')} unit="€" form={form} />
              </>
            )}
          </div>
          {TAX_TICKS.filter(({ isFor }) => isFor(draft)).map(({ name }) => (
            <Tick
              key={name}
              name={name}
              isOn={isTicked(draft, name)}
              onTurn={(isOn) => change((now) => ticking(now, name, isOn))}
            >
              {say(name)}
            </Tick>
          ))}
        </>
      )}
    </fieldset>
  );
}
