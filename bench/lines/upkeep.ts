import { operations } from '@tarifario/api';
import { bucketsOf, type UsageEntry } from '@tarifario/core/service';
import { createLog, createMetrics } from '@tarifario/runtime';
import { createMemoryRateLimiter } from '../../packages/runtime/src/rate-limiter.ts';
import { line, type Row } from '../line.ts';
import { customers } from '../market.ts';
import { cpuMicros, medianOf, sideBySide } from '../measure.ts';
import { toBody } from '../question-body.ts';
import { openService } from '../service-work.ts';

const BATCH = 1000;

/**
 * What a request costs beyond its work: two limits counted, one line of the log, the metrics, and a record of use
 * (written in batches of a thousand with the rest of its unit of work). Against the whole ranking request inside the
 * process, without HTTP.
 */
export const upkeepLine = line({
  name: 'Limits and telemetry of a request',
  run: async () => {
    const { service, accountId, key, close } = await openService(5_000);
    const rank = operations.find(({ id }) => id === 'rankOffers');
    if (!rank) throw new RangeError('there is no operation rankOffers');
    const bodies = customers(64).map(toBody);
    const limiter = createMemoryRateLimiter();
    const holder = { accountId, keyId: 1, firmId: 1, callsPerMinute: 1e9, firmCallsPerMinute: 1e9 };
    const log = createLog('info', () => undefined);
    const metrics = createMetrics(service.counts);
    const ended = { method: 'POST', route: '/v1/offers/efficient', status: 200 };
    const entry: UsageEntry = {
      accountId,
      firmId: null,
      endpoint: ended.route,
      method: ended.method,
      statusCode: ended.status,
      responseTimeMs: 1.5,
      createdAt: service.clock.now(),
    };
    const batch = Array.from({ length: BATCH }, () => entry);
    const context = { keyId: null, at: entry.createdAt };
    const call = { operation: rank, apiKey: key, address: '127.0.0.1', params: {}, takesJson: true };
    const micros = await sideBySide({
      request: (turn) =>
        service.dispatch({
          kind: 'operation',
          ...call,
          query: new URLSearchParams(),
          readBody: async () => bodies[turn % bodies.length],
        }),
      limits: () => limiter.take(bucketsOf(holder, [])),
      log: () => log.info({ ...ended, ms: 1.5, keyPrefix: 'tfk_12345678' }, 'request'),
      metrics: () => {
        metrics.requestBegan();
        metrics.requestEnded({ ...ended, seconds: 0.0015 });
      },
    });
    const written: number[] = [];
    for (let round = 0; round < 7; round++) {
      const micros = await cpuMicros(() => service.store.write(context, (writer) => writer.usage.insert(batch)));
      written.push(micros / BATCH);
    }
    await close();
    const whole: Pick<Row, 'peer' | 'peerMicros' | 'ratio' | 'goal'> = {
      peer: 'the whole request',
      peerMicros: micros.request,
      ratio: 'ours/theirs',
      goal: null,
    };
    return [
      { what: 'two limits counted', oursMicros: micros.limits, ...whole },
      { what: 'a line of the log', oursMicros: micros.log, ...whole },
      { what: 'metrics', oursMicros: micros.metrics, ...whole },
      { what: 'a record of use, written', oursMicros: medianOf(written), ...whole },
    ];
  },
});
