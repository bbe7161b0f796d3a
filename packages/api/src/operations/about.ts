import { describeComparison } from '@tarifario/core/service';
import { defineOperation, type Operation } from '../operation.ts';
import { about } from '../wire/about.ts';

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
