import type { Writable } from 'node:stream';

/** How much may be buffered for a slow reader: about 40 000 lines about requests. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/**
 * The output of a log whose reader may fail. If the reader is gone, or its disk is full, lines are lost and the process
 * goes on. If the reader hangs, lines are buffered up to a bound; once there is room again, the first line says how
 * many were lost.
 */
export function createLogSink(
  stream: Pick<Writable, 'write' | 'on' | 'writableLength'>,
  { maxUnreadBytes = MAX_UNREAD_BYTES }: { readonly maxUnreadBytes?: number } = {},
): (text: string) => void {
  let lostCount = 0;
  // Without a listener the error would end the process.
  stream.on('error', () => {});
  return (text) => {
    if (stream.writableLength > maxUnreadBytes) {
      lostCount += text.split('\n').length - 1;
      return;
    }
    if (lostCount > 0) {
      const entry = {
        level: 'warn',
        time: new Date().toISOString(),
        lost: lostCount,
        msg: 'lines were lost: nobody read the log',
      };
      stream.write(`${JSON.stringify(entry)}\n`);
      lostCount = 0;
    }
    stream.write(text);
  };
}
