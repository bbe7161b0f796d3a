// The process that reads one file: a line that says how, then the file, come on standard input, frames go to standard
// output. Who starts it, and within which limits, is in `reading-process.ts`.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { type ReadJob, readFileTo } from './file-reading.ts';

const { stdin, stdout } = process;
const pipe = {
  send: (frame: string) => void stdout.write(frame),
  drained: async () => void (stdout.writableNeedDrain && (await once(stdout, 'drain'))),
};
const input = await buffer(stdin);
// Nothing at all: who has started it had no file after all.
if (input.length > 0) {
  const endOfJob = input.indexOf('\n');
  const job: ReadJob = JSON.parse(input.toString('utf8', 0, endOfJob));
  await readFileTo(pipe, input.subarray(endOfJob + 1), job);
}
