// The process that reads one file. Standard input has a line with the job, then the file; standard output has frames.
// `reading-process.ts` starts it and sets its limits.
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { type ReadJob, readFileTo } from './file-reading.ts';
import { PROCESS } from './process-machine.ts';

const { stdin, stdout } = process;
const pipe = {
  send: (frame: string) => void stdout.write(frame),
  drained: async () => void (stdout.writableNeedDrain && (await once(stdout, 'drain'))),
};
const input = await buffer(stdin);
// Empty input: there was no file after all.
if (input.length > 0) {
  const endOfJob = input.indexOf('\n');
  const job: ReadJob = JSON.parse(input.toString('utf8', 0, endOfJob));
  await readFileTo({ machine: PROCESS, pipe }, input.subarray(endOfJob + 1), job);
}
