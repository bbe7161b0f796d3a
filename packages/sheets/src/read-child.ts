// The process that reads one file: the file comes on standard input, frames go to standard output. Who starts it, and
// within which limits, is in `workbook-reader.ts`.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { type ReadJob, readFileTo } from './file-reading.ts';

const job: ReadJob = JSON.parse(process.argv[2] ?? '');
const { stdin, stdout } = process;
const pipe = {
  send: (frame: string) => void stdout.write(frame),
  drained: async () => void (stdout.writableNeedDrain && (await once(stdout, 'drain'))),
};
await readFileTo(pipe, await buffer(stdin), job);
