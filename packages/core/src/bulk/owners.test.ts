import { describe, expect, test } from 'vitest';
import { createOwners } from './owners.ts';

describe('records whose names only an older release distinguished', () => {
  const owners = createOwners(
    {
      firms: [
        { id: 1, name: 'Asesoría  Sur' },
        { id: 2, name: 'Asesoría Sur' },
      ],
      companies: [
        { id: 10, firmId: 1, name: 'Energía  Sur' },
        { id: 11, firmId: 1, name: 'energía sur' },
        { id: 12, firmId: 1, name: 'Energía\u00a0Sur' },
        { id: 20, firmId: 2, name: 'Energía Sur' },
      ],
    },
    { format: 'own', boundFirmId: null },
  );

  test('A-51: a name with the exact spelling of one of them means that record', () => {
    expect(['Asesoría  Sur', 'Asesoría Sur'].map((name) => owners.firmIdFor(name))).toEqual([1, 2]);
    const names = ['Energía  Sur', 'energía sur', 'Energía\u00a0Sur'];
    expect(names.map((name) => owners.companyFor(1, name)?.companyId)).toEqual([10, 11, 12]);
  });

  test('A-51: a name in another spelling creates no further record', () => {
    expect(owners.companyOrNew(2, 'ENERGÍA  SUR').companyId).toBe(20);
    expect(owners.companyOrNew(1, 'ENERGÍA SUR').newCompany).toBeNull();
    expect(owners.toCreate).toEqual([]);
  });
});
