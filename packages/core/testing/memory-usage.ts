import { assert } from '../src/engine/errors.ts';
import type { UsageQuery, UsageRecord } from '../src/service/accounts/usage.ts';
import type { Reader, Writes } from '../src/service/ports/stores.ts';
import { type MemoryState, type MemoryUnit, ownedRecord, pageOf, required } from './memory-state.ts';

export function usageReads(state: MemoryState): Reader['usage'] {
  return {
    list: async (query, page) => {
      const calls = callsOf(state, query);
      return pageOf(page.order === 'desc' ? calls.toReversed() : calls, page);
    },
    summary: async (query) => {
      const calls = callsOf(state, query);
      const byEndpoint = Map.groupBy(calls, ({ endpoint }) => endpoint);
      const times = calls.map(({ responseTimeMs }) => responseTimeMs).sort((a, b) => a - b);
      return {
        totalCalls: calls.length,
        callsByEndpoint: [...byEndpoint]
          .map(([endpoint, ofEndpoint]) => ({ endpoint, calls: ofEndpoint.length }))
          .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1)),
        p95ResponseTimeMs: times[Math.ceil((times.length * 95) / 100) - 1] ?? null,
      };
    },
  };
}

function callsOf(state: MemoryState, query: UsageQuery): readonly UsageRecord[] {
  const { firmId, endpoint, statusCode, from, to } = query;
  return (state.usage.get(query.accountId) ?? []).filter(
    (call) =>
      (firmId === null || call.firmId === firmId) &&
      (endpoint === null || call.endpoint === endpoint) &&
      (statusCode === null || call.statusCode === statusCode) &&
      (from === null || call.createdAt >= from) &&
      (to === null || call.createdAt <= to),
  );
}

export function usageWrites({ state, context }: MemoryUnit): Writes['usage'] {
  return {
    insert: async (entries, batch) => {
      if (batch) {
        if ((state.usageBatches.get(batch.log)?.number ?? 0) >= batch.number) return;
        state.usageBatches.set(batch.log, { number: batch.number, writtenAt: context.at });
      }
      for (const [accountId, ofAccount] of Map.groupBy(entries, (entry) => entry.accountId)) {
        required(state.accounts.get(accountId), 'a call belongs to an account');
        const last = state.lastUsageIds.get(accountId) ?? 0;
        const added = ofAccount.map((entry, i) => {
          if (entry.firmId !== null)
            required(ownedRecord(state.firms, accountId, entry.firmId), 'a firm of the account');
          const isTime = Number.isFinite(entry.responseTimeMs) && entry.responseTimeMs >= 0;
          assert(isTime, 'a response time is finite and not negative');
          return { ...entry, id: last + 1 + i };
        });
        state.usage.set(accountId, [...(state.usage.get(accountId) ?? []), ...added]);
        state.lastUsageIds.set(accountId, last + added.length);
      }
    },
    deleteBefore: async (instant, limit) => {
      const old = [...state.usage.values()]
        .flat()
        .filter((call) => call.createdAt < instant)
        .sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.accountId - b.accountId || a.id - b.id);
      const expired = new Set(old.slice(0, limit));
      for (const [accountId, calls] of state.usage) {
        const others = calls.filter((call) => !expired.has(call));
        state.usage.set(accountId, others);
      }
      if (expired.size < limit) {
        for (const [log, { writtenAt }] of state.usageBatches) if (writtenAt < instant) state.usageBatches.delete(log);
      }
      return expired.size;
    },
  };
}
