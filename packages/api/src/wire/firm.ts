import type { Company, Firm, SubscriptionEntry } from '@tarifario/core/service';
import { z } from 'zod';
import { answer, id } from './answer.ts';

export const imageUrl = z.string().nullable().describe('A picture of the firm, https.');
export const logoUrl = z.string().nullable().describe('A picture of the retailer, https.');

/** An advisory firm, which is a `client` on the wire. */
export const client = answer(
  'Client',
  { id, name: z.string(), image_url: imageUrl, is_active: z.boolean() },
  (firm: Firm) => ({ id: firm.id, name: firm.name, image_url: firm.imageUrl, is_active: firm.isActive }),
);

/** An energy retailer. */
export const company = answer(
  'Company',
  {
    id,
    client_id: id.nullable().describe('The advisory firm that owns the retailer; null: the shared catalog.'),
    name: z.string(),
    logo_url: logoUrl,
    is_active: z.boolean(),
  },
  ({ id, firmId, name, logoUrl, isActive }: Company) => ({
    id,
    client_id: firmId,
    name,
    logo_url: logoUrl,
    is_active: isActive,
  }),
);

/** A retailer of the catalog, and whether the firm of the path subscribes to it. */
export const catalogSubscription = answer(
  'CatalogSubscription',
  {
    company: company.shape,
    subscribed: z
      .boolean()
      .describe('Whether the catalog offers of the retailer take part in the rankings of the firm.'),
  },
  (entry: SubscriptionEntry) => ({ company: company.toWire(entry.company), subscribed: entry.isSubscribed }),
);
