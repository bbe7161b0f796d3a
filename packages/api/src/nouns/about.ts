import { type About, describeComparison } from '@tarifario/core/service';
import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, count, inBothViews, instant } from '../wire/answer.ts';

const said = z.string().nullable();
const inBothLanguages = z.strictObject({ es: z.string(), en: z.string() });

const SCOPE = {
  es: 'Se comparan las ofertas que se han cargado aquí, no todo el mercado.',
  en: 'It compares the offers that were loaded here, not the whole market.',
};
const CRITERIA = {
  cost: {
    es: 'Orden por coste antes de impuestos; a igual coste, por orden de alta.',
    en: 'By cost before tax; equal ones by the order in which they were loaded.',
  },
  weighed: {
    es: 'Orden por una nota que pondera, con w, el coste del cliente antes de impuestos y la comisión del asesor.',
    en: 'By a score that weighs, with w, the cost of the customer before tax and the commission of the advisor.',
  },
};

/** What a comparison says of itself. */
const about = answer(
  'About',
  {
    owner: said.describe('Who operates this comparison; null where the operator does not say.'),
    financing: said.describe('Who pays for it; null where the operator does not say.'),
    contact: said.describe('Where an error is reported; null where the operator does not say.'),
    criteria: inBothViews(
      inBothLanguages,
      'How offers are put in order: at the weight w.',
      'How offers are put in order: by cost.',
    ),
    scope: inBothLanguages.describe('What is compared.'),
    offers: count.describe('How many active offers this key can compare.'),
    retailers: count.describe('How many retailers have them.'),
    newest_change: instant.nullable().describe('When one of them or of its monthly prices last changed.'),
  },
  ({ owner, financing, contact, seesCommissions, offerCount, companyCount, newestChange }: About) => ({
    ...{ owner, financing, contact },
    criteria: seesCommissions ? CRITERIA.weighed : CRITERIA.cost,
    scope: SCOPE,
    offers: offerCount,
    retailers: companyCount,
    newest_change: newestChange,
  }),
);

export const ABOUT: readonly Operation[] = [
  defineOperation({
    id: 'describeComparison',
    method: 'GET',
    path: '/v1/about',
    summary: 'Say who compares what, and how',
    description:
      'What a comparison tool says of itself (Directive (EU) 2019/944, art. 14): who operates and pays for it, how offers ' +
      'are put in order, which offers this key can compare and when one of them last changed. It is not the whole market.',
    anyKey: true,
    output: about,
    mcp: 'about',
    examples: [{ summary: 'What this key compares' }],
    answer: ({ deps, caller }, { firmId }) => describeComparison(deps, caller, { firmId }),
  }),
];
