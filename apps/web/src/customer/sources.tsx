import { type Curve, type InvoiceReading, type Tarifario, TarifarioError } from '@tarifario/client';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FileDrop } from '../shell/files.tsx';
import { Press, TextField } from '../shell/form.tsx';
import { useKept } from '../shell/kept.ts';
import { PlaceLink, ROOMS, type RoomName } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { useOpenSession } from '../shell/session.ts';
import { noticeText } from '../texts/notices.ts';
import { type TextName, useTranslation } from '../texts/texts.ts';
import { addressWithoutCups, curveWithoutCups, decoded, firstCups } from './cups.ts';
import type { Draft } from './draft.ts';
import type { FormParts } from './fields.tsx';
import { type FileKind, isInvoiceAddress, kindOf, Unread } from './file-kind.ts';
import { readCode } from './read-code.ts';
import { draftOfCurve, draftOfInvoice, emptyAt, type Read } from './readings.ts';

type Tariff = Parameters<Tarifario['readConsumption']>[0]['tariff_type'];

interface Notice {
  readonly codigo: string;
  readonly mensaje: string;
}

/** What was read. */
interface Reading {
  readonly curve?: Pick<Curve, 'dias' | 'energia' | 'indices'>;
  /** The total of an invoice computed again. */
  readonly check?: InvoiceReading['factura']['comprobacion'];
  readonly notices: readonly Notice[];
}

/** Files that are read elsewhere, or not at all: what to do with them. */
const ELSEWHERE = {
  empty: { text: 'isEmpty' },
  workbook: { text: 'isWorkbook', room: 'ofertas' },
  customers: { text: 'isCustomers', room: 'cartera' },
  other: { text: 'isOther' },
} as const satisfies Partial<Record<FileKind, { readonly text: TextName; readonly room?: RoomName }>>;

/** How a reading goes. */
type Outcome =
  | { readonly name: 'none' | 'busy' }
  | (Reading & { readonly name: 'read' })
  | { readonly name: 'elsewhere'; readonly kind: keyof typeof ELSEWHERE }
  | { readonly name: 'failed'; readonly error: unknown; readonly advice: TextName };

/** What of the file of a meter is searched for its supply point and its columns. */
const FIRST_BYTES = 4096;

/** A column that files with totals by month have, which have no hours. */
const MONTHLY = /punta/i;
/** How many indices the service reads a curve beside. */
const MAX_INDICES = 5;

/** The lines of an invoice are rounded. */
const MAX_DIFFERENCE_EUR = 0.02;

/** Fills the form from the QR code of an invoice, as an address, a photo or a PDF, or from the curve of a meter. */
export function Sources({
  form,
  order,
  from,
  isFolded,
}: {
  readonly form: FormParts;
  /** Which of the studies of this page is open: what was read before is of another one. */
  readonly order: number;
  /** What was opened last, also in place of a study in which nothing was done. */
  readonly from: object | null;
  /** Only how the last reading went is shown. */
  readonly isFolded: boolean;
}) {
  const { api, reach } = useOpenSession();
  const { say, language } = useTranslation();
  const [address, setAddress] = useKept(reach, 'qr', '');
  const [outcome, setOutcome] = useState<Outcome>({ name: 'none' });
  const control = useRef<AbortController | null>(null);
  const take = useReadings(form, { order, from }, () => {
    control.current?.abort();
    setAddress('');
    setOutcome({ name: 'none' });
  });
  /** Shows how a reading goes, which ends the one before; `advice` is for one that fails. */
  const attempt = async (advice: TextName, work: (client: Tarifario, signal: AbortSignal) => Promise<Outcome>) => {
    control.current?.abort();
    control.current = new AbortController();
    const { signal } = control.current;
    setOutcome({ name: 'busy' });
    const ended = await work(api, signal).catch((error: unknown): Outcome => ({ name: 'failed', error, advice }));
    if (!signal.aborted) setOutcome(ended);
  };
  const readInvoice = async (text: string, client: Tarifario, signal: AbortSignal): Promise<Outcome> => {
    const url = addressWithoutCups(text);
    if (url === null) throw new Unread('invoiceAdvice');
    const reading = await client.readInvoice({ body: { url } }, { signal });
    const plain = decoded(text);
    const postcode = /[?&](?:amp;)?cp=(\d{5})/i.exec(plain)?.[1] ?? null;
    take(firstCups(plain), (now, isOther) => draftOfInvoice(reading, now, { postcode, isOther, language }));
    return { name: 'read', check: reading.factura.comprobacion, notices: reading.avisos };
  };
  const readAddress = (text: string) => attempt('invoiceAdvice', (client, signal) => readInvoice(text, client, signal));
  const readCodeIn = (kind: 'photo' | 'pdf', file: File) =>
    attempt('invoiceAdvice', async (client, signal) => {
      const text = await readCode({ kind, file }, signal);
      setAddress(addressWithoutCups(text) ?? '');
      return readInvoice(text, client, signal);
    });
  const readCurve = (file: File) =>
    attempt('curveAdvice', async (client, signal) => {
      const { tariff, territory, community } = form.draft;
      const place = community ? { territory, community } : { territory };
      const body = await curveWithoutCups(file);
      const begin = await file.slice(0, FIRST_BYTES).text();
      const cups = firstCups(begin);
      const indices = MONTHLY.test(begin.replaceAll('\0', '')) ? {} : await loadedIndices(client, signal);
      const asked = { tariff_type: tariff as Tariff, ...place, ...indices, body };
      const curve = await client.readConsumption(asked, { signal });
      take(cups, (now, isOther) => {
        const before = isOther ? { ...emptyAt(now), tariff, territory, community } : now;
        return { draft: draftOfCurve(curve, before, language), isOther: isOther ?? false };
      });
      setAddress('');
      return { name: 'read', curve, notices: curve.avisos };
    });
  const readFile = async (file: File) => {
    const kind = await kindOf(file);
    if (kind === 'photo' || kind === 'pdf') return readCodeIn(kind, file);
    if (kind === 'curve') return readCurve(file);
    if (kind === 'address') return readAddress(await file.text());
    control.current?.abort();
    setOutcome({ name: 'elsewhere', kind });
  };
  const element = useRef<HTMLDivElement>(null);
  useGivenFile((file) => element.current?.checkVisibility() && void readFile(file));
  return (
    <div class="sources" ref={element}>
      <div class="ways" hidden={isFolded}>
        <FileDrop label={say('anyFile')} accept="" onFile={(file) => void readFile(file)} />
        <div class="inline">
          <TextField
            label={say('invoiceAddress')}
            type="url"
            name="qr"
            placeholder="https://comparador.cnmc.gob.es/…"
            value={address}
            onText={setAddress}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              void readAddress(address);
            }}
          />
          {address.trim() !== '' && <Press text="readInvoice" onPress={() => void readAddress(address)} />}
        </div>
      </div>
      <div role="status">
        {outcome.name === 'busy' && say('working')}
        {outcome.name === 'read' && <ReadingText {...outcome} territory={say(form.draft.territory)} />}
        {outcome.name === 'elsewhere' && <Elsewhere {...ELSEWHERE[outcome.kind]} />}
      </div>
      {outcome.name === 'failed' && <Failure {...outcome} />}
    </div>
  );
}

/**
 * Takes readings, and knows the supply points of the studies by their orders: in this memory alone.
 *
 * @param onAnother - Another study is open, and no reading here has begun it.
 */
function useReadings(
  form: FormParts,
  open: { readonly order: number; readonly from: object | null },
  onAnother: () => void,
) {
  const { order, from } = open;
  const known = useRef(new Map<number, string>());
  const shown = useRef(open);
  /** The supply point of a reading that is not yet drawn; `undefined`: there is none. */
  const drawn = useRef<string | null | undefined>(undefined);
  // Before anything else is drawn: of each drawing it is known whether a reading here has begun the study.
  useLayoutEffect(() => {
    const isChanged = shown.current.order !== order || shown.current.from !== from;
    const isAnother = isChanged && drawn.current === undefined;
    shown.current = open;
    if (drawn.current) known.current.set(order, drawn.current);
    drawn.current = undefined;
    if (isAnother) onAnother();
  });
  return (cups: string | null, readOf: (now: Draft, isOther: boolean | null) => Read) => {
    const before = known.current.get(order);
    drawn.current = cups;
    form.read((now) => readOf(now, cups && before ? cups !== before : null));
  };
}

/** Takes a file that is pasted, wherever the focus is, or dropped beside the places for files; a link, outside of fields. */
function useGivenFile(take: (file: File) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      const [file] = clipboardData?.files ?? [];
      const text = clipboardData?.getData('text') ?? '';
      if (file) latest.current(file);
      else if (
        isInvoiceAddress(text) &&
        !(target instanceof Element && target.matches('textarea, input:not([type=checkbox], [type=radio])'))
      )
        latest.current(new File([text], ''));
    };
    const drop = ({ target, dataTransfer }: DragEvent) => {
      const [file] = dataTransfer?.files ?? [];
      if (file && target instanceof Element && !target.closest('.drop')) latest.current(file);
    };
    addEventListener('paste', paste);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('paste', paste);
      removeEventListener('drop', drop);
    };
  }, []);
}

/** The indices that a curve is read beside; none where they are not known. */
async function loadedIndices(client: Tarifario, signal: AbortSignal): Promise<{ readonly indices?: string }> {
  const { indices } = await client.listIndices({}, { signal }).catch(() => ({ indices: [] }));
  const names = indices.slice(0, MAX_INDICES).map(({ indice }) => indice);
  return names.length === 0 ? {} : { indices: names.join() };
}

function ReadingText({ curve, check, notices, territory }: Reading & { readonly territory: string }) {
  const { say, language, number, eur } = useTranslation();
  const checkText = ({ total_calculado, diferencia }: NonNullable<typeof check>) =>
    Math.abs(diferencia) <= MAX_DIFFERENCE_EUR
      ? say('totalFits')
      : say('totalDiffers', { total: eur(total_calculado), difference: eur(diferencia) });
  const kwh = Object.values(curve?.energia ?? {}).reduce((sum, one) => sum + one, 0);
  return (
    <>
      <p class="good">{curve ? say('curveRead', { days: curve.dias, kwh: number(kwh) }) : say('invoiceRead')}</p>
      {check && <p>{checkText(check)}</p>}
      {curve?.indices?.map(({ indice, entradas, efecto }) => {
        if (entradas === 0) return null;
        const values = { index: indice, eur: eur(Math.abs(efecto)) };
        return <p key={indice}>{say(efecto < 0 ? 'hoursCheaper' : 'hoursDearer', values)}</p>;
      })}
      <ul class="meaning">
        {notices.map(({ codigo, mensaje }) => (
          <li key={codigo}>{noticeText(codigo, language, { territory }) ?? mensaje}</li>
        ))}
      </ul>
    </>
  );
}

function Elsewhere({ text, room }: { readonly text: TextName; readonly room?: RoomName }) {
  const { say } = useTranslation();
  return (
    <p>
      {say(text)} {room && <PlaceLink to={{ room, id: null }}>{say(ROOMS[room])}</PlaceLink>}
    </p>
  );
}

function Failure({ error, advice }: { readonly error: unknown; readonly advice: TextName }) {
  if (error instanceof Unread) return <Problem error={error} advice={error.advice} />;
  // A refusal of the server is about the file or the address.
  const isRefused = !(error instanceof TarifarioError) || error.status === 400 || error.status === 422;
  return <Problem error={error} advice={isRefused ? advice : undefined} />;
}
