import {
  type AccountState,
  type Caller,
  changePassword,
  checkPassword,
  editAccount,
  getAccount,
  getSubscription,
  hasScope,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  maySeeCommissions,
  PLANS,
  SCOPES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@tarifario/core/service';
import { z } from 'zod';
import { nameField } from '../fields.ts';
import { inSchema } from '../messages/in-schema.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, clientId, commission, count, id, instant } from '../wire/answer.ts';

/**
 * The account as its own keys see it, and what the key may do. Whether it may write the catalog is up to the operator
 * and not shown.
 *
 * @see docs/assumptions.md, A-105
 */
const account = answer(
  'Account',
  {
    id,
    name: z.string(),
    email: z.string(),
    is_active: z.boolean(),
    created_at: instant,
    key: z.strictObject({
      full_access: z.boolean(),
      client_id: clientId,
      scopes: z.array(z.enum(SCOPES)),
    }),
    storage: z
      .strictObject({
        history_bytes: commission(
          count,
          'Versions of offers: each change leaves one, and none is deleted. Null also for a key of one firm.',
        ),
        history_limit: count,
        proposals_bytes: commission(count, 'Proposals that are not deleted. Null also for a key of one firm.'),
        proposals_limit: count,
      })
      .describe('Bytes that the account has stored, and may store. What would be more is refused with `storage_full`.'),
    disabled_webhooks: z
      .array(id)
      .optional()
      .describe('Webhooks that get no more events; left out where there are none.'),
  },
  ({ id, name, email, isActive, createdAt, disabledWebhooks, stored }: AccountState, caller: Caller) => {
    const scopes = SCOPES.filter((scope) => hasScope(caller, scope));
    const key = { full_access: caller.fullAccess, client_id: caller.firmId, scopes };
    const disabled = disabledWebhooks.length > 0 ? { disabled_webhooks: disabledWebhooks } : {};
    // The size of versions and of proposals depends on the commissions in them, also in those of other firms.
    const isShown = maySeeCommissions(caller) && caller.firmId === null;
    const { historyBytes, proposalsBytes } = isShown ? stored : NOT_SHOWN;
    const storage = {
      ...{ history_bytes: historyBytes, history_limit: caller.quotas.historyBytes },
      ...{ proposals_bytes: proposalsBytes, proposals_limit: caller.quotas.proposalsBytes },
    };
    return { id, name, email, is_active: isActive, created_at: createdAt, key, storage, ...disabled };
  },
);

const NOT_SHOWN = { historyBytes: null, proposalsBytes: null };

/** The subscription, without what the operator may have agreed about its ceilings. */
export const subscription = answer(
  'Subscription',
  {
    id,
    plan: z.enum(PLANS),
    status: z.enum(SUBSCRIPTION_STATUSES),
    clients_limit: count.describe('How many active advisory firms the plan allows.'),
    trial_ends_at: instant.nullable(),
    current_period_end: instant,
    created_at: instant,
  },
  ({ id, plan, status, firmLimit, trialEndsAt, currentPeriodEnd, createdAt }: Subscription) => ({
    id,
    plan,
    status,
    clients_limit: firmLimit,
    trial_ends_at: trialEndsAt,
    current_period_end: currentPeriodEnd,
    created_at: createdAt,
  }),
);

/** An older password may be longer than a new one, and none is longer than this. */
const currentPasswordField = z.string().max(1024).describe('The password of the account as it is now.');
const newPasswordField = z
  .string()
  .superRefine((text, context) => {
    for (const { message } of checkPassword('', text)) context.addIssue({ code: 'custom', message: inSchema(message) });
  })
  .meta({
    ...{ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH },
    description: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
  });

const CURRENT_PASSWORD = 'caballo-grapa-21';

export const ACCOUNT: readonly Operation[] = [
  defineOperation({
    id: 'getAccount',
    method: 'GET',
    path: '/v1/account',
    summary: 'Read the account',
    description: 'The account that the key belongs to, and what the key may do.',
    anyKey: true,
    output: account,
    examples: [{ summary: 'The account of the key' }],
    answer: ({ deps, caller }, { firmId }) => getAccount(deps, caller, { firmId }),
  }),
  defineOperation({
    id: 'updateAccount',
    method: 'PATCH',
    path: '/v1/account',
    summary: 'Change the name or the e-mail address of the account',
    description:
      'A new e-mail address also needs current_password, which is checked before anything is said about the address. Wrong passwords are counted together with those of the password change.',
    limits: ['account_edit'],
    fullAccess: true,
    body: z
      .strictObject({
        name: nameField.optional(),
        email: z.string().optional(),
        current_password: currentPasswordField.optional(),
      })
      .refine(({ name, email }) => name !== undefined || email !== undefined, inSchema('needs name, email or both')),
    output: account,
    refusals: ['wrong_password', 'duplicate_email', 'business_rule'],
    examples: [
      { summary: 'A new name', body: { name: 'Energía Clara y Justa' } },
      {
        summary: 'A new e-mail address',
        body: { email: 'cuentas@energiaclara.example', current_password: CURRENT_PASSWORD },
      },
    ],
    command: editAccount,
    input: ({ firmId, body: { name = null, email = null, current_password: currentPassword = null } }) => ({
      firmId,
      name,
      email,
      currentPassword,
    }),
  }),
  defineOperation({
    id: 'changePassword',
    method: 'POST',
    path: '/v1/account/password',
    summary: 'Change the password',
    description: 'Replaces the password; the current one is needed.',
    limits: ['password'],
    replayable: true,
    fullAccess: true,
    body: z.strictObject({ current_password: currentPasswordField, new_password: newPasswordField }),
    output: null,
    success: [204],
    refusals: ['wrong_password'],
    examples: [
      {
        summary: 'A new password',
        body: { current_password: CURRENT_PASSWORD, new_password: 'molino-azul-1987' },
      },
    ],
    command: changePassword,
    input: ({ firmId, body: { current_password: currentPassword, new_password: newPassword } }) => ({
      firmId,
      currentPassword,
      newPassword,
    }),
  }),
  defineOperation({
    id: 'getSubscription',
    method: 'GET',
    path: '/v1/subscription',
    summary: 'Read the active subscription',
    description: 'The plan of the account and how many active advisory firms it allows; 404 when none is active.',
    anyKey: true,
    output: subscription,
    refusals: ['no_subscription'],
    examples: [{ summary: 'The plan' }],
    answer: ({ deps, caller }, { firmId }) => getSubscription(deps, caller, { firmId }),
  }),
];
