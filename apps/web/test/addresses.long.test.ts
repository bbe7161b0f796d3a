import { join } from 'node:path';
import type { PageOf, ProposalEntry, Ranking } from '@tarifario/client';
import { shareOf } from '@tarifario/testkit/share';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf, type Look, namelessIn, showAs } from './axe.ts';
import { describePage } from './browser.ts';
import { HOUSEHOLD } from './household.ts';

/** Written where `SCREENSHOTS` is set. */
const PICTURE = join(import.meta.dirname, '../../../docs/images/app-settings.png');

const TELEPHONE = { width: 360, height: 800 };
const DESK = { width: 1280, height: 900 };
/** Each size, and each of light, dark and forced colours, is in the share. */
const LOOKS: readonly Look[] = [
  { viewport: TELEPHONE, colorScheme: 'light' },
  { viewport: TELEPHONE, colorScheme: 'dark' },
  { viewport: DESK, colorScheme: 'dark' },
  { viewport: DESK, colorScheme: 'light' },
  { viewport: TELEPHONE, colorScheme: 'dark', forcedColors: 'active' },
  { viewport: DESK, colorScheme: 'light', forcedColors: 'active' },
];
/** A window of 1,280 by 1,024 px at zoom 200 and 400 %. */
const ZOOMED: readonly Look[] = [
  { viewport: { width: 640, height: 512 }, colorScheme: 'light' },
  { viewport: { width: 320, height: 256 }, colorScheme: 'light' },
];

/** Each address, and a heading that is there once it has all that it shows. */
const ADDRESSES = [
  ['estudio', 'Suministro'],
  ['ofertas', 'Ofertas'],
  ['ofertas/1', 'Historial'],
  ['cartera', 'Cartera de clientes'],
  ['propuestas', 'Propuestas'],
  ['propuestas/1', 'Propuesta 1'],
  ['ajustes', 'Uso'],
  ['ajustes/1', 'Catálogo de'],
] as const;

describePage('each address of the page', (site) => {
  beforeAll(async () => {
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    const offer_ids = results.slice(0, 2).map(({ offer }) => offer.id);
    await site.ask('/v1/proposals', { request: HOUSEHOLD, offer_ids, nota: 'Para junio' });
    expect(await site.ask<PageOf<ProposalEntry>>('/v1/proposals')).toMatchObject({ results: [{ id: 1 }] });
  });

  it.each(ADDRESSES)(
    '%s shows %s, names its controls, at 360 px and zoomed to 400 percent breaks no rule of axe and fits the screen',
    async (at, heading) => {
      const { page, close } = await site.open({ key: site.keys.full_access, at });
      await page.getByRole('heading', { name: heading, exact: !heading.endsWith(' de') }).waitFor();
      await page.waitForLoadState('networkidle');
      const nameless = await namelessIn(page);
      expect(nameless).toMatchObject({ roles: [], count: expect.any(Number) });
      expect(nameless.count).toBeGreaterThan(5);
      expect(await faultsOf(page, [...shareOf(LOOKS, 2), ...ZOOMED])).toEqual([]);
      if (at === 'ajustes' && process.env.SCREENSHOTS !== undefined) {
        await showAs(page, { viewport: DESK, colorScheme: 'light' });
        await page.screenshot({ path: PICTURE, fullPage: true });
      }
      await close();
    },
  );
});
