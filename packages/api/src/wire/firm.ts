import type { Company, Firm, SubscriptionEntry } from '@tarifario/core/service';
import { z } from 'zod';

const id = z.int().min(1);

export const clientShape = z.strictObject({
  id,
  name: z.string(),
  image_url: z.string().nullable(),
  is_active: z.boolean(),
});

export const companyShape = z.strictObject({
  id,
  client_id: id.nullable(),
  name: z.string(),
  logo_url: z.string().nullable(),
  is_active: z.boolean(),
});

/** A retailer of the catalog, and whether the firm of the path subscribes to it. */
export const catalogSubscriptionShape = z.strictObject({ company: companyShape, subscribed: z.boolean() });

/** An advisory firm as the wire's `client`. */
export function toWireClient({ id, name, imageUrl, isActive }: Firm) {
  return { id, name, image_url: imageUrl, is_active: isActive };
}

/** A retailer. `client_id` is null for a company of the shared catalog. */
export function toWireCompany({ id, firmId, name, logoUrl, isActive }: Company) {
  return { id, client_id: firmId, name, logo_url: logoUrl, is_active: isActive };
}

/** A retailer of the catalog, and whether a firm subscribes to it. */
export function toWireSubscriptionEntry({ company, isSubscribed }: SubscriptionEntry) {
  return { company: toWireCompany(company), subscribed: isSubscribed };
}
