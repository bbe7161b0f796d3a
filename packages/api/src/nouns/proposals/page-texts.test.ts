import { ADVISOR_WARNINGS, WARNING_CODES } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { toWireWarning } from '../ranking/advice.ts';
import { warningText } from './page-texts.ts';

/** A proposal has offers, which are those of now. */
const NOT_ON_A_PAGE: readonly string[] = [...ADVISOR_WARNINGS, 'alcance_actual', 'peaje_sin_ofertas', 'sin_ofertas'];

test.each(WARNING_CODES.filter((code) => !NOT_ON_A_PAGE.includes(code)))(
  'A-91: %s names to a customer no member of a question or an answer',
  (code) => {
    const text = warningText(toWireWarning({ code, total: 1, offerIds: [1] }));
    expect(text).not.toMatch(/[a-z]_[a-z]|\bdias\b|\bterritory\b|impuestos\./);
  },
);
