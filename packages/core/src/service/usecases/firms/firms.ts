import { DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { changedTerms } from '../../../engine/offers/difference.ts';
import { cleanName } from '../../../engine/text.ts';
import type { Caller } from '../../access/caller.ts';
import { extraBucketOf } from '../../access/limits.ts';
import { permitUnbound } from '../../access/permit.ts';
import { checkFirm, type Firm, type FirmDetail, type FirmTerms, type Letterhead } from '../../firms/firm.ts';
import { checkLogo } from '../../firms/logo.ts';
import type { PageOf } from '../../ports/lists.ts';
import type { Reader } from '../../ports/stores.ts';
import { takeOrRefuse } from '../requests/admit.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import {
  type FirmChoice,
  type ListChoice,
  notFound,
  type RecordChoice,
  readFor,
  resolveFirmId,
} from '../requests/record-access.ts';
import { activeFirmCount } from '../requests/stats.ts';

/**
 * Creates an advisory firm. The limit is checked in the transaction that writes, so concurrent requests cannot exceed
 * it together.
 *
 * @throws DomainError `rate_limited` where it brings a logo, `bound_key`, `foreign_firm`, `firm_limit_reached`,
 *   `business_rule`, `duplicate_name`.
 * @see docs/assumptions.md, A-22, A-24, A-39, A-51 and A-144
 */
export const createFirm: Command<FirmChoice & Omit<FirmTerms, 'isActive'> & Pick<Letterhead, 'logo'>, FirmDetail> = {
  before: takeForLogo,
  async find(writer, caller, { firmId }) {
    permitUnbound(caller);
    await resolveFirmId(writer, caller, firmId);
  },
  async run(writer, caller, { name, imageUrl, logo, catalogDefault }) {
    const terms = { name: cleanName(name), imageUrl, logo, catalogDefault, isActive: true };
    await permitOneMore(writer, caller);
    refuseIfAny(checkFirm({ ...terms, contact: null }, null));
    return { ...(await writer.firms.insert(caller.accountId, terms)), logo, contact: null };
  },
};

/** Takes the point of a logo that is sent, unless the logo will be refused. */
async function takeForLogo<In extends { readonly logo?: string | null | undefined }>(
  deps: Deps,
  caller: Caller,
  input: In,
): Promise<In> {
  const { logo = null } = input;
  if (logo !== null && checkLogo('logo', logo).length === 0) await takeOrRefuse(deps, [extraBucketOf(caller, 'logos')]);
  return input;
}

/** @throws DomainError `firm_limit_reached` when the plan allows no further active firm. */
async function permitOneMore(reader: Reader, caller: Caller): Promise<void> {
  if ((await activeFirmCount(reader, caller.accountId)) >= caller.firmLimit) {
    throw new DomainError('firm_limit_reached', {
      message: say('the plan allows {count} active advisory firms', { count: caller.firmLimit }),
    });
  }
}

/** The firms of the account; for a bound key only its own. @throws DomainError `foreign_firm`. */
export async function listFirms(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Firm>> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    const { includeInactive, page } = input;
    return reader.firms.list({ owner: caller.accountId, firmId, includeInactive }, page);
  });
}

/** @throws DomainError `foreign_firm`, `not_found` (also for a firm that a bound key does not have). */
export async function getFirm(deps: Deps, caller: Caller, input: RecordChoice): Promise<FirmDetail> {
  return deps.store.read((reader) => ownFirmDetail(reader, caller, input));
}

function ownFirmBy<Found extends Firm>(
  read: (firms: Reader['firms'], accountId: number, id: number) => Promise<Found | null>,
) {
  return async (reader: Reader, caller: Caller, input: RecordChoice): Promise<Found> => {
    const firmId = await resolveFirmId(reader, caller, input.firmId);
    const firm = firmId === null || firmId === input.id ? await read(reader.firms, caller.accountId, input.id) : null;
    if (!firm) throw notFound('no such firm');
    return firm;
  };
}

/** A firm of the caller, active or not; for a bound key its own. @throws DomainError `foreign_firm`, `not_found`. */
export const ownFirm = ownFirmBy((firms, accountId, id) => firms.get(accountId, id));
const ownFirmDetail = ownFirmBy((firms, accountId, id) => firms.detail(accountId, id));

/** Absent fields stay as they are. */
interface FirmEdit extends RecordChoice {
  readonly name?: string | undefined;
  /** `null` erases it. */
  readonly imageUrl?: string | null | undefined;
  /** `null` erases it. */
  readonly logo?: string | null | undefined;
  /** `null` erases it. */
  readonly contact?: string | null | undefined;
}

/** As on creation, the limit is checked in the transaction that activates. */
function changeFirm(
  change: (firm: FirmDetail, edit: FirmEdit) => FirmTerms & Letterhead,
): Command<FirmEdit, FirmDetail, FirmDetail> {
  return {
    before: takeForLogo,
    find: ownFirmDetail,
    async run(writer, caller, input, firm) {
      const { name, imageUrl, logo, contact, catalogDefault, isActive } = change(firm, input);
      const terms = { name, imageUrl, logo, contact, catalogDefault, isActive };
      if (isActive && !firm.isActive) await permitOneMore(writer, caller);
      const changes = changedTerms<FirmTerms & Letterhead>(firm, terms);
      if (changes === null) return firm;
      return { ...(await writer.firms.update(caller.accountId, firm.id, changes)), logo, contact };
    },
  };
}

/**
 * Changes the name, a picture or the contact of a firm.
 *
 * @throws DomainError `rate_limited` where it brings a logo, `foreign_firm`, `not_found`, `business_rule`,
 *   `duplicate_name`.
 * @see docs/assumptions.md, A-30, A-51 and A-144
 */
export const updateFirm = changeFirm((firm, edit) => {
  const name = edit.name === undefined ? firm.name : cleanName(edit.name);
  const imageUrl = edit.imageUrl === undefined ? firm.imageUrl : edit.imageUrl;
  const logo = edit.logo === undefined ? firm.logo : edit.logo;
  const contact = typeof edit.contact === 'string' ? cleanName(edit.contact) : edit.contact;
  const terms = { name, imageUrl, logo, contact: contact === undefined ? firm.contact : contact };
  refuseIfAny(checkFirm(terms, firm));
  return { ...firm, ...terms };
});

/**
 * Activates an inactive firm, or deactivates an active one. Records of an inactive firm remain stored, but its offers
 * are neither ranked nor recommended, and its keys are refused.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `firm_limit_reached` when the plan allows no more active firms.
 * @see docs/assumptions.md, A-21, A-25 and A-39
 */
export const toggleFirm = changeFirm((firm) => ({ ...firm, isActive: !firm.isActive }));

/** Deactivates a firm, if it is active. @throws DomainError `foreign_firm`, `not_found`. */
export const deactivateFirm = changeFirm((firm) => ({ ...firm, isActive: false }));
