import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { copyDatabase, migrate, openStore } from '@tarifario/store';
import { manyOffers, NOW } from './sample-offers.ts';

/**
 * What the tests run in processes of their own, to be killed or to compete: `PROGRAM DATABASE_URL [NUMBER...]`, or
 * `copy FROM TO` with the number of the piece at which it stands still.
 */
const [program = '', url = '', ...numbers] = process.argv.slice(2);
const [accountId = 0, companyId = 0, count = 0] = numbers.map(Number);

switch (program) {
  case 'migrate':
    console.log(JSON.stringify(await migrate(url)));
    break;
  case 'copy': {
    let told = 0;
    await copyDatabase(url, numbers[0] ?? '', {
      onProgress: () => {
        told += 1;
        if (told !== companyId) return;
        writeSync(process.stdout.fd, 'holding\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
    });
    break;
  }
  case 'write-once': {
    const store = await openStore(url);
    await store.write(NOW, (writer) => writer.offers.insert(accountId, manyOffers(companyId, count)));
    await store.close();
    break;
  }
  case 'write-without-end': {
    const store = await openStore(url);
    await store.write(NOW, async (writer) => {
      for (;;) {
        await writer.offers.insert(accountId, manyOffers(companyId, count));
        console.log('inserted');
      }
    });
    break;
  }
  case 'commit-without-end': {
    const store = await openStore(url);
    for (;;) {
      await store.write(NOW, (writer) => writer.offers.insert(accountId, manyOffers(companyId, count)));
      console.log('committed');
    }
  }
  case 'hold': {
    const store = await openStore(url);
    await store.write(NOW, async (writer) => {
      await writer.offers.insert(accountId, manyOffers(companyId, 1));
      console.log('holding');
      await text(process.stdin);
    });
    await store.close();
    break;
  }
  default:
    throw new Error(`no program ${program}`);
}
