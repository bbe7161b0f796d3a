import type { Proposal, ProposalHead, ProposalState, ProposalTerms } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal, fails } from './assertions.ts';
import { at, EVERYTHING, moment, newTenant } from './world.ts';

const TERMS: ProposalTerms = {
  ...{ firmId: null, isMasked: false, ownRevision: 3, catalogRevision: 0 },
  ...{
    companies: '[{"id":1,"name":"Ñ"}]',
    content: `{"a":"${'€😀'.repeat(50_000)}"}`,
    note: null,
    ...{ ref: null, summary: null, words: null },
    sha256: 'a',
    seal: 'b',
  },
};

const headOf = ({ id, createdAt, firmId, note, ref, state, summary, sha256 }: Proposal): ProposalHead => {
  return { id, createdAt, firmId, note, ref, state, summary, sha256 };
};
const ANY = { words: [], state: null };

/** Proposals, of which only the state changes, and which may be deleted. */
export const proposalCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-88: a proposal is read as it was made, and only by its account and firm',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const accountId = mine.account.id;
      const firmId = mine.firm.id;
      const insert = (n: number, changes: Partial<ProposalTerms> = {}) =>
        store.write(at(n, n), (writer) => writer.proposals.insert(accountId, { ...TERMS, ...changes }));
      const whole = await insert(3);
      const masked = await insert(4, { isMasked: true });
      const ofFirm = await insert(5, { firmId, isMasked: true, note: 'Dos\nlíneas 😀' });
      equal(whole, { ...TERMS, id: whole.id, state: 'borrador', keyId: 3, createdAt: moment(3) }, 'what was made');
      const query = { accountId, firmId: null, seesCommissions: true, ...ANY };
      const queries = [
        { query, expected: [whole, masked, ofFirm] },
        { query: { ...query, seesCommissions: false }, expected: [masked, ofFirm] },
        { query: { ...query, firmId }, expected: [ofFirm] },
        { query: { ...query, firmId: theirs.firm.id }, expected: [] },
        { query: { ...query, accountId: theirs.account.id }, expected: [] },
      ];
      for (const { query: one, expected } of queries) {
        const page = await store.read((reader) => reader.proposals.list(one, EVERYTHING));
        equal(page, { total: expected.length, results: expected.map(headOf) }, JSON.stringify(one));
        for (const proposal of [whole, masked, ofFirm]) {
          const read = await store.read((reader) => reader.proposals.get(one, proposal.id));
          equal(read, expected.includes(proposal) ? proposal : null, JSON.stringify(one));
        }
      }
      const second = await store.read((reader) => reader.proposals.list(query, { limit: 1, offset: 1 }));
      const [head] = (await store.read((reader) => reader.proposals.list(query, { limit: 1, offset: 0 }))).results;
      const after = { limit: 1, offset: 0, afterId: head?.id ?? 0 };
      equal(await store.read((reader) => reader.proposals.list(query, after)), second, 'after one');
      equal([second.total, second.results.map(({ id }) => id)], [3, [masked.id]], 'a page');
      await fails(insert(6, { firmId: theirs.firm.id }), 'a foreign firm');
      await fails(
        store.write({ ...at(7), concerns: [theirs.account.id] }, (writer) => writer.proposals.insert(accountId, TERMS)),
        'another concern',
      );
    },
  },
  {
    name: 'A-88: proposals are found by all of some words and by their state, which changes alone and only in their account',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const accountId = mine.account.id;
      const summary = {
        offers: 2,
        offerId: 1,
        offerName: 'Ñ',
        companyName: '😀',
        savingPerYearEur: -0.5,
        savingPercent: null,
      };
      const insert = (words: string | null, changes: Partial<ProposalTerms> = {}) =>
        store.write(at(3, 3), (writer) => writer.proposals.insert(accountId, { ...TERMS, ...changes, words }));
      const bar = await insert('bar luna 100%_fijo iber\\sol', {
        ref: 'Bar Luna',
        summary: { ...summary, hasTaxes: true },
      });
      const home = await insert('ana luna azul 100 fijo', { isMasked: true });
      const earlier = await insert(null);
      const set = (proposalId: number, state: ProposalState, of = accountId) =>
        store.write(at(4), (writer) => writer.proposals.update(of, proposalId, { state }));
      const found = async (words: readonly string[], more: object = {}) => {
        const filter = { accountId, firmId: null, seesCommissions: true, state: null, words, ...more };
        const { total, results } = await store.read((reader) => reader.proposals.list(filter, EVERYTHING));
        equal(total, results.length, 'the total');
        return results.map(({ id }) => id);
      };
      equal(await set(bar.id, 'enviada'), headOf({ ...bar, state: 'enviada' }), 'what was changed');
      const query = { accountId, firmId: null, seesCommissions: true };
      const read = await store.read((reader) => reader.proposals.get(query, bar.id));
      equal(read, { ...bar, state: 'enviada' }, 'nothing else');
      for (const [words, more, expected] of [
        [[], {}, [bar, home, earlier]],
        [['luna'], {}, [bar, home]],
        [['fijo', 'bar'], {}, [bar]],
        [['%_'], {}, [bar]],
        [['r\\s'], {}, [bar]],
        [['_'], {}, [bar]],
        [['luna'], { seesCommissions: false }, [home]],
        [['luna'], { accountId: theirs.account.id }, []],
        [[], { state: 'enviada' }, [bar]],
        [['luna'], { state: 'borrador' }, [home]],
        [[], { state: 'rechazada' }, []],
      ] as const) {
        equal(
          await found(words, more),
          expected.map(({ id }) => id),
          JSON.stringify([words, more]),
        );
      }
      await fails(set(bar.id, 'aceptada', theirs.account.id), 'by another account');
      await fails(set(bar.id, 'otra' as ProposalState), 'a state that is none');
      equal(await found([], { state: 'enviada' }), [bar.id], 'after what failed');
    },
  },
  {
    name: 'A-88: a proposal is deleted alone, once, and only by its account, and its id is given to no other',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const insert = (accountId: number) => store.write(at(3), (writer) => writer.proposals.insert(accountId, TERMS));
      const remove = (accountId: number, id: number) =>
        store.write(at(4), (writer) => writer.proposals.delete(accountId, id));
      const [first, last, other] = [
        await insert(mine.account.id),
        await insert(mine.account.id),
        await insert(theirs.account.id),
      ];
      const idsOf = async (accountId: number) => {
        const query = { accountId, firmId: null, seesCommissions: true, ...ANY };
        const { results } = await store.read((reader) => reader.proposals.list(query, EVERYTHING));
        return results.map(({ id }) => id);
      };
      await fails(remove(theirs.account.id, last.id), 'by another account');
      await remove(mine.account.id, last.id);
      await fails(remove(mine.account.id, last.id), 'a second time');
      equal([await idsOf(mine.account.id), await idsOf(theirs.account.id)], [[first.id], [other.id]], 'what stays');
      const next = await insert(mine.account.id);
      equal(next.id > other.id, true, 'the id of a new one');
    },
  },
];
