import {
  PLANS,
  REFUSAL_CODES,
  SCOPES,
  SUBSCRIPTION_STATUSES,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { bulkResultShape, rowErrorShape } from './bulk.ts';

/** Shapes of what the service says about its own use. They describe; nothing is converted or refused by them. */

const id = z.int().min(1);
const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });

export const accountShape = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  is_active: z.boolean(),
  created_at: instant,
});

export const subscriptionShape = z.strictObject({
  id,
  plan: z.enum(PLANS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  clients_limit: count,
  trial_ends_at: instant.nullable(),
  current_period_end: instant,
  created_at: instant,
});

export const usageShape = z.strictObject({
  id,
  endpoint: z.string(),
  method: z.string(),
  status_code: z.int().min(100).max(599),
  response_time_ms: z.number().min(0),
  client_id: id.nullable(),
  created_at: instant,
});

export const usageSummaryShape = z.strictObject({
  from: instant,
  to: instant,
  total_calls: count,
  calls_by_endpoint: z.array(z.strictObject({ endpoint: z.string(), calls: count })),
  p95_response_time_ms: z.number().min(0).nullable(),
});

const uploadFailure = z.strictObject({
  code: z.enum([...REFUSAL_CODES, 'internal_error']),
  message: z.string(),
  missing_scope: z.enum(SCOPES).optional(),
  errors: z.array(rowErrorShape).optional(),
  error_count: count.optional(),
});

export const uploadShape = z.strictObject({
  id,
  client_id: id.nullable(),
  kind: z.enum(UPLOAD_KINDS),
  file_name: z.string(),
  size_bytes: count.nullable(),
  status: z.enum(UPLOAD_STATUSES),
  result: bulkResultShape.nullable(),
  error: uploadFailure.nullable(),
  created_at: instant,
  updated_at: instant,
  finished_at: instant.nullable(),
});
