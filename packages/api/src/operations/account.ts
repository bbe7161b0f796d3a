import {
  changePassword,
  editAccount,
  getAccount,
  getSubscription,
  isLongerThan,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '@tarifario/core/service';
import { z } from 'zod';
import { ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireAccount, toWireSubscription } from '../wire/account.ts';
import { accountShape, subscriptionShape } from '../wire/service-shapes.ts';

/** Older passwords may have any length, but none is longer than this. */
const currentPasswordField = z.string().max(1024);
const newPasswordField = z
  .string()
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .refine((text) => isLongerThan(text, MIN_PASSWORD_LENGTH - 1), `must be at least ${MIN_PASSWORD_LENGTH} characters`)
  .refine((text) => !isLongerThan(text, MAX_PASSWORD_LENGTH), `must be at most ${MAX_PASSWORD_LENGTH} characters`)
  .meta({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH });

export const getAccountOperation = defineOperation({
  id: 'getAccount',
  method: 'GET',
  path: '/v1/account',
  summary: 'Read the account',
  description: 'The account that the key belongs to.',
  scopes: [],
  anyKey: true,
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: accountShape,
  perform: async ({ deps, caller }, { query }) => {
    const account = await getAccount(deps, caller, { firmId: query.client_id ?? null });
    return { status: 200, body: toWireAccount(account) };
  },
});

export const updateAccount = defineOperation({
  id: 'updateAccount',
  method: 'PATCH',
  path: '/v1/account',
  summary: 'Change the name or the e-mail address of the account',
  description:
    'A new e-mail address also needs current_password, which is checked before anything is said about the address. Wrong passwords are counted together with those of the password change.',
  scopes: [],
  limits: ['account_edit'],
  fullAccess: true,
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z
      .strictObject({
        name: z.string().optional(),
        email: z.string().optional(),
        current_password: currentPasswordField.optional(),
      })
      .refine(({ name, email }) => name !== undefined || email !== undefined, 'needs name, email or both'),
  },
  output: accountShape,
  refusals: ['not_full_access', 'wrong_password', 'duplicate_email', 'business_rule'],
  perform: async ({ deps, caller }, { query, body }) => {
    const account = await editAccount(deps, caller, {
      firmId: query.client_id ?? null,
      name: body.name ?? null,
      email: body.email ?? null,
      currentPassword: body.current_password ?? null,
    });
    return { status: 200, body: toWireAccount(account) };
  },
});

export const changePasswordOperation = defineOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/v1/account/password',
  summary: 'Change the password',
  description: 'Replaces the password; the current one is needed.',
  scopes: [],
  limits: ['password'],
  replayable: true,
  fullAccess: true,
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({ current_password: currentPasswordField, new_password: newPasswordField }),
  },
  output: null,
  success: [204],
  refusals: ['not_full_access', 'wrong_password'],
  perform: async ({ deps, caller }, { query, body }) => {
    await changePassword(deps, caller, {
      firmId: query.client_id ?? null,
      currentPassword: body.current_password,
      newPassword: body.new_password,
    });
    return { status: 204, body: undefined };
  },
});

export const getSubscriptionOperation = defineOperation({
  id: 'getSubscription',
  method: 'GET',
  path: '/v1/subscription',
  summary: 'Read the active subscription',
  description: 'The plan of the account and how many active advisory firms it allows; 404 when none is active.',
  scopes: [],
  anyKey: true,
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: subscriptionShape,
  refusals: ['no_subscription'],
  perform: async ({ deps, caller }, { query }) => {
    const subscription = await getSubscription(deps, caller, { firmId: query.client_id ?? null });
    return { status: 200, body: toWireSubscription(subscription) };
  },
});
