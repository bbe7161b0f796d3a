import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { TARIFARIO_URL = 'http://127.0.0.1:3000', TARIFARIO_KEY = '' } = process.env;

/** What is read of a ranking: the fields that the bot asks for. */
interface Page {
  readonly total: number;
  readonly avisos: readonly { readonly mensaje: string }[];
  readonly results: readonly {
    readonly offer: { readonly offer_name: string; readonly company: { readonly name: string } };
    readonly cost: { readonly total: number };
  }[];
  /** Missing on the last page. */
  readonly next_offset?: number;
}
const FIELDS = 'results.offer.offer_name,results.offer.company.name,results.cost.total';
const PAGE = 10;
/** As the description of the tool shows it. An agent fills in what its customer says. */
const QUESTION = {
  ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' },
  energia: { e1: 1200, e2: 900, e3: 1400 },
  potencia: { p1: 4.6, p2: 4.6 },
};

const client = new Client({ name: 'example-bot', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(new URL('/mcp', TARIFARIO_URL), {
  requestInit: { headers: { 'X-API-Key': TARIFARIO_KEY } },
});
await client.connect(transport);
try {
  await rank();
} finally {
  await client.close();
}

async function rank(): Promise<void> {
  const { tools } = await client.listTools();
  console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`);
  if (tools.some(({ name }) => name === 'calculate_commission')) {
    throw new Error('this key sees commissions: use one of `tarifario key create --mcp`');
  }
  for (let offset: number | undefined = 0, place = 1; offset !== undefined; ) {
    const page: Page = await call('rank_offers', { ...QUESTION, fields: FIELDS, limit: PAGE, offset });
    if (offset === 0) for (const { mensaje } of page.avisos) console.log(`! ${mensaje}`);
    for (const { offer, cost } of page.results) {
      console.log(`${place++} of ${page.total}: ${offer.offer_name} (${offer.company.name}), ${cost.total} EUR`);
    }
    offset = page.next_offset;
  }
}

/** Calls a tool, whose result is one text: JSON. A refusal says in `detail` why. */
async function call(name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content;
  if (part?.type !== 'text') throw new Error(`${name} answered no text`);
  const answer = JSON.parse(part.text);
  if (isError) throw new Error(`${name}: ${JSON.stringify(answer.detail)}`);
  return answer;
}
