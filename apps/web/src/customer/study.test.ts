import type { Curve, InvoiceReading, Ranking } from '@tarifario/client';
import { describe, expect, it } from 'vitest';
import { TRANSLATIONS } from '../texts/texts.ts';
import type { Answer } from './answer.ts';
import { EMPTY_DRAFT } from './draft.ts';
import { draftOfCurve, draftOfInvoice } from './readings.ts';
import { reopened } from './reopened.ts';
import { keptStudy, nextStudy, replacedCount, type Study, type StudyEvent } from './study.ts';

const after = (study: Study, ...events: readonly StudyEvent[]) => events.reduce(nextStudy, study);
const typed = (name: string, text: string): StudyEvent => ({
  name: 'typed',
  changes: ({ values }) => ({ values: { ...values, [name]: text } }),
});
const ticked = (id: number): StudyEvent => {
  return { name: 'chosen', result: { offer: { id } } as Ranking['results'][number], isChosen: true };
};
const back: StudyEvent = { name: 'broughtBack' };
const idsIn = ({ chosen }: Study) => chosen.map(({ id }) => id);
const customer = (kwh: number) => reopened({ supply_type: 'LUZ', energia: { e1: kwh }, potencia: { p1: 3 } }, 'es');
const REMARK = 'Con la potencia a 3,2 kW';
const atPower: StudyEvent = {
  name: 'replaced',
  changes: ({ values }) => ({ values: { ...values, p1: '3,2' }, remark: REMARK }),
};
const ana = after(keptStudy(), typed('e1', '1777'), typed('p1', '4,6'), ticked(1), {
  name: 'commented',
  comment: 'Ana',
});

describe('a study that another one replaces', () => {
  const from = { ...customer(77), comment: 'Berta', offerIds: [2, 3], proposalId: 9, missing: ['mes'] };
  const berta = after(ana, { name: 'reopened', from });

  it('leaves nothing of it, and is brought back whole, as often as it is asked', () => {
    expect(berta).toMatchObject({ comment: 'Berta', draft: { values: { e1: '77' } }, opened: { proposalId: 9 } });
    expect(idsIn(berta)).toEqual([2, 3]);
    expect(after(ana, { name: 'reopened', from: customer(5) })).toMatchObject({ comment: '', chosen: [] });
    const again = after(berta, back);
    expect([again.draft, again.comment, again.opened]).toEqual([ana.draft, 'Ana', ana.opened]);
    expect(idsIn(again)).toEqual([1]);
    expect(after(again, back)).toMatchObject({ comment: 'Berta', draft: berta.draft, opened: { missing: ['mes'] } });
  });

  it('comes back with what was done after a reading, whichever data of it come back', () => {
    const read: StudyEvent = { name: 'replaced', changes: { values: { e1: '1' } } };
    const later = after(berta, read, { name: 'commented', comment: 'Berta 2' }, ticked(4));
    const steps = [1, 2, 3].map((count) => after(later, ...Array.from({ length: count }, () => back)));
    expect(steps.map((study) => [study.draft.values.e1, study.comment, idsIn(study)])).toEqual([
      ['77', 'Berta 2', [2, 3, 4]],
      ['1777', 'Ana', [1]],
      ['1', 'Berta 2', [2, 3, 4]],
    ]);
  });

  it('has nothing to bring back where a reading changes nothing', () => {
    const read: StudyEvent = { name: 'replaced', changes: ({ values }) => ({ values: { ...values, e1: '1' } }) };
    expect(after(ana, read, read).earlier).toHaveLength(1);
  });

  it('stands in the customer view where the screen was turned to the customer', () => {
    expect(berta.isForCustomer).toBe(false);
    expect(after(ana, { name: 'turned' }, { name: 'reopened', from }).isForCustomer).toBe(true);
  });

  it('keeps its ticks when an answer to the other one comes', () => {
    const asked = { supply_type: 'LUZ', energia: { e1: 77 }, potencia: { p1: 3 } } as unknown as NonNullable<
      Study['asked']
    >;
    const answer = { ranking: { results: [{ offer: { id: 2 } }] } } as unknown as Answer;
    const reach = 'r';
    const study = after({ ...berta, reach }, back, { name: 'answered', reach, asked, answer, language: 'es' });
    expect(study.chosen).toEqual([{ id: 1, result: null }]);
  });

  it('loses its ticks under other rights, and not its data and comment', () => {
    const study = after(berta, { name: 'reached', reach: 'others' }, back);
    expect(study).toMatchObject({ comment: 'Ana', draft: ana.draft, chosen: [] });
  });

  it('is counted with its comment and its ticks', () => {
    // Consumption, power, a tick and the comment.
    expect(replacedCount(berta)).toBe(4);
    expect(replacedCount(after(ana, atPower))).toBe(1);
  });
});

describe('the invoice of another customer', () => {
  const reading = {
    efficient: {
      ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: null, community: null, dias: 30 },
      ...{ energia: { e1: 55 }, potencia: { p1: 3.45, p2: 3.45 } },
    },
    contrato_actual: null,
    avisos: [],
    factura: { potencia_maxima: { p1: null, p2: null } },
  } as unknown as InvoiceReading;
  const filtered: StudyEvent = {
    name: 'typed',
    changes: ({ values }) => ({
      ...{ green: 'yes', panels: 'withoutPanels', rental: 'monofasico', use: 'industrial', isWithoutPower: true },
      ...{ holder: 'cif', territory: 'canarias', taxDay: '2026-10-15', present: 'presentTotal' },
      values: { ...values, permanencia_max: '12', 'contrato_actual.coste_total': '900', 'impuestos.alquiler': '1' },
    }),
  };
  const readBy = (isOther: boolean | null, postcode: string | null = null): StudyEvent => ({
    name: 'read',
    readOf: (before) => draftOfInvoice(reading, before, { postcode, isOther, language: 'es' }),
  });
  const read = readBy(null);
  const before = after(ana, filtered);
  const berta = after(before, read);

  it('begins a study without the comment, the ticks, the filters and the rental of the one before', () => {
    expect(berta).toMatchObject({ comment: '', chosen: [], opened: { proposalId: null, missing: [] } });
    expect(berta.opened.order).not.toBe(before.opened.order);
    expect(berta.draft).toEqual({
      ...EMPTY_DRAFT,
      taxDay: '2026-10-15',
      values: { e1: '55', p1: '3,45', p2: '3,45', dias: '30' },
    });
  });

  it('is one where the supply point is another, or without one the postcode, tariff or power', () => {
    const same = after(before, readBy(false));
    expect(same.opened.order).toBe(before.opened.order);
    const first = after(keptStudy(), readBy(null, '28013'));
    const isOther = (study: Study, ...events: readonly StudyEvent[]) =>
      after(study, ...events).opened.order !== study.opened.order;
    expect(isOther(first, readBy(true, '28013'))).toBe(true);
    expect(isOther(first, readBy(null, '28013'))).toBe(false);
    expect(isOther(first, readBy(null, '08001'))).toBe(true);
    expect(isOther(first, readBy(false, '08001'))).toBe(false);
    expect(isOther(first, typed('p2', '4'), readBy(null, '28013'))).toBe(true);
    expect(isOther(after(first, typed('p2', '3,450')), read)).toBe(false);
    expect(isOther(after(keptStudy(), { name: 'typed', changes: { tariff: '3.0TD' } }), read)).toBe(false);
  });

  it('of the same supply fills its study: what the customer is and wants stays, and its energy comes back', () => {
    const same = after(before, readBy(false));
    expect(same).toMatchObject({ comment: 'Ana', chosen: [{ id: 1 }] });
    expect(same.draft).toEqual({
      ...before.draft,
      isWithoutPower: false,
      values: { ...before.draft.values, e1: '55', p1: '3,45', p2: '3,45', dias: '30' },
    });
    expect(after(same, back).draft).toEqual(before.draft);
  });

  it('is counted with what it replaces, which comes back whole', () => {
    expect(replacedCount(berta)).toBeGreaterThan(4);
    expect(after(berta, back)).toMatchObject({ comment: 'Ana', draft: before.draft });
    expect(idsIn(after(berta, back))).toEqual([1]);
  });

  it('that is read twice is one study', () => {
    const commented = after(berta, { name: 'commented', comment: 'Berta' });
    expect(after(commented, read)).toBe(commented);
  });

  it('has the energy of the curve of its meter, and keeps its power and comment', () => {
    const curve = { dias: 365, energia: { e1: 7, e2: 8, e3: 9 }, excedentes: 0, perfil: [] } as unknown as Curve;
    const withSurplus = after(berta, typed('excedentes', '400'), { name: 'commented', comment: 'Berta' });
    const metered = after(withSurplus, { name: 'replaced', changes: (now) => draftOfCurve(curve, now, 'es') });
    expect(metered).toMatchObject({ comment: 'Berta', draft: { months: [], territory: 'peninsula' } });
    expect(metered.draft.values).toEqual({ e1: '7', e2: '8', e3: '9', p1: '3,45', p2: '3,45' });
  });
});

it('a curve that was read beside indices keeps the year and the hours of its months, and one that was not has none', () => {
  const month = { mes: 6, dias: 30, energia: { e1: 7 }, excedentes: 0 };
  const hours = { anio: 2026, indices: { PVPC: { d1: 0.05 } } };
  const monthsOf = (perfil: readonly object[]) => {
    const curve = { dias: 30, energia: { e1: 7 }, excedentes: 0, perfil } as unknown as Curve;
    return draftOfCurve(curve, EMPTY_DRAFT, 'es').months;
  };
  expect(monthsOf([{ ...month, ...hours }])).toEqual([{ ...month, ...hours }]);
  expect(JSON.stringify(monthsOf([month]))).toBe(JSON.stringify([month]));
});

describe('what the page says of a power', () => {
  it.each([
    ['another power is typed', typed('p1', '3,3')],
    ['the power is brought back', back],
    ['another tariff is chosen', { name: 'typed', changes: { tariff: '3.0TD' } }],
    ['an invoice is read', { name: 'replaced', changes: { values: { p1: '3,2' }, remark: '' } }],
  ] as const)('goes when %s, and the comment of a person stays', (_, event) => {
    const study = after(ana, atPower);
    expect(study.comment).toBe(`Ana\n${REMARK}`);
    expect(after(study, typed('e1', '5'), event)).toMatchObject({ comment: 'Ana', chosen: [{ id: 1 }] });
  });

  it('is known in the comment of a proposal that is opened again, in either language', () => {
    for (const language of ['es', 'en'] as const) {
      const remark = TRANSLATIONS[language].say('powerComment', { best: 'P1 3,2 · P2 2,9', today: 'P1 4,6 · P2 4,6' });
      const request = { supply_type: 'LUZ', energia: { e1: 1 }, potencia: { p1: 3.2 } };
      const from = reopened(request, 'es', { comment: `Ana\n${remark}\nUn saludo` });
      expect(after(ana, { name: 'reopened', from }, typed('e1', '5')).comment).toContain(remark);
      expect(after(ana, { name: 'reopened', from }, typed('p1', '5')).comment).toBe('Ana\n\nUn saludo');
    }
  });

  it('comes back with that power, and is not there where a person has taken it out', () => {
    expect(after(ana, atPower, back, back).comment).toBe(`Ana\n${REMARK}`);
    const own: StudyEvent = { name: 'commented', comment: 'Sin más' };
    expect(after(ana, atPower, own, typed('p1', '3,3')).comment).toBe('Sin más');
  });
});
