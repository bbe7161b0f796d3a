import { readFileSync } from 'node:fs';
import { openWorkplace } from '@tarifario/testkit/cli/run-program';
import { expect, it } from 'vitest';
import { drawTradeOff, PICTURE, rankDemo } from './trade-off.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('the picture of README is the present ranking of the demo', () => {
  expect(drawTradeOff()).toBe(readFileSync(PICTURE, 'utf8'));
});

it('the offers that README shows of the demo have the present figures', () => {
  const { results } = rankDemo();
  const [offersOfOne = ''] = readme.split('From the QR code');
  const shown = [...offersOfOne.matchAll(/^ ?(\d+) (\S.*?) {2,}((?: *\d+\.\d\d){9})/gm)];
  expect(shown.length).toBeGreaterThan(3);
  for (const [, place, name, figures = ''] of shown) {
    const { offer, cost, commission, score, ...scores } = results[Number(place) - 1] ?? results[0] ?? expect.fail();
    const parts = [cost.energyEur, cost.powerEur, cost.servicesEur, cost.surplusEur, cost.totalEur];
    const all = [...parts, commission?.totalEur ?? 0, score, scores.priceScore, scores.commissionScore ?? 0];
    expect(name).toBe(offer.offerName);
    expect(figures.trim().split(/ +/)).toEqual(all.map((figure) => figure.toFixed(2)));
  }
});

it('the commands that README shows work', async () => {
  const place = await openWorkplace();
  const commands = [...readme.matchAll(/^npx tarifario (.*)$/gm)].map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  );
  expect(commands.map(([noun, verb]) => `${noun} ${verb}`)).toEqual(['account create', 'key create']);
  await place.run(['migrate']);
  for (const args of commands) {
    const { status, stdout, stderr } = await place.run(args, { stdin: 'molinos de viento\n' });
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1 });
  }
  await place.remove();
});
