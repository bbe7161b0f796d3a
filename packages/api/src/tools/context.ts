import { type Caller, maySeeCommissions, withoutCups } from '@tarifario/core/service';
import { argumentNotesOf, outputNotesOf } from './schemas.ts';
import { rowsFor } from './tools.ts';

// What a client can offer to its model beside tools. Like tools it depends on the rights of a key alone.

/** A prompt, in the terms of MCP. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

const INVOICE_PROMPT: Prompt = {
  name: 'compare_for_invoice',
  title: 'Compare for this invoice',
  description: 'Reads an invoice, ranks the offers for its customer and tells what each would save.',
  arguments: [
    {
      name: 'invoice',
      description:
        'The address in the QR code of the invoice, or what it says: supply, tariff, kWh and kW by period, days and what was paid. No name, address or CUPS.',
      required: true,
    },
  ],
};
/** The tools that the prompt mentions. */
const INVOICE_TOOLS = ['read_invoice_qr', 'rank_offers'];

export function promptsFor(caller: Caller): readonly Prompt[] {
  const names = rowsFor(caller).map(([name]) => name);
  return INVOICE_TOOLS.every((name) => names.includes(name)) ? [INVOICE_PROMPT] : [];
}

/** The text of the prompt for the model. The user's argument is in it as a JSON text, without a CUPS. */
export function invoicePrompt(invoice: string): string {
  return `Compare the energy offers for the customer of this invoice: ${JSON.stringify(withoutCups(invoice))}
1. If it is an address, call read_invoice_qr with it, and read its avisos; else take the quantities as they are, and ask for what is missing instead of guessing it.
2. Call rank_offers with them, with tariff_type and, where known, territory, client_type and contrato_actual; with territory also impuestos (fecha: today).
3. For sin_filtro_* among the avisos of the answer ask the customer, and rank again. Tell the other avisos first. Then show the three best offers in a table: retailer, offer, factura_estimada.total (without bills cost.total, said to be before tax), what it saves beside the present contract. Say what could not be compared, and why.
Answer in the language of the user.`;
}

const NOTES = { glossary: outputNotesOf, arguments: argumentNotesOf };

/** Resources, in the terms of MCP. */
export const RESOURCES = [
  {
    uri: 'tarifario://glossary',
    name: 'glossary',
    title: 'What the fields of answers mean',
    description: 'Every field that the tools of this key answer, with its meaning and its unit.',
    mimeType: 'text/markdown',
  },
  {
    uri: 'tarifario://arguments',
    name: 'arguments',
    title: 'What the arguments of tools mean',
    description: 'Every argument that the tools of this key take, with its unit and what it may hold.',
    mimeType: 'text/markdown',
  },
] as const;

/** The text of a resource: of all that this caller's tools answer, or take. */
export function resourceText({ name, title }: (typeof RESOURCES)[number], caller: Caller): string {
  const visibility = { seesCommissions: maySeeCommissions(caller) };
  const notes = rowsFor(caller).flatMap(([, row]) => NOTES[name](row, visibility));
  const lines = new Set(notes.map(([field, note]) => `- \`${field}\`: ${note}`));
  return `# ${title}\n\n${[...lines].sort().join('\n')}\n`;
}
