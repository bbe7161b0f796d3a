/** What the rules of this folder find and what stays for now, each with its reason: the list is to become shorter. */
const EXCEPTIONS: readonly { readonly because: string; readonly what: readonly string[] }[] = [
  {
    because:
      'replicas of earlier releases only read beside this one, and record calls: no longer needed once none is left',
    what: [
      ...['revisions', 'proposals'].map((table) => `trigger earlier_releases_wait of ${table}`),
      'trigger usage_log_slices of usage_log',
    ],
  },
  {
    because: 'keys and references are those of one server',
    what: [
      ...['companies', 'offers'].map((table) => `generated owner_id of ${table}`),
      ...['monthly_prices', 'offer_versions'].map((table) => `table ${table} without owner_id`),
      ...['companies', 'catalog_subscriptions', 'monthly_prices', 'tier_lists', 'offers', 'offer_versions'].map(
        (table) => `key ${table}_pkey of ${table} without its owner`,
      ),
      ...['proposals', 'firms'].map((table) => `key ${table}_pkey of ${table} without its owner`),
      ...['firm', 'catalog'].map((place) => `key companies_name_in_${place} of companies without its owner`),
      'reference companies_account_id_firm_id_fkey of companies to firms without the owner',
      'reference catalog_subscriptions_catalog_id_company_id_fkey of catalog_subscriptions to companies without the owner',
      'reference monthly_prices_offer_id_fkey of monthly_prices to offers without the owner',
      'reference offer_versions_offer_id_fkey of offer_versions to offers without the owner',
      ...['consumption', 'power'].map(
        (name) => `reference offer_versions_${name}_tiers_id_fkey of offer_versions to tier_lists without the owner`,
      ),
    ],
  },
  {
    because: 'firms are divided and these tables are not: a distributed database goes without the reference',
    what: ['webhooks', 'api_keys', 'uploads'].map(
      (table) => `reference ${table}_account_id_firm_id_fkey of ${table} to firms without the owner`,
    ),
  },
  {
    because: 'statements rely on ids that are unique over all owners',
    what: [
      ...['companies', 'offers', 'offer_versions', 'monthly_prices'].map(
        (name) => `insert into ${name} without its owner`,
      ),
      ...['catalog_subscriptions', 'monthly_prices'].map((name) => `conflict of ${name} without its owner`),
      ...['monthly_prices', 'offer_versions', 'tier_lists'].map((table) => `select of ${table}: whose ${table}?`),
      ...['offer_versions', 'offers'].map((table) => `select of offer_versions, offers: whose ${table}?`),
      'select of companies, offer_versions: whose offer_versions?',
      'delete of monthly_prices: whose monthly_prices?',
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
