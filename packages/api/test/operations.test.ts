import { SCOPES } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../src/index.ts';
import { bodySchemaFor } from '../src/sent-form.ts';
import { ACCESS } from './access-rights.ts';

describe('the table of operations', () => {
  it('has each id, and each method and path, once', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
  });

  it('has a fixed path before any path with a parameter that would match it', () => {
    operations.forEach((operation, index) => {
      const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const later = operations.slice(index + 1).filter(({ method }) => method === operation.method);
      expect(later.filter(({ path }) => pattern.test(path)).map(({ path }) => path)).toEqual([]);
    });
  });

  it.each(operations)('$id describes its input and output', (operation) => {
    const { path, scopes, input, output, success, summary, description } = operation;
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(input.path.shape)).toEqual(parameters);
    expect(Object.keys(input.query.shape)).toContain('client_id');
    for (const scope of scopes) expect(SCOPES).toContain(scope);
    expect(success.length).toBeGreaterThan(0);
    expect(output === null).toBe(success.includes(204));
    expect(summary).not.toBe('');
    expect(description).toMatch(/\.$/);
  });

  it.each(operations)('$id has schemas that the document can show', ({ input, output }) => {
    const { body, sentAs } = input;
    const bodies = body === null ? [] : sentAs.flatMap((form) => bodySchemaFor(body, form) ?? []);
    expect(bodies).toHaveLength(sentAs.length);
    // A file that comes alone is no object.
    if (sentAs.includes('csv')) bodies.pop();
    expect(sentAs.length === 0).toBe(body === null);
    const parts = [input.path, input.query, ...bodies];
    for (const schema of parts) {
      const shown = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
      expect(shown).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(z.toJSONSchema(input.query, { io: 'input' }).properties?.client_id).toMatchObject({
      type: 'integer',
      minimum: 1,
    });
    if (output) expect(Object.keys(z.toJSONSchema(output))).not.toHaveLength(0);
  });

  it('takes a file only as a form in the bulk updates, and as a form or JSON in uploads and curves', () => {
    const files = operations.filter(({ input }) => input.sentAs.includes('multipart'));
    expect(Object.fromEntries(files.map(({ id, input }) => [id, input.sentAs]))).toEqual({
      bulkUpdateOffers: ['multipart'],
      bulkUpdateCatalogOffers: ['multipart'],
      createUpload: ['json', 'multipart'],
      readConsumption: ['json', 'multipart', 'csv'],
      optimizePower: ['json', 'multipart'],
    });
  });

  it('A-47: has tools that read and compute, and no others', () => {
    const tools = operations.flatMap(({ mcp, id }) => (mcp === null ? [] : [[id, mcp]]));
    expect(Object.fromEntries(tools)).toEqual({
      listOffers: 'list_offers',
      getOffer: 'get_offer',
      compareOffers: 'compare_offers',
      rankOffers: 'rank_offers',
      recommendOffers: 'recommend_offers',
      calculateCommission: 'calculate_commission',
      readInvoice: 'read_invoice_qr',
      readConsumption: 'read_curve',
      optimizePower: 'optimize_power',
      listTaxes: 'list_taxes',
      describeComparison: 'about',
      listIndexedPrices: 'list_indexed_prices',
      listClients: 'list_clients',
      getClient: 'get_client',
      listCompanies: 'list_companies',
      getCompany: 'get_company',
      listCatalogCompanies: 'list_catalog_companies',
      listCatalogOffers: 'list_catalog_offers',
      listCatalogIndexedPrices: 'list_catalog_indexed_prices',
    });
  });

  it('has the scopes of the specification', () => {
    const access = operations.map(({ id, scopes, anyKey, fullAccess }) => {
      return [id, [...scopes, ...(anyKey ? ['any key'] : []), ...(fullAccess ? ['full access'] : [])].join(' ')];
    });
    expect(Object.fromEntries(access)).toEqual(ACCESS);
  });
});
