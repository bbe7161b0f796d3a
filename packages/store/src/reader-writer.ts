import { type Reader, scopedWriter, type Writer } from '@tarifario/core/service';
import { accountReads, accountWrites } from './accounts.ts';
import { catalogReads, catalogWrites } from './catalog.ts';
import { changeReads } from './changes.ts';
import { countReads } from './counts.ts';
import type { Session } from './dialects.ts';
import { firmReads, firmWrites } from './firms.ts';
import { monthReads, monthWrites } from './months.ts';
import { offerReads, offerWrites } from './offers.ts';
import { ownerReads } from './owner-changes.ts';
import { proposalReads, proposalWrites } from './proposals.ts';
import { storedAnswerReads, storedAnswerWrites } from './stored-answers.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { uploadReads, uploadWrites } from './uploads.ts';
import { usageReads, usageWrites } from './usage.ts';
import { versionReads } from './versions.ts';

export function readerOf(session: Session): Reader {
  return {
    ...accountReads(session),
    ...firmReads(session),
    ...catalogReads(session),
    ...offerReads(session),
    ...monthReads(session),
    ...versionReads(session),
    ...ownerReads(session),
    ...changeReads(session),
    ...proposalReads(session),
    ...uploadReads(session),
    ...usageReads(session),
    ...storedAnswerReads(session),
    ...countReads(session),
  };
}

export function writerOf(unit: UnitOfWork): Writer {
  const writer: Writer = {
    ...readerOf(unit),
    ...accountWrites(unit),
    ...firmWrites(unit),
    ...catalogWrites(unit),
    ...offerWrites(unit),
    ...monthWrites(unit),
    ...proposalWrites(unit),
    ...uploadWrites(unit),
    ...usageWrites(unit),
    ...storedAnswerWrites(unit),
  };
  return scopedWriter(writer, unit.context, (error) => {
    unit.failure ??= { error };
  });
}
