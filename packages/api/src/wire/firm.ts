import {
  type Company,
  type Firm,
  type FirmDetail,
  MAX_LOGO_BYTES,
  type SubscriptionEntry,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answer, id } from './answer.ts';

export const imageUrl = z.string().nullable().describe('A picture of the firm, https.');
export const logoUrl = z.string().nullable().describe('A picture of the retailer, https.');

export const logo = z
  .string()
  .nullable()
  .describe(
    `The picture that proposals of the firm show: a data: URI of a PNG, JPEG or WebP in base64, at most ${MAX_LOGO_BYTES} bytes of picture.`,
  );

const CLIENT = { id, name: z.string(), image_url: imageUrl, is_active: z.boolean() };
const toWireClient = (firm: Firm) => ({
  id: firm.id,
  name: firm.name,
  image_url: firm.imageUrl,
  is_active: firm.isActive,
});

/** An advisory firm, which is a `client` on the wire, in a list. */
export const client = answer('Client', CLIENT, toWireClient);

/** One advisory firm. */
export const clientDetail = answer('ClientDetail', { ...CLIENT, logo }, (firm: FirmDetail) => ({
  ...toWireClient(firm),
  logo: firm.logo,
}));

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
