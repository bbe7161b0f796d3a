import { createHash } from 'node:crypto';
import { type QueueParts, runNextUpload, type Store, type Workbooks, type Writer } from '@tarifario/core/service';
import { wrapMethods } from '@tarifario/core/testing';
import { createWorkbookReader } from '@tarifario/sheets';
import { openStore } from '@tarifario/store';

type Step = (name: string) => void;

/** A writer whose every change is a step, taken once it is made. */
function stepping(writer: Writer, step: Step): Writer {
  const taken = async (name: string, run: () => unknown) => {
    const answer = await run();
    step(name);
    return answer;
  };
  const isChange = (name: string) => /\.(insert|update|put|claim|extend|drop|record)/.test(name);
  return wrapMethods(writer, (name, run) => (isChange(name) ? taken(name, run) : run()));
}

function steppingStore(store: Store, step: Step): Pick<Store, 'read' | 'write'> {
  return {
    read: (work) => {
      step('read');
      return store.read(work);
    },
    async write(context, work) {
      step('write');
      const answer = await store.write(context, async (writer) => {
        const done = await work(stepping(writer, step));
        step('before the commit');
        return done;
      });
      step('committed');
      return answer;
    },
  };
}

/** Takes up the queued upload of a database at a time. @param step - Called at each step with what it is called. */
export async function takeUpload(databaseUrl: string, now: string, step: Step): Promise<void> {
  const reader = createWorkbookReader();
  const workbooks: Pick<Workbooks, 'read'> = {
    async *read(bytes, form) {
      for await (const part of reader.read(bytes, form)) {
        step(`a part of ${part.name}`);
        yield part;
      }
    },
  };
  const store = await openStore(databaseUrl);
  const parts: QueueParts = {
    store: steppingStore(store, step),
    clock: { now: () => now },
    workbooks,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    reportBug: (error) => {
      throw error;
    },
  };
  await runNextUpload(parts);
  reader.close();
  await store.close();
}

// As a program it kills itself at a step, as the machine might. The arguments are the address of the database, the time,
// and the number of the step.
if (process.argv[1] === import.meta.filename) {
  const [databaseUrl = '', now = '', deadly] = process.argv.slice(2);
  let steps = 0;
  await takeUpload(databaseUrl, now, () => {
    steps += 1;
    if (steps === Number(deadly)) process.kill(process.pid, 'SIGKILL');
  });
}
