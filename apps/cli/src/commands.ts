import { CUSTOMER_COLUMNS } from '@tarifario/api/customer-table/columns';
import type { Run } from './command.ts';

/** A command as the program, its help and its completion show it. Its code is loaded when it is called. */
export interface CommandSpec {
  /** The words of the command, e.g. `account create`. */
  readonly words: string;
  readonly about: string;
  /** The name of the positional argument, which is required but where `isOptional`; `...` ends that of several. */
  readonly operand?: string;
  readonly isOptional?: true;
  /** Its arguments in one line; absent: only the operand, if it has one. */
  readonly usage?: string;
  /** Options as `--name VALUE` or `--name`, each with its purpose. `a|b` in small letters: one of these words. */
  readonly options?: Readonly<Record<string, string>>;
  /** Options of which a call has one at most: each group of names. */
  readonly either?: readonly (readonly string[])[];
  /** Options that go with another one only: `a|b` for either. */
  readonly goesWith?: Readonly<Record<string, string>>;
  /** Whether its records can also be printed or written as a table: `--out` and `--format`. */
  readonly hasTable?: boolean;
  /** Whether it can take long: then it shows its progress on a terminal, and elsewhere with `--progress`. */
  readonly isLong?: boolean;
  readonly example: string;
  load(): Promise<Run>;
}

const PLANS = 'free|trial|starter|pro|business';
const CLIENT = { '--client ID': 'the advisory firm' };
const ACCOUNT = { '--account ID': 'the account' };
const REACHED = {
  '--account ID': 'in place of --offers: the offers that an account reaches, in the database of DATABASE_URL',
};

const ASKED = { '--url URL': 'of a server that answers in place of this machine, with the key in TARIFARIO_KEY' };

export const COMMANDS: readonly CommandSpec[] = [
  {
    words: 'migrate',
    about: 'Bring the database up to date',
    example: 'DATABASE_URL=sqlite:./data/tarifario.db tarifario migrate',
    load: async () => (await import('./database.ts')).migrateCommand,
  },
  {
    words: 'serve',
    about: 'Serve REST, MCP and the pages about the API',
    usage: '[--port N]',
    options: { '--port N': 'in place of PORT; 0 takes a free one' },
    example: 'tarifario serve --port 8080',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    words: 'mcp',
    about: 'Serve MCP over standard input and output, for an agent on this machine',
    usage: '[--key KEY] [--url URL]',
    options: {
      '--key KEY': 'the key that the agent gets; better in TARIFARIO_KEY, where other programs do not see it',
      '--url URL': 'of a server to ask; without it the database of DATABASE_URL is asked',
    },
    example: 'TARIFARIO_KEY=tfk_... tarifario mcp --url https://tarifas.example',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    words: 'account create',
    about: 'Create an account; the first one may edit the catalog',
    usage: `--name TEXT --email TEXT --password TEXT|- [--plan ${PLANS}] [--clients-limit N] [--catalog-editor]`,
    options: {
      '--name TEXT': 'who it is for',
      '--email TEXT': 'its address, which no other account has',
      '--password TEXT|-': 'at least 8 characters; -: the first line of standard input',
      [`--plan ${PLANS}`]: 'the plan of its subscription; none without',
      '--clients-limit N': 'advisory firms it may have, in place of those of the plan',
      '--catalog-editor': 'may edit the catalog that all accounts share',
    },
    example: 'tarifario account create --name "Asesoría Norte" --email norte@example.com --password - --plan pro',
    load: async () => (await import('./account.ts')).createAccount,
  },
  {
    words: 'account list',
    about: 'Show all accounts with their subscriptions',
    hasTable: true,
    example: 'tarifario account list --pretty',
    load: async () => (await import('./account.ts')).listAccounts,
  },
  {
    words: 'account activate',
    about: 'Let the keys of an account in again',
    operand: 'ID',
    example: 'tarifario account activate 1',
    load: async () => (await import('./account.ts')).activateAccount,
  },
  {
    words: 'account deactivate',
    about: 'Refuse all keys of an account',
    operand: 'ID',
    example: 'tarifario account deactivate 1',
    load: async () => (await import('./account.ts')).deactivateAccount,
  },
  {
    words: 'account set',
    about: 'Change what an account may do, or its password',
    usage: 'ID [--catalog-editor true|false] [--password TEXT|-]',
    operand: 'ID',
    options: {
      '--catalog-editor true|false': 'whether it may edit the catalog',
      '--password TEXT|-': 'at least 8 characters; -: the first line of standard input',
    },
    example: 'tarifario account set 1 --catalog-editor true',
    load: async () => (await import('./account.ts')).setAccount,
  },
  {
    words: 'subscription set',
    about: 'Set the plan of an account and its limits; what is not given stays',
    usage:
      '--account ID --plan P [--status active|cancelled] [--clients-limit N] [--trial-ends-at T] [--current-period-end T] [--calls-per-minute N] [--client-calls-per-minute N] [--companies-limit N] [--offers-limit N] [--months-limit N] [--history-limit BYTES] [--proposals-limit BYTES]',
    options: {
      ...ACCOUNT,
      [`--plan ${PLANS}`]: 'the plan',
      '--status active|cancelled': 'whether it runs',
      '--clients-limit N': 'advisory firms at most',
      '--trial-ends-at T': 'a day or a time with its zone; none: no trial',
      '--current-period-end T': 'a day or a time with its zone',
      '--calls-per-minute N': 'calls of the account, in place of those of the plan; none: of the plan',
      '--client-calls-per-minute N': 'calls of all keys of a client together, in the same way',
      '--companies-limit N': 'own companies at most, in the same way',
      '--offers-limit N': 'own offers at most, in the same way',
      '--months-limit N': 'months of indexed prices at most, in the same way',
      '--history-limit BYTES': 'versions of offers at most, in the same way',
      '--proposals-limit BYTES': 'proposals at most, in the same way',
    },
    example: 'tarifario subscription set --account 1 --plan pro --offers-limit 200000',
    load: async () => (await import('./subscription.ts')).setSubscription,
  },
  {
    words: 'key create',
    about: 'Create an API key, which is shown this once',
    usage:
      '--account ID [--client ID] (--full-access | --scopes a:read,b:write | --mcp [--internal]) [--name TEXT] [--expires-at T]',
    options: {
      ...ACCOUNT,
      '--client ID': 'narrowed to one advisory firm',
      '--full-access': 'may do everything',
      '--scopes LIST': 'may do this, e.g. offers:read,offers:write',
      '--mcp': 'for agents: offers:read and catalog:read',
      '--internal': 'with --mcp, for agents of the house: commissions:read too',
      '--name TEXT': 'what it is called in lists',
      '--expires-at T': 'a day or a time with its zone, from which on it is refused; without, it does not end',
    },
    example: 'tarifario key create --account 1 --mcp --name "bot of the web page"',
    load: async () => (await import('./key.ts')).createKey,
  },
  {
    words: 'key list',
    about: 'Show the keys of an account without their secrets, and when each was used last',
    usage: '--account ID',
    options: ACCOUNT,
    hasTable: true,
    example: 'tarifario key list --account 1 --pretty',
    load: async () => (await import('./key.ts')).listKeys,
  },
  {
    words: 'key revoke',
    about: 'End a key for good',
    operand: 'ID',
    example: 'tarifario key revoke 7',
    load: async () => (await import('./key.ts')).revokeKey,
  },
  ...(['subscribe', 'unsubscribe'] as const).map((word): CommandSpec => {
    const about = word === 'subscribe' ? 'Show companies of the catalog to a client' : 'Hide them from a client';
    return {
      words: `catalog ${word}`,
      about,
      usage: '--client ID (--company ID | --all)',
      options: { ...CLIENT, '--company ID': 'one company of the catalog', '--all': 'all of it, later ones too' },
      example: `tarifario catalog ${word} --client 1 --company 3`,
      load: async () => (await import('./catalog.ts'))[word],
    };
  }),
  {
    words: 'indices import',
    about: 'Store prices of a market by the hour, as ESIOS, REData and OMIE publish them',
    usage: '--as NAME [--geo ZONE] [--serie TEXT] FILE...',
    operand: 'FILE...',
    options: {
      '--as NAME': 'the name of the index, such as PVPC; later files replace the same hours of earlier ones',
      '--geo ZONE': 'of ESIOS, where a file has several: 8741 is the mainland',
      '--serie TEXT': 'of REData, where a file has several: its type',
    },
    example: 'tarifario indices import --as PVPC --geo 8741 export_PVPC.csv',
    load: async () => (await import('./indices.ts')).importIndices,
  },
  {
    words: 'indices list',
    about: 'Show the indices that are stored',
    hasTable: true,
    example: 'tarifario indices list --pretty',
    load: async () => (await import('./indices.ts')).listIndices,
  },
  {
    words: 'backup',
    about: 'Copy a SQLite database while it is in use',
    operand: 'FILE',
    isLong: true,
    example: 'tarifario backup backups/2026-03-01.db',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    words: 'copy',
    about: 'Copy everything from one database to another, empty one, SQLite or PostgreSQL, and compare the two',
    usage: '--from DATABASE_URL --to DATABASE_URL [--dry-run]',
    options: {
      '--from DATABASE_URL': 'what is copied, as it is at this moment; it stays as it is',
      '--to DATABASE_URL': 'a database without tables, or a file that is not there',
      '--dry-run': 'only count what would be copied',
    },
    isLong: true,
    example: 'tarifario copy --from sqlite:./data/tarifario.db --to postgres://tarifario@db.example/tarifario',
    load: async () => (await import('./copy.ts')).copy,
  },
  {
    words: 'demo seed',
    about: 'Fill an empty database with a fictional market',
    isLong: true,
    example: 'DATABASE_URL=sqlite:./demo.db tarifario demo seed',
    load: async () => (await import('./demo/demo.ts')).seed,
  },
  {
    words: 'demo run',
    about: 'Show a ranking over HTTP on a fictional market, and go on serving',
    usage: '[--full] [--fresh]',
    options: {
      '--full': 'show every offer, and all that else can be asked',
      '--fresh': 'delete what earlier runs on this port have left, and start anew',
    },
    example: 'tarifario demo run --full',
    load: async () => (await import('./demo/demo.ts')).run,
  },
  {
    words: 'rank',
    about: 'Rank offers of a file for a customer, or for a file of customers; or those of an account in the database',
    usage: [
      '--offers FILE (--customer FILE | --qr URL | --curve FILE [--tariff T] [--territory T] [--community C] [--power KW,...] [--indices LIST | --index NAME=FILE]) [--taxes DAY] [--also LIST] [--w N | --tolerancia N]',
      '  tarifario rank --offers FILE --customers FILE.ndjson|csv|xlsx --out FILE.ndjson|csv [--taxes DAY] [--w N | --tolerancia N] [--top 1-10] [--best-saving 1-10000] [--threads N]',
      '  tarifario rank --account ID or --url URL in place of --offers FILE [--as-of T]',
    ].join('\n'),
    options: {
      '--offers FILE': 'JSON (an array or a list answer), XLSX or CSV; -: standard input',
      ...REACHED,
      ...ASKED,
      '--as-of T': 'with --account or --url: as they were at an instant, 2026-01-31T08:00:00Z, or at the end of a day',
      '--customer FILE': 'one customer: the JSON body of POST /v1/offers/efficient; -: standard input',
      '--qr URL': 'the address in the QR code of an invoice',
      '--curve FILE': 'the curve of a meter; see tarifario curve',
      '--tariff T': 'with --curve: 2.0TD',
      '--territory peninsula|canarias|baleares|ceuta_melilla': 'with --curve: peninsula',
      '--community C': 'with --curve: the community; any',
      '--power KW': 'with --curve: contracted kW by period, such as 4.6,4.6; none',
      '--indices LIST': 'with --curve: indices by whose hours offers are priced, of DATABASE_URL or --url; none',
      '--index NAME=FILE': 'with --curve: the same from a publication; several by commas',
      '--customers FILE': `many, or - for standard input: NDJSON, or a table with the columns ${CUSTOMER_COLUMNS.join(' ')}`,
      '--out FILE': 'with --customers .ndjson or .csv; with --customer a table, .csv or .xlsx',
      '--taxes DAY': 'bills with the taxes of a day, such as 2026-10-15: impuestos.fecha',
      '--also LIST':
        'for one customer, what to answer besides: explicar, umbrales_consumo, retrospectiva, margen; by commas',
      '--w N': 'weight from 0 (commission) to 1 (savings)',
      '--tolerancia N': 'in place of --w: EUR of annual cost for one EUR of commission, 0 to 100',
      '--top N': 'with --customers: offers for each, 1 to 10; 3',
      '--best-saving N': 'with --customers: only the N who save most beside their present contract',
      '--threads N': 'with --customers: as many as the file is worth',
    },
    either: [
      ['account', 'offers', 'url'],
      ['url', 'threads'],
      ['account', 'customers'],
      ['customer', 'curve', 'qr', 'customers'],
      ['also', 'customers'],
      ['indices', 'index'],
      ['w', 'tolerancia'],
    ],
    goesWith: {
      'as-of': 'account|url',
      ...{ top: 'customers', threads: 'customers', 'best-saving': 'customers' },
      ...{ tariff: 'curve', territory: 'curve', community: 'curve', power: 'curve', indices: 'curve', index: 'curve' },
    },
    hasTable: true,
    isLong: true,
    example: 'tarifario rank --offers offers.xlsx --customer customer.json --pretty',
    load: async () => (await import('./rank.ts')).rank,
  },
  {
    words: 'negotiate',
    about: 'Say what an offer of a file, or of an account in the database, has to come down to win customers',
    usage: '(--offers FILE | --account ID | --url URL) --customers FILE.ndjson|csv|xlsx --offer ID',
    options: {
      '--offers FILE': 'as tarifario rank takes them',
      ...REACHED,
      ...ASKED,
      '--offer ID': 'the offer, by the id that tarifario rank shows',
      '--customers FILE': 'as tarifario rank takes them; w is 1 where they have none',
    },
    either: [['account', 'offers', 'url']],
    hasTable: true,
    example: 'tarifario negotiate --offers offers.xlsx --customers customers.csv --offer 12 --pretty',
    load: async () => (await import('./negotiate.ts')).negotiate,
  },
  {
    words: 'proposal verify',
    about: 'Make a proposal again from the versions of its offers: exit status 1 where it is not what it says',
    operand: 'ID',
    example: 'tarifario proposal verify 12',
    load: async () => (await import('./proposal.ts')).verify,
  },
  {
    words: 'qr',
    about: 'Read the address in the QR code of an invoice as a question to rank',
    usage: 'URL [--url URL]',
    operand: 'URL',
    options: ASKED,
    example: "tarifario qr 'https://comparador.cnmc.gob.es/comparador/QRE?...'",
    load: async () => (await import('./readings.ts')).readQr,
  },
  {
    words: 'curve',
    about: 'Read the curve of a meter, as Datadis and distributors give it, by period and month',
    usage: 'FILE --tariff T --territory T [--community C] [--indices LIST | --index NAME=FILE] [--url URL]',
    operand: 'FILE',
    options: {
      '--tariff T': '2.0TD, 3.0TD, 6.1TD, ...',
      '--territory peninsula|canarias|baleares|ceuta_melilla': 'where the supply is',
      '--community ceuta|melilla': 'which of the two, for six periods',
      '--indices LIST':
        'indices to compare the hours with, such as PVPC,EXCEDENTES, in the database of DATABASE_URL or at --url',
      '--index NAME=FILE': 'the same from a publication, without a database; several by commas',
      ...ASKED,
    },
    either: [
      ['indices', 'index'],
      ['index', 'url'],
    ],
    example: 'tarifario curve consumptions.csv --tariff 2.0TD --territory peninsula',
    load: async () => (await import('./readings.ts')).readCurveFile,
  },
  {
    words: 'power',
    about: 'Find the contracted power that costs least, from maxima of bills or the curve of a meter',
    usage: '(FILE | --curve FILE --question FILE) [--url URL]',
    operand: 'FILE',
    isOptional: true,
    options: {
      '--curve FILE': 'the curve of a meter, as Datadis and distributors give it',
      '--question FILE': 'with --curve: the question without periodos',
      ...ASKED,
    },
    either: [
      ['FILE', 'curve'],
      ['FILE', 'question'],
    ],
    example: 'tarifario power question.json --pretty',
    load: async () => (await import('./power.ts')).power,
  },
  {
    words: 'taxes',
    about: 'Show the rates of taxes of a day with their laws, or those that are undecided from then on',
    usage: '[--date D] [--territory T] [--supply S] [--due | --url URL]',
    options: {
      '--date D': 'YYYY-MM-DD; today without',
      '--territory peninsula|canarias|baleares|ceuta_melilla': 'all without',
      '--supply LUZ|GAS': 'both without',
      '--due': 'what is undecided, and what decides it',
      ...ASKED,
    },
    either: [['due', 'url']],
    hasTable: true,
    example: 'tarifario taxes --due --pretty',
    load: async () => (await import('./taxes.ts')).taxes,
  },
  {
    words: 'doctor',
    about: 'Check settings, database, permissions, clock and proxy headers',
    example: 'tarifario doctor --pretty',
    load: async () => (await import('./doctor.ts')).doctor,
  },
];
