import { OFFER_FORM, type OfferFormField } from '@tarifario/api/offer-form';
import { type MonthlyPrices, TarifarioError } from '@tarifario/client';
import { useId, useState } from 'preact/hooks';
import { periodNames, periodsOf } from '../customer/draft.ts';
import { Press, TextField } from '../shell/form.tsx';
import { type Session, useOpenSession } from '../shell/session.ts';
import { type Column, Table } from '../shell/table.tsx';
import { type Translation, useTranslation } from '../texts/texts.ts';
import type { OfferDraft, ReadOffer, StoredOffer } from './offer-draft.ts';
import { fieldName, saidOf } from './offer-fields.tsx';
import { DraftForm, type OfferCardProps, refusalText } from './offer-form.tsx';
import { type FieldState, Outdated, useOfferDraft } from './use-offer-draft.ts';

/** The prices of an indexed offer by month, the newest first. */
export function OfferMonths({ read, onRead }: OfferCardProps) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const { offer } = read;
  const id = `${offer.id}.months`;
  const stored = storedMonths(read);
  const [added, setAdded] = useState<readonly string[]>([]);
  const columns = columnsOf(read);
  const draft = useOfferDraft({
    ...{ id, reach: session.reach, read, onRead },
    fieldsOf: (typed) =>
      [...new Set([...stored.keys(), ...added, ...typedMonths(typed)])]
        .toSorted()
        .toReversed()
        .flatMap((month) => columns.map((field) => ({ ...field, wire: `${month}.${field.wire}` }))),
    stored: Object.fromEntries(
      [...stored].flatMap(([month, prices]) =>
        Object.entries(prices).map(([name, price]) => [`${month}.${name}`, price]),
      ),
    ),
    partsOf: (values) =>
      monthsOf(Object.keys(values)).map((month) => {
        const typed = Object.entries(values).filter(([wire]) => wire.startsWith(month));
        const prices = Object.fromEntries(typed.map(([wire, price]) => [wire.slice(MONTH_LENGTH + 1), price]));
        return {
          prefix: `${month}.`,
          name: translation.month(month),
          send: () => sendMonth(session, read, { month, prices }),
        };
      }),
  });
  const months = monthsOf(draft.fields.map(({ field }) => field.wire));
  const discard = () => {
    setAdded([]);
    draft.discard();
  };
  const mayWrite =
    refusalText(session, offer.is_catalog, translation) === null && session.scopes.includes(scopeToRead(read));
  const name = say('offerMonths', { count: stored.size });
  const priceCell = (state: FieldState | undefined) => state && <PriceCell {...state} isReadOnly={!mayWrite} />;
  return (
    <section class="card" aria-labelledby="offer-months">
      <h2 id="offer-months">{name}</h2>
      <DraftForm draft={{ ...draft, discard }} mayWrite={mayWrite}>
        {months.length === 0 && <p>{say('noMonths')}</p>}
        {months.length > 0 && (
          <Table
            name={name}
            rows={months}
            rowOf={(month) => ({ key: month })}
            columns={[
              [say('month'), translation.month],
              ...columns.map((field, place): Column<string> => {
                const cell = (at: number) => draft.fields[at * columns.length + place];
                return [nameOf(field, translation), (_, at) => priceCell(cell(at)), 'n'];
              }),
            ]}
          />
        )}
        {mayWrite && <NewMonth months={months} onAdd={(month) => setAdded([...added, month])} />}
      </DraftForm>
    </section>
  );
}

const MONTH_LENGTH = 'YYYY-MM'.length;

const storedMonths = ({ offer }: ReadOffer) =>
  new Map(offer.indexed_prices.map((prices: MonthlyPrices) => [prices.reference_month.slice(0, MONTH_LENGTH), prices]));

const monthsOf = (wires: readonly string[]) => [...new Set(wires.map((wire) => wire.slice(0, MONTH_LENGTH)))];

/** Those with a price that was typed; the offer may have lost them meanwhile. */
const typedMonths = (draft: OfferDraft) => monthsOf(Object.keys(draft).filter((wire) => draft[wire]?.text !== ''));

const scopeToRead = ({ offer }: ReadOffer) => (offer.is_catalog ? 'catalog:read' : 'indexed_prices:read');

/** A price of a month in short. */
function nameOf(field: OfferFormField, translation: Translation): string {
  const [, letter, period] = /^(?:.*\.)?([ep])(\d)$/.exec(field.wire) ?? [];
  if (!letter) return fieldName(field, translation);
  return `${translation.say(letter === 'e' ? 'energyPrices' : 'powerPrices')} P${period}`;
}

/** The prices of its tariff, and others that some month has. */
function columnsOf({ offer }: ReadOffer): readonly OfferFormField[] {
  const { energy, power } = periodsOf(offer.tariff_type);
  const usual =
    offer.supply_type === 'LUZ'
      ? [...periodNames('e', energy), ...periodNames('p', power)]
      : ['gas_energy', 'gas_fixed'];
  const used = offer.indexed_prices.flatMap((prices) =>
    Object.entries(prices).flatMap(([name, price]) => (price === null ? [] : [name])),
  );
  const names = new Set([...usual, ...used]);
  return OFFER_FORM.filter(({ section, wire }) => section === 'prices' && names.has(wire));
}

/** A month becomes what was typed over what was read. One without any price is deleted. */
async function sendMonth(
  { api }: Session,
  read: ReadOffer,
  { month, prices }: { readonly month: string; readonly prices: StoredOffer },
): Promise<void> {
  const { id, is_catalog } = read.offer;
  const seen = storedMonths(read).get(month) ?? null;
  const now = await (is_catalog ? api.getCatalogIndexedPrice : api.getIndexedPrice)({ id, month })
    .withResponse()
    .catch((error: unknown) => {
      if (error instanceof TarifarioError && error.status === 404) return null;
      throw error;
    });
  if (JSON.stringify(now?.data ?? null) !== JSON.stringify(seen)) throw new Outdated();
  const options = now ? { ifMatch: now.headers.get('ETag') ?? '' } : {};
  const { reference_month: _, ...before } = seen ?? { reference_month: month };
  const body = { ...before, ...prices, reference_month: month };
  if (Object.values({ ...before, ...prices }).some((price) => price !== null)) {
    await (is_catalog ? api.upsertCatalogIndexedPrice : api.upsertIndexedPrice)({ id, body }, options);
  } else if (now) {
    await (is_catalog ? api.deleteCatalogIndexedPrice : api.deleteIndexedPrice)({ id, month }, options);
  }
}

function PriceCell({ isReadOnly, ...state }: FieldState & { readonly isReadOnly: boolean }) {
  const translation = useTranslation();
  const id = useId();
  const { field, text, onInput } = state;
  const said = saidOf(state, translation);
  const [month = ''] = field.wire.split('.');
  return (
    <div data-field={field.wire}>
      <input
        inputMode="decimal"
        autocomplete="off"
        aria-label={`${nameOf(field, translation)} ${translation.month(month)}`}
        aria-invalid={said !== undefined}
        aria-describedby={id}
        value={text}
        readOnly={isReadOnly}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="fault" id={id}>
        {said}
      </span>
    </div>
  );
}

/** A month to be added, at first the one after the newest. */
function NewMonth({
  months: [newest],
  onAdd,
}: {
  readonly months: readonly string[];
  readonly onAdd: (month: string) => void;
}) {
  const { say } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const month = typed ?? (newest === undefined ? '' : monthAfter(newest));
  return (
    <div class="inline">
      <TextField label={say('month')} type="month" value={month} onText={setTyped} />{' '}
      <Press
        text="addMonth"
        disabled={!/^\d{4}-\d{2}$/.test(month)}
        onPress={() => {
          onAdd(month);
          setTyped(null);
        }}
      />{' '}
      <span class="note">{say('monthWithoutPrices')}</span>
    </div>
  );
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, MONTH_LENGTH);
}
