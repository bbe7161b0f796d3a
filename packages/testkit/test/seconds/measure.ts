import diagnostics from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { childrenMs, ownMs } from './processor-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test or a file took of the processors, its children included, where they were measured. */
    processorMs?: number;
    processes?: number;
    servers?: number;
  }
}

let processes = 0;
const servers = new Set<unknown>();
const countProcess = () => {
  processes += 1;
};
const countServer = (message: unknown) => {
  servers.add(Object(message).server);
};
diagnostics.subscribe('child_process', countProcess);
diagnostics.subscribe('tracing:net.server.listen:asyncStart', countServer);

// Loaded anew for each file, before the file is.
const fileStart = ownMs() + childrenMs();
let testStart = 0;
beforeEach(() => {
  testStart = ownMs();
});
afterEach(({ task }) => {
  task.meta.processorMs = ownMs() - testStart;
});
// The first of the hooks that come after a file is the last to run.
// biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other first argument
afterAll(({}, { meta }) => {
  diagnostics.unsubscribe('child_process', countProcess);
  diagnostics.unsubscribe('tracing:net.server.listen:asyncStart', countServer);
  Object.assign(meta, { processorMs: ownMs() + childrenMs() - fileStart, processes, servers: servers.size });
});
