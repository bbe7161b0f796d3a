import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWireRanking } from '@tarifario/api';
import {
  defineOffer,
  type OfferDefinition,
  type PresentContract,
  type RankOffersInput,
  rankOffers,
  WARNING_CODES,
} from '@tarifario/core/service';
import { describe, expect, test } from 'vitest';

/** The engine computes the three examples of the page, and every figure of their tables is compared. */
const page = readFileSync(join(import.meta.dirname, 'advice.md'), 'utf8');

type Example = Omit<RankOffersInput, 'offers'> & { readonly offers: readonly Partial<OfferDefinition>[] };

const NAMES = ['household', 'shop', 'gas'] as const;

/** The example with what all of them leave out. */
function inputOf(name: (typeof NAMES)[number]): RankOffersInput {
  const example: Example = JSON.parse(new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '');
  const { supplyType } = example.customer;
  const offers = example.offers.map((offer) => {
    const accepts = { dni: true, cif: true };
    const common = { companyId: 1, offerName: `Oferta ${offer.id}`, accepts, territories: { peninsula: true } };
    return defineOffer({ ...common, supplyType, ...offer } as OfferDefinition);
  });
  const { contract = null } = example;
  const present = contract && ('totalEur' in contract ? contract : ({ ...contract, supplyType } as PresentContract));
  return { ...example, contract: present, filter: { territory: 'peninsula', customerType: 'dni' }, offers };
}

function answerOf(input: RankOffersInput) {
  const stamps = { name: 'A', logoUrl: null, isActive: true, createdAt: '', updatedAt: '' };
  const companies = new Map([[1, { id: 1, firmId: null, ...stamps }]]);
  return toWireRanking({ ranking: rankOffers(input), companies });
}

/** The rows of the tables of an example with this header. */
function rows(name: (typeof NAMES)[number], header: string): string[][] {
  const start = page.indexOf(`\`\`\`json ${name}`);
  const [section = ''] = page.slice(start).split('\n## ');
  const [, table = ''] = section.split(`\n${header}\n`);
  const lines = table.split('\n').slice(1);
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) => cells(line));
}

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe.each(NAMES)('the example %s', (name) => {
  const answer = answerOf(inputOf(name));

  test('A-71: has the savings and costs of the page, in this order', () => {
    const header = '| offer | total | ahorro | porcentaje | coste_extra | comision_extra | comision_eur_mwh |';
    const shown = answer.results.map(({ offer, cost, ahorro, coste_extra, comision_extra, comision_eur_mwh }) => [
      ...[offer.id, cost.total, ahorro?.eur, ahorro?.porcentaje],
      ...[coste_extra, comision_extra, comision_eur_mwh],
    ]);
    expect(shown.map((row) => row.map(String))).toEqual(rows(name, header));
    expect(page).toContain(String(answer.actual?.cost?.total));
  });

  test('A-72: has the figures of the commission that the page has', () => {
    const header =
      '| w | euros_cliente_por_euro_comision | mas_eficiente | mas_comision | coste_extra_anual | comision_extra |';
    const { euros_cliente_por_euro_comision, mas_eficiente, mas_comision } = answer.conflicto ?? {};
    const shown = [
      ...[answer.w, euros_cliente_por_euro_comision, mas_eficiente?.offer_id],
      ...[mas_comision?.offer_id, mas_comision?.coste_extra_anual, mas_comision?.comision_extra],
    ];
    expect([shown.map(String)]).toEqual(rows(name, header));
  });

  test('has the warnings of the page', () => {
    const shown = answer.avisos.map(({ codigo, total, offer_ids }) =>
      [codigo, total, offer_ids.join(', ')].map(String),
    );
    const saidInWords = name === 'household' ? [['menos_de_un_ano', '0', '']] : [];
    expect(shown).toEqual(name === 'gas' ? rows('gas', '| aviso | total | offer_ids |') : saidInWords);
  });
});

test('without the third offer of the shop the tolerance has the same winner, and the weight has another', () => {
  const { tolerance, ...shop } = inputOf('shop');
  const two = shop.offers.slice(0, 2);
  expect(answerOf({ ...shop, tolerance, offers: two })).toMatchObject({ w: 0.4, mas_eficiente_id: 2 });
  expect(answerOf({ ...shop, weight: 0.625 })).toMatchObject({ mas_eficiente_id: 2 });
  expect(answerOf({ ...shop, weight: 0.625, offers: two })).toMatchObject({ mas_eficiente_id: 1 });
});

test('the contract of the household has the published prices of June 2026', () => {
  const { contract } = inputOf('household');
  const published = readFileSync(join(import.meta.dirname, '../test-fixtures/catalog/pvpc-2.0TD-monthly.csv'), 'utf8');
  const june = /^peninsula[^,]*,2026-06-01,(.*),\d+$/m.exec(published)?.[1]?.split(',').map(Number);
  const perDay = [30.817413, 0.725423].map((perYear) => Number((perYear / 365).toFixed(6)));
  expect(contract).toMatchObject({ energyEurPerKwh: june, powerEurPerKwDay: perDay });
});

test('the page names every warning, and no other', () => {
  const [, table = ''] = page.split('| codigo | when |\n');
  const named = [...(table.split('\n\n')[0] ?? '').matchAll(/`([a-z_]+_[a-z_]+)`/g)].map(([, code = '']) => code);
  expect(named.filter((code) => WARNING_CODES.some((known) => known === code))).toEqual([...WARNING_CODES]);
});
