import type { Company, Firm, SubscriptionEntry } from '@tarifario/core/service';

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
