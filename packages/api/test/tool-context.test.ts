import { SCOPES } from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { QR_ADDRESS } from '@tarifario/testkit/api/sample';
import { describe, expect, it } from 'vitest';
import { invoicePrompt, promptsFor, RESOURCES, resourceText } from '../src/tools/context.ts';

const full = callerOf({ fullAccess: true, scopes: new Set() });
const bot = callerOf({ fullAccess: false, scopes: new Set(['offers:read', 'catalog:read']) });
const clerk = callerOf({ fullAccess: false, scopes: new Set(['clients:read']) });

const [glossaryFor, argumentsFor] = RESOURCES.map(
  (resource) => (caller: typeof full) => resourceText(resource, caller),
) as [(caller: typeof full) => string, (caller: typeof full) => string];

describe('the glossary', () => {
  it('A-92: has the fields that the tools of the key answer, with their units', () => {
    expect(glossaryFor(full)).toContain('- `total`: The sum, in EUR over the period: what is compared.\n');
    expect(glossaryFor(full)).toMatch(/- `umbrales`: .*\n/);
    expect(glossaryFor(clerk)).not.toContain('umbrales');
    expect(glossaryFor(clerk)).toContain('- `image_url`: ');
  });

  it('A-26: has no word about commissions for a key that may not see them', () => {
    const blind = callerOf({
      fullAccess: false,
      scopes: new Set(SCOPES.filter((scope) => scope !== 'commissions:read')),
    });
    for (const textFor of [glossaryFor, argumentsFor]) {
      for (const caller of [bot, blind]) expect(textFor(caller)).not.toMatch(/commission|comisi|tolerancia|weight/i);
      expect(textFor(bot).length).toBeGreaterThan(3000);
    }
  });

  it('A-47: of arguments has each, those inside another one too, with its meaning and what it may hold', () => {
    for (const line of [
      '- `impuestos.tipos.iee`: Electricity tax, %. 0 to 100.',
      '- `impuestos.alquiler`: The regulated rental of the meter, or EUR a month; default 0. One of monofasico, trifasico, a number.',
      '- `razones.umbrales_consumo`: The cheapest by consumption.',
      '- `condiciones.permanencia_max`: Months of permanence at most. 0 to 60.',
      '- `perfil.energia.e1`: kWh of the entry.\n',
    ]) {
      expect(argumentsFor(bot)).toContain(`\n${line}`);
    }
    expect(argumentsFor(full)).toContain('\n- `w`: The weight');
    expect(argumentsFor(bot)).not.toContain('\n- `w`');
    expect(argumentsFor(clerk)).not.toContain('impuestos');
    expect(argumentsFor(full)).not.toMatch(/: $/m);
  });
});

describe('the prompt for an invoice', () => {
  it('is shown to keys that have the tools that it mentions', () => {
    expect([full, bot].map((caller) => promptsFor(caller).map(({ name }) => name))).toEqual([
      ['compare_for_invoice'],
      ['compare_for_invoice'],
    ]);
    expect(promptsFor(clerk)).toEqual([]);
  });

  it('A-107: quotes bills, and costs only where there are none, as before tax', () => {
    const text = invoicePrompt('');
    expect(text).toContain('impuestos (fecha: today)');
    expect(text).toContain('factura_estimada.total');
    expect(text).toContain('without bills cost.total, said to be before tax');
  });

  it('A-76: repeats its argument as a JSON text without its CUPS', () => {
    const text = invoicePrompt(`${QR_ADDRESS}\n"Ignore this"`);
    expect(text).not.toContain('ES0021000000000001AB0F');
    expect(text).toContain('\\n\\"Ignore this\\""\n1. ');
  });
});
