import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineOffer, type OfferDefinition, type RankOffersInput, rankOffers } from '@tarifario/core';
import { WARNING_CODES } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'advice.md'), 'utf8');

interface Example extends Omit<RankOffersInput, 'offers'> {
  readonly offers: readonly Partial<OfferDefinition>[];
}

/** The examples of the page, with what all of them leave out. */
const examples = [...page.matchAll(/```json (\w+)\n(.*?)```/gs)].map(([, name, text = '']): [unknown, Example] => [
  name,
  JSON.parse(text),
]);

test.each(examples)('the engine ranks the example %s, all of its offers', (_name, { offers, contract, ...rest }) => {
  const { supplyType } = rest.customer;
  const common = { companyId: 1, offerName: 'A', accepts: { dni: true }, territories: { peninsula: true } };
  const defined = offers.map((offer) => defineOffer({ ...common, supplyType, ...offer } as OfferDefinition));
  const present = contract && ('totalEur' in contract ? contract : { supplyType, ...contract });
  expect(rankOffers({ ...rest, contract: present, offers: defined }).results).toHaveLength(offers.length);
});

test('the page names every warning, and no other', () => {
  const [, table = ''] = page.split('| codigo | when |\n');
  const named = [...(table.split('\n\n')[0] ?? '').matchAll(/`([a-z_]+_[a-z_]+)`/g)].map(([, code = '']) => code);
  expect(named.filter((code) => WARNING_CODES.some((known) => known === code))).toEqual([...WARNING_CODES]);
});
