import { text } from 'node:stream/consumers';
import { migrate, openStore } from '@tarifario/store';
import { manyOffers, NOW } from './sample-offers.ts';

/** What the tests run in processes of their own, to be killed or to compete: `PROGRAM DATABASE_URL [NUMBER...]`. */
const [program = '', url = '', ...numbers] = process.argv.slice(2);
const [accountId = 0, companyId = 0, count = 0] = numbers.map(Number);

switch (program) {
  case 'migrate':
    console.log(JSON.stringify(await migrate(url)));
    break;
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
