/** What the rules of this folder find and what stays for now, each with its reason: the list is to become shorter. */
const EXCEPTIONS: readonly { readonly because: string; readonly what: readonly string[] }[] = [
  {
    because:
      'replicas of earlier releases only read beside this one, and record calls: no longer needed once none is left',
    what: [
      ...['revisions', 'proposals', 'monthly_prices'].map((table) => `trigger earlier_releases_wait of ${table}`),
      'trigger usage_log_slices of usage_log',
      'key monthly_prices_of_earlier_releases of monthly_prices without its owner',
    ],
  },
  {
    because: 'each call reads revisions, and would wait for a migration: it does nothing',
    what: ['trigger mark_revision of revisions'],
  },
  {
    because: 'each call looks for its firm, and would wait for a migration: a distributed database gets these keys',
    what: [
      'key firms_pkey of firms without its owner',
      'reference companies_account_id_firm_id_fkey of companies to firms without the owner',
    ],
  },
  {
    because: 'firms are divided and these tables are not: a distributed database goes without the reference',
    what: ['webhooks', 'api_keys', 'uploads'].map(
      (table) => `reference ${table}_account_id_firm_id_fkey of ${table} to firms without the owner`,
    ),
  },
  {
    because:
      'firms decide on companies of the catalog, which are in another place: a distributed database goes without',
    what: [
      'reference catalog_subscriptions_catalog_id_company_id_fkey of catalog_subscriptions to companies without the owner',
    ],
  },
  {
    because: 'a key is looked up with its firm in one round trip',
    what: ['select of firms: whose firms?'],
  },
  {
    because: 'work of the installation, in the background, over all accounts',
    what: [
      ...['delete of usage_log: whose usage_log?', 'select of usage_log: whose usage_log?'],
      'delete of usage_slices: whose usage_slices?',
      'select of stored_bytes: whose stored_bytes?',
      'select of revisions, revisions: whose revisions?',
    ],
  },
];

const EXCUSED: ReadonlySet<string> = new Set(EXCEPTIONS.flatMap(({ what }) => what));
const ABOUT_TABLES = /^(trigger|generated|table|key|reference) /;

/** What is found and not excused. @param isAll - Whether what is excused has to be found too: all was looked at. */
export function unexcused(found: readonly string[], { ofTables, isAll }: { ofTables: boolean; isAll: boolean }) {
  const excused = [...EXCUSED].filter((one) => ABOUT_TABLES.test(one) === ofTables);
  const outdated = isAll ? excused.filter((one) => !found.includes(one)) : [];
  return { refused: found.filter((one) => !EXCUSED.has(one)).sort(), outdated };
}
