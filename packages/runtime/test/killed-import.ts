import { createHash } from 'node:crypto';
import { type QueueParts, runNextUpload, type Store, type Workbooks, type Writer } from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/sheets';
import { openStore } from '@tarifario/store';

/**
 * Takes up the queued upload of a database, and kills itself at a step of it, as the machine might: arguments are the
 * address of the database, the number of the step (0: none) and the time that it is. The steps are printed as they come.
 */
const [databaseUrl = '', deadly = '0', now = ''] = process.argv.slice(2);

let steps = 0;
function step(name: string): void {
  steps += 1;
  process.stdout.write(`${name}\n`);
  if (steps === Number(deadly)) process.kill(process.pid, 'SIGKILL');
}

/** A writer whose every change is a step, taken once it is made. */
function stepping(writer: Writer): Writer {
  return new Proxy(writer, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || !/^(insert|update|put|claim|extend|drop|record)/.test(String(name)))
        return method;
      return async (...args: unknown[]) => {
        const answer: unknown = await Reflect.apply(method, target, args);
        step(String(name));
        return answer;
      };
    },
  });
}

function steppingStore(store: Store): Pick<Store, 'read' | 'write'> {
  return {
    read: (work) => {
      step('read');
      return store.read(work);
    },
    async write(context, work) {
      step('write');
      const answer = await store.write(context, async (writer) => {
        const done = await work(stepping(writer));
        step('before the commit');
        return done;
      });
      step('committed');
      return answer;
    },
  };
}

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
  store: steppingStore(store),
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
