import type { Writable } from 'node:stream';

/** What waits for a reader at most: some 40 000 lines about requests. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/**
 * What a log writes with when the process must outlive its reader. Who reads may be gone, or the disk behind it full:
 * lines are lost then, and nothing else. Who reads and hangs is waited for up to a bound; once there is room again, the
 * first line says how many were lost.
 */
export function createLogSink(
  stream: Pick<Writable, 'write' | 'on' | 'writableLength'>,
  { maxUnreadBytes = MAX_UNREAD_BYTES }: { readonly maxUnreadBytes?: number } = {},
): (text: string) => void {
  let lost = 0;
  // Unheard it would end the process.
  stream.on('error', () => {});
  return (text) => {
    if (stream.writableLength > maxUnreadBytes) {
      lost += text.split('\n').length - 1;
      return;
    }
    if (lost > 0) {
      const told = { level: 'warn', time: new Date().toISOString(), lost, msg: 'lines were lost: nobody read the log' };
      stream.write(`${JSON.stringify(told)}\n`);
      lost = 0;
    }
    stream.write(text);
  };
}
