// The thread that applies files: one message in, one answer out, one at a time. It starts because a file is coming, so
// it first starts the process that will read the file, and loads the rest meanwhile.
import { parentPort, workerData } from 'node:worker_threads';
import { startReadingProcess } from '@tarifario/sheets/reading-process';

const port = parentPort;
if (port === null) throw new Error('this program is a thread of another');
const ready = startReadingProcess();
const { serveImports } = await import('./import-service.ts');
serveImports(port, workerData, { ready });
