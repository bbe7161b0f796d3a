import type { CustomerRecord } from '@tarifario/api/customer-table';
import { useMemo, useState } from 'preact/hooks';
import { isWithoutRates } from '../customer/answer.ts';
import { today } from '../customer/day.ts';
import { ChosenRates } from '../customer/open-rates.tsx';
import { type Reopened, reopened } from '../customer/reopened.ts';
import { FileDrop, saveCsv } from '../shell/files.tsx';
import { Field, Press, Tick } from '../shell/form.tsx';
import { Opened } from '../shell/opened.tsx';
import { Problem } from '../shell/problem.tsx';
import { useSession } from '../shell/session.ts';
import { type Column, ShowMore, Table } from '../shell/table.tsx';
import { useLeaveQuestion } from '../shell/use-leave-question.ts';
import type { Language } from '../texts/common.ts';
import { noticeText } from '../texts/notices.ts';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { ColumnStep, type SayColumns } from './column-step.tsx';
import type { ReadTable, UnreadTable } from './customer-files.ts';
import { NegotiationForm } from './negotiation.tsx';
import { billed } from './portfolio-bills.ts';
import { PortfolioWeight, USUAL_WEIGHT } from './portfolio-weight.tsx';
import { Refused } from './refused.tsx';
import { type Answered, customersIn, inOrder, paidOf, savingOf, useCustomers, weighed } from './use-customers.ts';

/** The number of rows that a table shows first, and adds each time. */
const PAGE = 100;

/** Customers from a table, with the saving of each. */
export function CustomersPanel({ onReopen }: { readonly onReopen: (from: Reopened) => void }) {
  const session = useSession();
  const { say, language } = useTranslation();
  const { work, choose, sayColumns, stop, goOn, ask, chooseRates } = useCustomers(session);
  const seesCommissions = session?.scopes.includes('commissions:read') ?? false;
  const open = (line: number) => {
    const customer = customers.find((one) => one.line === line);
    if (customer) onReopen(reopened(billed(weighed(customer.body, work.weight), taxDay), language));
  };
  const { file, read, records, isBusy, error, taxDay, rates } = work;
  const customers = customersIn(work);
  const fileName = file?.name ?? '';
  const isRead = customers.length > 0;
  useLeaveQuestion(isRead);
  const ranked = customers.filter((_, at) => records[at] && !('error' in records[at]));
  const rest = customers.length - records.length;
  const saveExample = async () => {
    const { exampleIn } = await import('./customer-files.ts');
    await saveCsv('clientes.csv', exampleIn(language), language);
  };
  return (
    <>
      <FileDrop label={say('dropCustomers')} accept=".xlsx,.csv,text/csv" onFile={(file) => void choose(file)} />
      <Press text="customersExample" class="plain" onPress={() => void saveExample()} />
      <PortfolioWeight weight={work.weight} seesCommissions={seesCommissions} onWeight={(weight) => ask({ weight })} />
      <BillDay day={taxDay} onDay={(day) => ask({ taxDay: day })} />
      {taxDay !== null && rates.length > 0 && (
        <ChosenRates key={JSON.stringify(rates)} answer={{ rates }} fecha={taxDay} onChoose={chooseRates} />
      )}
      {fileName !== '' && (
        <p role="status">
          <strong>{fileName}</strong>{' '}
          {isRead ? say('rankedOf', { done: records.length, total: customers.length }) : isBusy && say('working')}
          {isRead && <progress max={customers.length} value={records.length} aria-label={fileName} />}
        </p>
      )}
      {read && <ReadAs read={read} onSay={sayColumns} />}
      {isBusy && isRead && <Press text="stopRanking" onPress={stop} />}
      {error !== null && <Problem error={error} onRetry={isRead ? goOn : () => file && void choose(file)} />}
      {!isBusy && error === null && rest > 0 && !isWithoutRates(work) && <Press text="goOn" onPress={goOn} />}
      {!isBusy && ranked.length > 0 && (
        <Opened name={say('negotiation')}>
          <NegotiationForm customers={ranked} weight={seesCommissions ? (work.weight ?? USUAL_WEIGHT) : null} />
        </Opened>
      )}
      {records.length > 0 && <Records records={records} seesCommissions={seesCommissions} onOpen={open} />}
    </>
  );
}

/** Why a file cannot be read, or how it was read where that is not plain. */
function ReadAs({ read, onSay }: { readonly read: ReadTable | UnreadTable; readonly onSay: SayColumns }) {
  const { say, language } = useTranslation();
  if ('tableFault' in read) {
    return (
      <>
        <p class="problem" role="alert">
          {read.tableFault[language]}
        </p>
        {read.header && <ColumnStep key={read.header.shape} header={read.header} onChosen={onSay} />}
      </>
    );
  }
  const { customers, sheet, saidOf } = read;
  return (
    <>
      {customers.length === 0 && <p>{say('noCustomers')}</p>}
      {sheet !== null && <p class="note">{say('firstSheet', { sheet })}</p>}
      {saidOf !== null && (
        <p class="note">
          {say('columnsKept')} <Press text="ratesChange" class="plain" onPress={() => onSay(saidOf, null)} />
        </p>
      )}
    </>
  );
}

/** Whether bills are asked for, and of which day. */
function BillDay({ day, onDay }: { readonly day: string | null; readonly onDay: (day: string | null) => void }) {
  const { say } = useTranslation();
  return (
    <div class="inline">
      <Tick name="cartera_impuestos" isOn={day !== null} onTurn={(isOn) => onDay(isOn ? today() : null)}>
        {say('withTaxes')}
      </Tick>
      {day !== null && (
        <Field label={say('taxDay')}>
          {(named) => (
            <input
              {...named}
              type="date"
              value={day}
              onChange={({ currentTarget: { value } }) => value !== '' && value !== day && onDay(value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function Records({
  records,
  seesCommissions,
  onOpen,
}: {
  readonly records: readonly CustomerRecord[];
  readonly seesCommissions: boolean;
  /** Opens the customer of a line as a study. */
  readonly onOpen: (line: number) => void;
}) {
  const { say, eur, language } = useTranslation();
  const [count, setCount] = useState(PAGE);
  const ordered = useMemo(() => inOrder(records), [records]);
  const answered = ordered.filter((record): record is Answered => !('error' in record));
  const refused = ordered.filter((record) => 'error' in record);
  const saved = answered.reduce((sum, record) => sum + Math.max(0, savingOf(record) ?? 0), 0);
  const download = async () => {
    const { recordTable } = await import('./customer-files.ts');
    await saveCsv('clientes-ofertas.csv', recordTable(ordered, seesCommissions, language), language);
  };
  return (
    <>
      <p>
        {saved > 0 && say('savingSum', { eur: eur(saved) })}{' '}
        <Press text="downloadCsv" onPress={() => void download()} />
      </p>
      {refused.length > 0 && <Refused records={refused} />}
      {answered.length > 0 && <Answers records={answered.slice(0, count)} onOpen={onOpen} />}
      <ShowMore shown={count} total={answered.length} page={PAGE} onMore={() => setCount(count + PAGE)} />
    </>
  );
}

/** What a best offer with a discount costs without it, and twelve months later. */
const DISCOUNTED = ['coste_sin_descuento', 'coste_segundo_anio'] as const;

function Answers({
  records,
  onOpen,
}: {
  readonly records: readonly Answered[];
  readonly onOpen: (line: number) => void;
}) {
  const translation = useTranslation();
  const { say, eur, number, language } = translation;
  const seesCommissions = records.some(({ best }) => best[0]?.commission);
  const discounted = DISCOUNTED.filter((name) => records.some(({ best }) => (best[0]?.[name] ?? null) !== null));
  return (
    <Table
      name={say('bestOffer')}
      kind="customers"
      rows={records.map((record) => ({ ...record, ...paidOf(record) }))}
      rowOf={({ line }) => ({ key: line, 'data-line': line })}
      columns={[
        [
          say('customerRef'),
          ({ ref, line }) => (
            <>
              <button type="button" class="plain" title={say('reopen')} onClick={() => onOpen(line)}>
                {ref}
              </button>
              <small>
                {say('line')} {line}
              </small>
            </>
          ),
        ],
        [
          `${say('saving')} €`,
          ({ savedEur }) => <span class={(savedEur ?? 0) >= 0 ? 'good' : 'bad'}>{eur(savedEur)}</span>,
          'n strong',
        ],
        ['%', ({ percent }) => (percent === null ? '–' : number(percent, 1)), 'n'],
        [say('bestOffer'), ({ best: [offer] }) => offerCell(offer, translation)],
        [`${say('today')} €`, ({ todayEur }) => eur(todayEur), 'n'],
        [
          `${say('total')} €`,
          ({ hasBill, totalEur }) => [
            eur(totalEur),
            totalEur !== null && <small>{say(hasBill ? 'afterTaxes' : 'beforeTaxes')}</small>,
          ],
          'n strong',
        ],
        ...discounted.map((name): Column<Answered> => {
          const tax = <small>{say('beforeTaxes')}</small>;
          return [[`${say(name)} €`, tax], ({ best }) => eur(best[0]?.[name] ?? null), 'n'];
        }),
        ...(seesCommissions
          ? [[`${say('commission')} €`, ({ best }: Answered) => eur(best[0]?.commission?.total ?? null), 'n'] as const]
          : []),
        [say('notices'), (record) => noticesCell(record, language)],
      ]}
    />
  );
}

function offerCell(offer: Answered['best'][number] | undefined, { say, language }: Translation) {
  return (
    <>
      {offer?.offer_name ?? say('noOffer')}
      <small>{offer?.company_name}</small>
      {offer?.peaje_imposible && <small class="bad">{noticeText('peaje_imposible', language)}</small>}
    </>
  );
}

function noticesCell({ avisos, peajes_parecidos = [] }: Answered, language: Language) {
  if (avisos.length === 0) return null;
  const said = peajes_parecidos.length === 0 ? '' : `: ${peajes_parecidos.join(', ')}`;
  return (
    <details>
      <summary>{avisos.length}</summary>
      {avisos.map((code) => (
        <small key={code}>{noticeText(code, language, { said }) ?? code}</small>
      ))}
    </details>
  );
}
