import type { Reader } from '@tarifario/core/service';
import { type Arguments, CommandError, idFrom, type Run, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

export const subscribe: Run = (args) => decide(args, true);
export const unsubscribe: Run = (args) => decide(args, false);

async function decide(args: Arguments, isSubscribed: boolean) {
  const firmId = idFrom(args.required('client'), '--client');
  const company = args.value('company');
  if ((company !== null) === args.flag('all')) throw new UsageError('one of --company and --all is needed');
  const companyId = company === null ? null : idFrom(company, '--company');
  return withDatabase(async ({ store, clock }) => {
    const accountId = await store.read((reader) => accountOf(reader, firmId));
    const json = await store.write({ keyId: null, at: clock.now(), concerns: [accountId] }, async (writer) => {
      const firm = await writer.firms.get(accountId, firmId);
      if (firm === null) throw noSuchClient(firmId);
      if (companyId !== null && (await writer.companies.get('catalog', companyId)) === null) {
        throw new CommandError(`the catalog has no company ${companyId}`);
      }
      const decisions = await decisionsOf(writer, accountId, firmId);
      const catalogDefault = isSubscribed ? 'all' : 'none';
      // The default also applies to companies added later, and individual decisions override it.
      if (companyId === null && firm.catalogDefault !== catalogDefault) {
        await writer.firms.update(accountId, firmId, { catalogDefault });
      }
      for (const id of companyId === null ? decisions.map((one) => one.companyId) : [companyId]) {
        const decision = decisions.find((one) => one.companyId === id);
        if (decision?.isSubscribed === isSubscribed) continue;
        await writer.catalog.putSubscription(accountId, { firmId, companyId: id, isSubscribed });
      }
      return describe(writer, accountId, firmId);
    });
    return { json };
  });
}

/** Finds a firm by its id only: an operator does not name its account. */
async function accountOf(reader: Reader, firmId: number): Promise<number> {
  for (const { id } of await reader.accounts.list()) {
    if ((await reader.firms.get(id, firmId)) !== null) return id;
  }
  throw noSuchClient(firmId);
}

function noSuchClient(firmId: number): CommandError {
  return new CommandError(`there is no client ${firmId}`);
}

async function decisionsOf(reader: Reader, accountId: number, firmId: number) {
  return (await reader.catalog.subscriptions(accountId)).filter((decision) => decision.firmId === firmId);
}

async function describe(reader: Reader, accountId: number, firmId: number): Promise<object> {
  const firm = await reader.firms.get(accountId, firmId);
  const decisions = await decisionsOf(reader, accountId, firmId);
  return {
    client_id: firmId,
    catalog: firm?.catalogDefault ?? null,
    companies: decisions.map(({ companyId, isSubscribed }) => ({ company_id: companyId, subscribed: isSubscribed })),
  };
}
