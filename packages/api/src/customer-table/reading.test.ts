import { type CellValue, inWords } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { CUSTOMER_COLUMNS } from './columns.ts';
import { columnNamed, columnText } from './headers.ts';
import { type ColumnChoice, customersInTable, type TableRow, UnknownColumns } from './reading.ts';

/** A text is a cell of text; the empty one is none. */
type Cells = readonly (string | Pick<TableRow['cells'][number], 'value' | 'isMerged'>)[];
type NumberCell = Extract<CellValue, { readonly kind: 'number' }>;

/** The customers of a table, with what is wrong with their cells. */
async function customersOf(rows: readonly Cells[], separator = ';', choiceFor?: (shape: string) => ColumnChoice) {
  async function* table(): AsyncGenerator<TableRow> {
    for (const [index, texts] of rows.entries()) {
      const cells = texts.flatMap((cell, column) =>
        cell === '' ? [] : [{ column, ...(typeof cell === 'string' ? text(cell) : cell) }],
      );
      if (cells.length > 0) yield { row: index + 1, cells, hasCommas: separator === ',' };
    }
  }
  const customers: { body: Readonly<Record<string, unknown>>; faults: string[] }[] = [];
  for await (const { body, faults } of customersInTable(table, choiceFor)) {
    customers.push({ body, faults: faults.map(({ path, message }) => `${path}: ${inWords(message)}`) });
  }
  return customers;
}

const number = (value: number, format: Pick<NumberCell, 'format'> = {}): { readonly value: NumberCell } => ({
  value: { kind: 'number', text: String(value), number: value, ...format },
});
const text = (words: string) => ({ value: { kind: 'text', text: words } as const });
const open = (words: string, readings: string) =>
  `energia.e1: ${words} is ${readings}: write it without a separator of thousands`;

test.each<[string, readonly Cells[], string, unknown, string[]]>([
  ['a decimal comma alone', [['1200,5', '4,6']], ';', 1200.5, []],
  ['points alone', [['1.25', '4.6']], ';', 1.25, []],
  ['commas as separators', [['1.25', '4,6']], ',', 1.25, []],
  ['thousands beside a decimal comma of its row', [['1.200', '4,6']], ';', 1200, []],
  [
    'thousands beside a decimal comma of another row',
    [
      ['1.200', '5'],
      ['900', '4,6'],
    ],
    ';',
    1200,
    [],
  ],
  ['thousands and decimals', [['12.345,67', '5']], ';', 12_345.67, []],
  ['thousands by spaces', [['15 000', '5']], ';', 15_000, []],
  ['a unit', [['1.200,5 kWh', '4,6 kW']], ';', 1200.5, []],
  [
    'decimals beside a decimal point of its column',
    [
      ['1.200', '4,6'],
      ['812.5', '5'],
    ],
    ';',
    1.2,
    [],
  ],
  ['three decimals between commas', [['3.450', '5']], ',', 3.45, []],
  ['a point between commas above 900', [['1.200'], ['900']], ',', undefined, [open('1.200', '1200 or 1.2')]],
  [
    'thousands between commas in a column with decimal commas',
    [
      ['3.450', '5'],
      ['812,5', '5'],
    ],
    ',',
    3450,
    [],
  ],
  ['a point alone', [['1.200', '5']], ';', undefined, [open('1.200', '1200 or 1.2')]],
  ['a comma alone', [['15,000', '5']], ';', 15, []],
  [
    'a point beside both marks',
    [
      ['1.200', '4,6'],
      ['900', '4.6'],
    ],
    ';',
    undefined,
    [open('1.200', '1200 or 1.2')],
  ],
  ['a point beside typed numbers', [[text('1.200'), number(4.6)]], '', undefined, [open('1.200', '1200 or 1.2')]],
  ['a typed number with three decimals', [[number(1.234), text('4,6')]], '', 1.234, []],
  ['a decimal comma in a workbook', [[text('4,6'), number(4.6)]], '', 4.6, []],
  [
    'no number',
    [['12abc', '5']],
    ';',
    undefined,
    ['energia.e1: must be a number, such as 1234,56, without unit or thousands separators'],
  ],
])('A-104: %s: a number is read by its file, or refused', async (_, rows, separator, e1, faults) => {
  const [customer] = await customersOf([['e1', 'p1'], ...rows], separator);
  expect([Object(customer?.body.energia).e1, customer?.faults]).toEqual([e1, faults]);
});

test.each<[string, readonly Cells[], readonly Cells[]]>([
  ['titles', [['Clientes de noviembre'], ['Asesoría', 'Levante', 'dias']], []],
  ['a total', [], [['Total', '', '1.200,5']]],
  ['a total merged over its labels', [], [['Total', { ...text('Total'), isMerged: true }, '1.200,5']]],
  [
    'a sum without a name',
    [],
    [
      ['', '', 'Suma'],
      ['', 'SUBTOTAL'],
    ],
  ],
  ['columns without a name', [['Clientes', '', '', '', 'x']], []],
])('customers are the rows of a table with %s around them', async (_, above, below) => {
  const header = ['Ref', 'supply_type', 'E1', ' '];
  const customers = await customersOf([
    ...above,
    header,
    ['Total Energía', 'LUZ', '1.200'],
    ['B', 'GAS', '1,5'],
    ...below,
  ]);
  expect(customers).toEqual([
    { body: { ref: 'Total Energía', supply_type: 'LUZ', energia: { e1: 1200 } }, faults: [] },
    { body: { ref: 'B', supply_type: 'GAS', energia: { e1: 1.5 } }, faults: [] },
  ]);
});

test.each<[string, readonly Cells[], string]>([
  ['comes too late', [...Array.from({ length: 21 }, () => ['x']), ['ref']], 'line 1, column 1: there is no column "x"'],
  ['has a wrong name', [['Clientes'], ['ref', 'e9'], ['a', '1']], 'line 2, column 2: there is no column "e9"'],
  ['names a column twice', [['Clientes'], ['e1', 'e1']], 'line 2, column 2: the column e1 comes twice'],
  [
    'does not reach a cell',
    [
      ['ref', 'e1'],
      ['a', '1', '2'],
    ],
    'line 2, column 3: a cell beyond the header',
  ],
])('a table whose header %s is refused', async (_, rows, message) => {
  await expect(customersOf(rows)).rejects.toThrow(message);
});

test('A-168: headers in Spanish and English are read in any order, without case, accents, small words and their unit', async () => {
  const [customer] = await customersOf([
    ['CONSUMO P2 (kWh)', 'Titular', 'potencia contratada p1 [kW]', 'Cliente', 'Dias', 'CUPS', 'Tipo de suministro'],
    ['900', 'Particular', '4,6', 'Bar Luna', '30', 'ES00', 'Luz'],
  ]);
  const supply = { ref: 'Bar Luna', supply_type: 'LUZ', client_type: 'dni', dias: 30 };
  expect(customer).toEqual({ body: { ...supply, energia: { e2: 900 }, potencia: { p1: 4.6 } }, faults: [] });
});

test.each([
  ['2.0TD', 'LUZ'],
  ['3.0TD', 'LUZ'],
  ['6.1TDVE', 'LUZ'],
  ['RL.10', 'GAS'],
])('A-168: a row without a supply and with the access tariff %s is of %s', async (tariff, supply_type) => {
  const [customer] = await customersOf([
    ['Cliente', 'Peaje'],
    ['Total Limpio', tariff],
  ]);
  expect(customer).toEqual({ body: { ref: 'Total Limpio', tariff_type: tariff, supply_type }, faults: [] });
});

test('A-168: a row with a supply keeps it, and a row with an unknown access tariff gets none', async () => {
  const customers = await customersOf([
    ['Suministro', 'Peaje'],
    ['Gas', '2.0TD'],
    ['', 'RL.12'],
  ]);
  expect(customers.map(({ body }) => body)).toEqual([
    { supply_type: 'GAS', tariff_type: '2.0TD' },
    { tariff_type: 'RL.12' },
  ]);
});

test('A-168: each column has one name in each language, which is no other column', () => {
  for (const language of ['es', 'en'] as const) {
    const names = CUSTOMER_COLUMNS.map((column) => columnText(column, language));
    expect(names.map(columnNamed)).toEqual(CUSTOMER_COLUMNS);
    expect(names.filter((name) => CUSTOMER_COLUMNS.includes(name))).toEqual([]);
  }
});

test('A-168: a unit that is not that of a column makes it another one', async () => {
  await expect(
    customersOf([
      ['Cliente', 'Consumo P1 (MWh)'],
      ['a', '1'],
    ]),
  ).rejects.toThrow('there is no column "Consumo P1 (MWh)"');
});

test('A-168: a header is refused with all its faults at once, and read once it is said what its columns are', async () => {
  const rows = [
    ['Cartera de noviembre'],
    ['Cliente', 'Gasto', 'Nombre', 'Comercial', 'E1'],
    ['Ana', '1.200,5', 'Ana Ruiz', 'Luis', '5'],
  ];
  const refused = await customersOf(rows).catch((error: unknown) => error);
  if (!(refused instanceof UnknownColumns)) throw refused;
  expect(refused.message).toBe(
    'line 2, column 2: there are no columns "Gasto" (2), "Comercial" (4); the column Nombre comes twice',
  );
  expect(refused.unknown.map(({ place, name }) => `${place} ${name}`)).toEqual(['1 Gasto', '2 Nombre', '3 Comercial']);
  expect(refused.known).toEqual(['ref', 'e1']);
  const said: ColumnChoice = { 1: 'actual_coste_total', 2: null, 3: null };
  const customers = await customersOf(rows, ';', (shape) => (shape === refused.shape ? said : {}));
  expect(customers).toEqual([
    { body: { ref: 'Ana', energia: { e1: 5 }, contrato_actual: { coste_total: 1200.5 } }, faults: [] },
  ]);
});

test.each([
  ['supply_type', ['luz', 'Electricidad', ' GAS ', 'gas natural'], ['LUZ', 'LUZ', 'GAS', 'GAS']],
  [
    'territory',
    ['Península', 'Baleares', 'CANARIAS', 'Islas Canarias', 'Illes Balears', 'Ceuta y Melilla'],
    [...['peninsula', 'baleares', 'canarias', 'canarias', 'baleares', 'ceuta_melilla']],
  ],
  [
    'community',
    ['Castilla y León', 'País Vasco', 'castilla-la mancha'],
    ['castilla_y_leon', 'pais_vasco', 'castilla_la_mancha'],
  ],
  ['territory', ['Ceuta', 'Melilla'], ['ceuta_melilla', 'ceuta_melilla']],
  ['community', ['Ceuta'], ['ceuta']],
  ['client_type', ['DNI', 'Cif'], ['dni', 'cif']],
  [
    'client_type',
    ['Particular', 'Persona física', 'EMPRESA', 'Comunidad de propietarios'],
    ['dni', 'dni', 'cif', 'cdad'],
  ],
])('A-43: words of %s are read without case, accents and spaces', async (name, words, values) => {
  const customers = await customersOf([[name], ...words.map((word) => [word])]);
  expect(customers).toEqual(values.map((value) => ({ body: { [name]: value }, faults: [] })));
});

test('A-43: a word that is none of a column is refused with those that are', async () => {
  expect(await customersOf([['supply_type'], ['agua']])).toEqual([
    { body: {}, faults: ['supply_type: must be one of: LUZ, GAS'] },
  ]);
});

test.each([
  ['a percent format in a column of rates', [number(0.21, { format: 'percent' })], 21, []],
  ['10 % as a text', [text('10 %')], 10, []],
  ['5.11 %', [number(0.0511269632, { format: 'percent' })], 5.11269632, []],
  ['a number', [number(21)], 21, []],
  ['a rate that is merged with the one above', ['21', { value: { kind: 'text', text: '21' }, isMerged: true }], 21, []],
] as const)('A-43: %s is a rate', async (_, cells, rate, faults) => {
  const customers = await customersOf([['impuestos_indirecto'], ...cells.map((cell) => [cell])]);
  expect(customers.at(-1)).toEqual({ body: { impuestos: { tipos: { indirecto: rate } } }, faults });
});

test.each([
  [
    'impuestos_indirecto',
    '0,21',
    'impuestos.tipos.indirecto: 0.21 is 0.21 %, or was 21 % meant? Write it with its sign',
  ],
  [
    'impuestos_iee',
    number(0.051127),
    'impuestos.tipos.iee: 0.051127 is 0.051127 %, or was 5.1127 % meant? Write it with its sign',
  ],
  [
    'impuestos_indirecto_servicios',
    text('0.07'),
    'impuestos.tipos.indirecto_servicios: 0.07 is 0.07 %, or was 7 % meant? Write it with its sign',
  ],
] as const)('A-43: a rate of %s that may be a share is refused with both readings: %j', async (name, cell, fault) => {
  expect(await customersOf([[name], [cell]])).toEqual([{ body: {}, faults: [fault] }]);
});

test.each([
  ['impuestos_indirecto', '0,21 %', 0.21],
  ['impuestos_indirecto', number(0.0021, { format: 'percent' }), 0.21],
  ['impuestos_indirecto', '0', 0],
  ['impuestos_iee', '0,5', 0.5],
  ['impuestos_hidrocarburos', '0,234', 0.234],
  ['impuestos_bono_social', '0,019', 0.019],
] as const)('A-43: a rate of %s is no share: %j', async (name, cell, rate) => {
  const [customer] = await customersOf([[name], [cell]]);
  expect(customer).toEqual({ body: { impuestos: { tipos: { [name.slice('impuestos_'.length)]: rate } } }, faults: [] });
});

test.each([
  ['e1', number(0.1, { format: 'percent' }), 'energia.e1: is a percentage, and the column has none'],
  ['impuestos_bono_social', '2 %', 'impuestos.tipos.bono_social: is a percentage, and the column has none'],
  ['p1', number(46_177, { format: 'date' }), 'potencia.p1: is a date, which'],
  ['ref', { value: { kind: 'text', text: 'Ana' }, isMerged: true }, 'ref: is merged with another cell'],
  ['e2', { value: { kind: 'text', text: '900' }, isMerged: true }, 'energia.e2: is merged with another cell'],
  [
    'excedentes',
    { value: { kind: 'number', text: '9', number: 9 }, isMerged: true },
    'excedentes: is merged with another',
  ],
  ['e1', { value: { kind: 'formula' } }, 'energia.e1: must not be a formula'],
] as const)('A-43: a cell of %s is refused: %j', async (name, cell, fault) => {
  const [customer] = await customersOf([
    ['dias', name],
    ['365', cell],
  ]);
  expect(customer?.faults).toEqual([expect.stringContaining(fault)]);
});

test('columns of bills give a body its impuestos, rates in tipos', async () => {
  const customers = await customersOf([
    [
      'ref',
      'impuestos_fecha',
      'impuestos_vivienda',
      'impuestos_vulnerable_severo',
      'impuestos_iee',
      'impuestos_alquiler',
    ],
    ['1', '2026-11-15', 'sí', 'no', '0,5', 'monofasico'],
    ['2', '', 'VERDADERO', 'x', '5,11', '0,81'],
    ['3', number(46_341), 'quizá', '', '', ''],
  ]);
  expect(customers).toEqual([
    {
      body: {
        ref: '1',
        impuestos: {
          ...{ fecha: '2026-11-15', vivienda: true, vulnerable_severo: false },
          ...{ alquiler: 'monofasico', tipos: { iee: 0.5 } },
        },
      },
      faults: [],
    },
    {
      body: { ref: '2', impuestos: { vivienda: true, vulnerable_severo: true, alquiler: 0.81, tipos: { iee: 5.11 } } },
      faults: [],
    },
    {
      body: { ref: '3', impuestos: { fecha: '2026-11-15' } },
      faults: ['impuestos.vivienda: must be yes or no: TRUE, FALSE, si, no, 1, 0, x'],
    },
  ]);
});
