import type { TestDatabase } from '@tarifario/testkit/postgres/databases';
import { onServer } from '@tarifario/testkit/postgres/databases';
import { OWNER_COLUMNS, PLACED, REFERENCE_TABLES } from './tables.ts';

const OURS = "relnamespace = 'public'::regnamespace";
const TRIGGERS = `select 'trigger ' || tgname || ' of ' || relname as what from pg_trigger join pg_class on pg_class.oid = tgrelid
  where ${OURS} and not tgisinternal`;
/** A function may also be in a default. */
const FUNCTIONS = `select 'function ' || word[1] || ' in ' || proname as what
  from pg_proc, regexp_matches(prosrc, '\\m(pg_(?:try_)?advisory\\w*|pg_current_xact\\w*|pg_xact_\\w*|txid_\\w*)', 'g') as word
  where pronamespace = 'public'::regnamespace`;
const COLUMNS = `select relname as table, attname as column, attgenerated <> '' as "isGenerated"
  from pg_class join pg_attribute on attrelid = pg_class.oid where ${OURS} and relkind = 'r' and attnum > 0 and not attisdropped`;
const names = (numbers: string, of: string) =>
  `array(select attname::text from unnest(${numbers}) as place join pg_attribute on attrelid = ${of} and attnum = place)`;
const KEYS = `select (indexrelid::regclass)::text as name, relname as table, ${names('indkey::int2[]', 'indrelid')} as columns
  from pg_index join pg_class on pg_class.oid = indrelid where ${OURS} and indisunique`;
const REFERENCES = `select conname as name, relname as table, ${names('conkey', 'conrelid')} as columns,
    (select relname from pg_class where oid = confrelid) as to, ${names('confkey', 'confrelid')} as "toColumns"
  from pg_constraint join pg_class on pg_class.oid = conrelid where ${OURS} and contype = 'f'`;

interface Key {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

interface Reference extends Key {
  readonly to: string;
  readonly toColumns: readonly string[];
}

/** What a distributed engine would refuse in the tables that all migrations have made. */
export async function violationsOfSchema({ url }: TestDatabase): Promise<readonly string[]> {
  return await onServer(url, async (client) => {
    const rows = async <Row>(text: string) => (await client.query(text)).rows as readonly Row[];
    const said = (await rows<{ what: string }>(`${TRIGGERS} union all ${FUNCTIONS}`)).map(({ what }) => what);
    const columns = await rows<{ table: string; column: string; isGenerated: boolean }>(COLUMNS);
    const hasOwner = ({ table, columns: own }: Key) => own.includes(OWNER_COLUMNS.get(table) ?? '');
    const isDivided = (table: string) => OWNER_COLUMNS.has(table);
    const keys = (await rows<Key>(KEYS)).filter((key) => isDivided(key.table) && !hasOwner(key));
    const refused = (await rows<Reference>(REFERENCES)).filter((one) => {
      if (REFERENCE_TABLES.has(one.to)) return false;
      if (!isDivided(one.table) && !isDivided(one.to)) return REFERENCE_TABLES.has(one.table);
      return !hasOwner(one) || !hasOwner({ ...one, table: one.to, columns: one.toColumns });
    });
    return [
      ...said,
      ...unplaced(columns.map(({ table }) => table)),
      ...ownerColumns(columns),
      ...keys.map(({ name, table }) => `key ${name} of ${table} without its owner`),
      ...refused.map(({ name, table, to }) => `reference ${name} of ${table} to ${to} without the owner`),
    ];
  });
}

function unplaced(tables: readonly string[]): readonly string[] {
  const placesOf = (table: string) => PLACED.filter((one) => one === table).length;
  const all = new Set([...tables, ...PLACED]);
  return [...all]
    .filter((table) => placesOf(table) !== 1 || !tables.includes(table))
    .map((table) => `table ${table} in ${placesOf(table)} places`);
}

function ownerColumns(
  columns: readonly { readonly table: string; readonly column: string; readonly isGenerated: boolean }[],
): readonly string[] {
  return [...OWNER_COLUMNS].flatMap(([table, name]) => {
    const own = columns.find((one) => one.table === table && one.column === name);
    if (!own) return [`table ${table} without ${name}`];
    return own.isGenerated ? [`generated ${name} of ${table}`] : [];
  });
}
