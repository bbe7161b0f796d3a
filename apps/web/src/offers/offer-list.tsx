import type { Offer, Tarifario } from '@tarifario/client';
import { useEffect, useState } from 'preact/hooks';
import { GREEN, periodNames, TERMS } from '../customer/draft.ts';
import { Choice, TextField, Tick } from '../shell/form.tsx';
import { PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { firstOf, useAnswer, useRested } from '../shell/query.ts';
import { type Session, useOpenSession } from '../shell/session.ts';
import { type Column, ShowMore, Table } from '../shell/table.tsx';
import { type Translation, useTranslation } from '../texts/texts.ts';
import {
  addressEnd,
  inOneOrder,
  type ListQuestion,
  MONTHS,
  nextOrder,
  type Order,
  type OrderColumn,
  OWNERS,
  questionIn,
  SUPPLIES,
  searchIn,
  type TermsFilter,
} from './list-question.ts';

/** How many offers the table has first, and gets each time. */
const PAGE = 100;
const OWNER_NAMES = { both: 'allFirms', own: 'ownOffers', catalog: 'catalogOffers' } as const;

const MONTH_NAMES = { permanencia_max: 'mostPermanence', precio_fijo_min: 'leastFixedPrice' } as const;

/** The offers of the account or of the catalog, as the service finds them. */
export function OfferList({
  changes,
  isShown,
  onSettled,
}: {
  /** The address of the page is that of the list. */
  readonly isShown: boolean;
  /** How many changes were saved: each asks for the offers again. */
  readonly changes: number;
  /** Told when there is an answer, or a failure. */
  readonly onSettled: () => void;
}) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const [question, setQuestion] = useState(() => questionIn(location.search));
  const change = (changes: Partial<ListQuestion>) => setQuestion({ ...question, ...changes });
  const [count, setCount] = useState(PAGE);
  const { owner, supply, order, withInactive, terms } = question;
  const seesCatalog = session.scopes.includes('catalog:read');
  const search = useRested(searchIn(question));
  const end = addressEnd({ ...question, search });
  useEffect(() => {
    if (isShown) history.replaceState(null, '', location.pathname + end);
  }, [isShown, end]);
  const { answer, error, retry } = useOffers(session, { ...question, search }, { changes, count });
  useEffect(() => {
    if (answer !== null || error !== null) onSettled();
  }, [answer, error]);
  useEffect(() => setCount(PAGE), [owner, supply, search, order, withInactive, terms]);
  return (
    <section class="card panel" aria-labelledby="offers-title">
      <h2 id="offers-title">{say('roomOffers')}</h2>
      <div class="row">
        <TextField
          label={say('searchNames')}
          type="search"
          maxLength={100}
          value={question.search}
          onText={(search) => change({ search })}
        />
        {seesCatalog && (
          <Choice
            label={say('roomOffers')}
            value={owner}
            options={OWNERS.map((one) => [one, say(OWNER_NAMES[one])] as const)}
            onChoose={(owner) => change({ owner })}
          />
        )}
        <Choice label={say('supply')} value={supply} options={SUPPLIES} onChoose={(supply) => change({ supply })} />
        <TermsFields terms={terms} onChange={(terms) => change({ terms })} />
        <Tick isOn={withInactive} onTurn={(withInactive) => change({ withInactive })}>
          {say('withInactive')}
        </Tick>
      </div>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && (
        <>
          <p role="status">
            {say('offersShown', { shown: answer.offers.length, count: answer.total })}
            {answer.left > 0 && ` ${say('offersLeftOut', { count: answer.left })}`}
          </p>
          {answer.offers.length > 0 && (
            <OfferTable
              offers={answer.offers}
              order={order}
              onOrder={(order) => change({ order })}
              seesCommissions={session.scopes.includes('commissions:read')}
              translation={translation}
            />
          )}
          <ShowMore
            shown={answer.offers.length}
            total={answer.total}
            page={PAGE}
            onMore={() => setCount(count + PAGE)}
          />
        </>
      )}
    </section>
  );
}

/** The offers of a question, as far as they are shown. */
function useOffers(
  session: Session,
  { owner, supply, search, order, withInactive, terms }: ListQuestion,
  { changes, count }: { readonly changes: number; readonly count: number },
) {
  const seesCatalog = session.scopes.includes('catalog:read');
  return useAnswer(
    [session.reach, changes, owner, supply, search, order, withInactive, terms, count],
    async (signal) => {
      const asked = {
        ...{ supply_type: supply, include_inactive: withInactive, limit: PAGE },
        ...(search !== '' && { q: search }),
        ...(order !== null && { sort: order }),
        ...terms,
      };
      const { listOffers, listCatalogOffers } = session.api;
      const found = await Promise.all([
        ...(owner === 'catalog' && seesCatalog ? [] : [listed(listOffers(asked, { signal }), count)]),
        ...(owner === 'own' || !seesCatalog ? [] : [listed(listCatalogOffers(asked, { signal }), count)]),
      ]);
      const offers = inOneOrder(
        found.map((list) => list.offers),
        order,
      );
      const sum = (name: 'total' | 'left') => found.reduce((all, list) => all + list[name], 0);
      return { total: sum('total'), left: sum('left'), offers: offers.slice(0, count) };
    },
  );
}

/** The first offers of a list, and how many it has and leaves out. */
async function listed(found: ReturnType<Tarifario['listOffers']>, count: number) {
  const { total, terminos_desconocidos: left = 0 } = await found;
  return { total, left, offers: await firstOf(found, count) };
}

/** What a contract has to say. */
function TermsFields({
  terms,
  onChange,
}: {
  readonly terms: TermsFilter;
  readonly onChange: (terms: TermsFilter) => void;
}) {
  const { say } = useTranslation();
  return (
    <>
      {TERMS.map((name) => (
        <label key={name}>
          {`${say(MONTH_NAMES[name])} (${say('inMonths')})`}
          <input
            type="number"
            name={name}
            min={MONTHS[name][0]}
            max={MONTHS[name][1]}
            defaultValue={terms[name]}
            onInput={({ currentTarget: { value, validity } }) => {
              const { [name]: _before, ...others } = terms;
              if (validity.valid) onChange(value === '' ? others : { ...others, [name]: Number(value) });
            }}
          />
        </label>
      ))}
      <Choice
        label={say('energia_verde')}
        value={terms.energia_verde === undefined ? 'anyGreen' : terms.energia_verde ? 'yes' : 'no'}
        options={GREEN}
        onChoose={(green) => {
          const { energia_verde: _before, ...others } = terms;
          onChange(green === 'anyGreen' ? others : { ...others, energia_verde: green === 'yes' });
        }}
      />
    </>
  );
}

function OfferTable({
  offers,
  order,
  onOrder,
  seesCommissions,
  translation,
}: {
  readonly offers: readonly Offer[];
  readonly order: Order | null;
  readonly onOrder: (order: Order | null) => void;
  readonly seesCommissions: boolean;
  readonly translation: Translation;
}) {
  const { say, number, eur, time } = translation;
  const sortable = (column: OrderColumn, text: string, cell: Column<Offer>[1]): Column<Offer> => [
    <button type="button" class="sort" onClick={() => onOrder(nextOrder(column, order))}>
      {text}
    </button>,
    cell,
    undefined,
    order === column ? 'ascending' : order === `-${column}` ? 'descending' : undefined,
  ];
  const isGas = offers[0]?.supply_type === 'GAS';
  const prices = (offer: Offer, letter: 'e' | 'p', ofGas: string) => {
    const values = new Map<string, unknown>(Object.entries(offer));
    const own = (isGas ? [ofGas] : periodNames(letter, 6)).map((name) => values.get(name));
    return own.flatMap((price) => (typeof price === 'number' ? number(price, 4, 6) : [])).join(' · ') || '–';
  };
  return (
    <Table
      name={say('tableOfOffers')}
      rows={offers}
      rowOf={({ id }) => ({ key: id, 'data-stored-offer': id })}
      columns={[
        sortable('offer_name', say('offer'), (offer) => nameOf(offer, translation)),
        sortable('company_name', say('retailer'), ({ company }) => company.name),
        [say('tariff'), ({ tariff_type }) => tariff_type],
        [`${say(isGas ? 'priceEnergy' : 'energyPrices')} €/kWh`, (offer) => prices(offer, 'e', 'gas_energy')],
        [
          isGas ? `${say('gasFixed')} ${say('eurPerMonth')}` : `${say('powerPrices')} €/kW·d`,
          (offer) => prices(offer, 'p', 'gas_fixed'),
        ],
        [`${say('services')} ${say('eurPerMonth')}`, ({ services_cost }) => eur(services_cost), 'n'],
        ...(seesCommissions
          ? [[say('commission'), (offer: Offer) => commissionText(offer, translation), 'n'] as const]
          : []),
        sortable('updated_at', say('changedAt'), ({ updated_at }) => <span class="day">{time(updated_at)}</span>),
      ]}
    />
  );
}

function nameOf({ id, offer_name, is_catalog, is_indexed, is_active }: Offer, { say }: Translation) {
  const notes = [
    say(is_catalog ? 'ofCatalog' : 'ofAccount'),
    ...(is_indexed ? [say('indexed')] : []),
    ...(is_active ? [] : [say('inactive')]),
  ];
  return (
    <>
      <PlaceLink to={{ room: 'ofertas', id }}>{offer_name}</PlaceLink>
      <small>{notes.join(' · ')}</small>
    </>
  );
}

/** What the offer pays by itself, and how many tiers it has besides. */
function commissionText(
  { commission, commission_type, commission_tiers }: Offer,
  { say, number }: Translation,
): string {
  const tiers = commission_tiers?.length ?? 0;
  const own =
    commission === null || commission_type === null ? '–' : `${number(commission, 0, 2)} ${say(commission_type)}`;
  return tiers === 0 ? own : `${own} · ${say('tiersCount', { count: tiers })}`;
}
