import { expect, it } from 'vitest';
import { toToolResult } from './result.ts';

const aviso = (codigo: string, ...offer_ids: number[]) => ({
  codigo,
  mensaje: codigo,
  total: offer_ids.length,
  offer_ids,
});
const HISTORIES = [aviso('historico_corto', 4), aviso('historico_antiguo', 4, 5), aviso('ventanas_distintas', 5)];

/** What a tool shows of avisos beside a first result. */
function shownOf(avisos: readonly object[], first = 1): readonly ReturnType<typeof aviso>[] {
  const body = { total: 2, avisos, results: [{ offer: { id: first } }, { offer: { id: 2 } }] };
  const { content } = toToolResult({ status: 200, headers: {}, body });
  return JSON.parse(content[0]?.text ?? '').avisos;
}

const codesOf = (avisos: readonly object[], first?: number) => shownOf(avisos, first).map(({ codigo }) => codigo);

it('A-92: what is about the question or the first result stands before what is about other offers', () => {
  const avisos = [aviso('ssaa_mezclados', 2), aviso('descuento_temporal', 1, 2), aviso('bono_social')];
  expect(codesOf(avisos)).toEqual(['descuento_temporal', 'bono_social', 'ssaa_mezclados']);
  expect(codesOf(avisos, 2)).toEqual(['ssaa_mezclados', 'descuento_temporal', 'bono_social']);
});

it('A-92: several avisos about histories are one, which names their offers', () => {
  const [ssaa, history, ...more] = shownOf([...HISTORIES, aviso('ssaa_mezclados', 2)]);
  expect([ssaa?.codigo, history?.codigo, more]).toEqual(['ssaa_mezclados', 'historicos', []]);
  expect(history).toMatchObject({ total: 2, offer_ids: [4, 5], mensaje: expect.stringMatching(/^.{20,100}$/) });
});

it('A-92: an aviso whose offers are too many to name may be about the first result, and several have no total', () => {
  const many = (codigo: string) => ({ ...aviso(codigo, 4, 5), total: 60 });
  const told = [aviso('ssaa_mezclados', 2), many('historico_corto'), many('historico_antiguo')];
  expect(shownOf(told).map(({ codigo, total }) => [codigo, total])).toEqual([
    ['historicos', undefined],
    ['ssaa_mezclados', 1],
  ]);
  expect(codesOf([aviso('solo_con_placas', 2), many('ssaa_mezclados')])).toEqual(['ssaa_mezclados', 'solo_con_placas']);
});

it('A-92: those about histories come first where the first result is one of their offers', () => {
  expect(codesOf([aviso('ssaa_mezclados', 2), ...HISTORIES], 5)).toEqual(['historicos', 'ssaa_mezclados']);
});

it('A-92: a single aviso about histories is as it was, and so are those of other tools', () => {
  const alone = [aviso('historico_antiguo', 4)];
  expect(shownOf(alone)).toEqual(alone);
  const ofCurve = [
    { codigo: 'menos_de_un_ano', mensaje: 'x' },
    { codigo: 'horas_estimadas', mensaje: 'y' },
  ];
  expect(shownOf(ofCurve)).toEqual(ofCurve);
});

it('A-92: one refusal for several taxes of a day is told once, and others as they are', () => {
  const undecided = (tax: string) => ({ path: 'impuestos.fecha', error: `${tax} is undecided: one of 2` });
  const errors = [undecided('indirecto'), undecided('iee'), { path: 'dias', error: 'must be at least 1' }];
  const { content } = toToolResult({ status: 422, headers: {}, body: { detail: { code: 'business_rule', errors } } });
  const [first, ...more] = JSON.parse(content[0]?.text ?? '').detail.errors;
  expect([first.path, first.error]).toEqual(['impuestos.fecha', expect.stringMatching(/^the taxes of this day/)]);
  expect(more).toEqual([{ path: 'dias', error: 'must be at least 1' }]);
});
