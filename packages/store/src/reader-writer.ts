import { type Reader, scopedWriter, type Writer, type Writes } from '@tarifario/core/service';
import { accountReads, accountWrites, keyReads, keyWrites } from './accounts.ts';
import { catalogReads, catalogWrites } from './catalog.ts';
import { changeReads } from './changes.ts';
import { countReads } from './counts.ts';
import type { Session } from './dialects.ts';
import { companyReads, companyWrites, firmReads, firmWrites } from './firms.ts';
import { indexReads, indexWrites } from './indices.ts';
import { monthReads, monthWrites } from './months.ts';
import { offerReads, offerWrites } from './offers.ts';
import { offerRowReads, ownerReads } from './owner-changes.ts';
import { proposalReads, proposalWrites } from './proposals.ts';
import { storedAnswerReads, storedAnswerWrites } from './stored-answers.ts';
import { runIn, type UnitOfWork } from './unit-of-work.ts';
import { queueReads, queueWrites, uploadReads, uploadWrites } from './uploads.ts';
import { usageReads, usageWrites } from './usage.ts';
import { versionReads } from './versions.ts';
import { webhookReads, webhookWrites } from './webhooks.ts';

export function readerOf(session: Session): Reader {
  return {
    accounts: accountReads(session),
    keys: keyReads(session),
    firms: firmReads(session),
    companies: companyReads(session),
    offers: { ...offerReads(session), ...offerRowReads(session), ...versionReads(session) },
    months: monthReads(session),
    indices: indexReads(session),
    catalog: catalogReads(session),
    changes: { ...changeReads(session), ...ownerReads(session) },
    counts: countReads(session),
    proposals: proposalReads(session),
    uploads: uploadReads(session),
    queue: queueReads(session),
    webhooks: webhookReads(session),
    usage: usageReads(session),
    answers: storedAnswerReads(session),
  };
}

export function writerOf(unit: UnitOfWork): Writer {
  const writes: Writes = {
    accounts: accountWrites(unit),
    keys: keyWrites(unit),
    firms: firmWrites(unit),
    companies: companyWrites(unit),
    offers: offerWrites(unit),
    months: monthWrites(unit),
    indices: indexWrites(unit),
    catalog: catalogWrites(unit),
    proposals: proposalWrites(unit),
    uploads: uploadWrites(unit),
    queue: queueWrites(unit),
    webhooks: webhookWrites(unit),
    usage: usageWrites(unit),
    answers: storedAnswerWrites(unit),
  };
  return scopedWriter(readerOf(unit), writes, unit.context, (change) => runIn(unit, change));
}
