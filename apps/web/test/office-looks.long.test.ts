import { join } from 'node:path';
import { shareOf } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { faultsOf, type Look, showAs } from './axe.ts';
import { describePage } from './browser.ts';
import { dropFile, openOffice, workbookOf } from './office.ts';

/** Set to write the pictures of `docs/app.md`. */
const writesPictures = process.env.SCREENSHOTS !== undefined;
const IMAGES = join(import.meta.dirname, '../../../docs/images');
const CSV = [
  'ref,supply_type,tariff_type,territory,client_type,e1,e2,e3,p1,p2,actual_coste_total',
  'Ana Ruiz,LUZ,2.0TD,peninsula,dni,1200,900,1400,4.6,4.6,980',
  'Bar Central,LUZ,2.0TD,peninsula,cif,5200,3900,4400,13.8,13.8,2950',
  'Luis Gil,LUZ,2.0TD,peninsula,dni,700,500,900,3.45,3.45,610',
  'Sin consumo,LUZ,2.0TD,peninsula,dni,,,,4.6,4.6,300',
].join('\n');
const NARROW = { width: 360, height: 900 };
const WIDE = { width: 1600, height: 900 };
/** Each size and each scheme is in the share. */
const LOOKS: readonly Look[] = [
  { viewport: NARROW, colorScheme: 'dark' },
  { viewport: NARROW, colorScheme: 'light' },
  { viewport: WIDE, colorScheme: 'light' },
  { viewport: WIDE, colorScheme: 'dark' },
];
const PICTURES = LOOKS.filter(({ viewport, colorScheme }) => (viewport === NARROW) === (colorScheme === 'dark'));

describePage('workbooks and customers', (site) => {
  it('breaks no rule of axe and fits the screen, narrow and wide, light and dark', async () => {
    const looks = shareOf(LOOKS, 2);
    const office = await openOffice(site, { offer: 'Hogar Claro', company: 'Luz de Levante' });
    const { page, close } = await site.open({ key: office.key, at: 'cartera' });
    await dropFile(page, /clientes/, { name: 'cartera.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await page.getByText('Clientes: 4 de 4').waitFor();
    expect(await faultsOf(page, looks)).toEqual([]);
    for (const look of writesPictures ? PICTURES : []) {
      await showAs(page, look);
      await page.screenshot({ path: join(IMAGES, `app-office-${look.viewport.width}.png`), fullPage: true });
    }
    await page.getByRole('link', { name: 'Ofertas' }).click();
    const rows = [{ offer_id: office.offerId, e1: 0.1875, e2: 0.1425, commission: 60, acepta_cif: 'sí' }];
    await dropFile(page, /Excel/, await workbookOf(rows));
    await page.locator('.diff').waitFor();
    expect(await faultsOf(page, looks)).toEqual([]);
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.uploads').getByText('Aplicado.').waitFor();
    expect(await faultsOf(page, looks)).toEqual([]);
    await dropFile(page, /Excel/, await workbookOf([{ offer_id: office.offerId, e1: 'mucho' }]));
    await page.getByText('No se ha cambiado nada').waitFor();
    expect(await faultsOf(page, looks)).toEqual([]);
    await close(/422/);
  });
});
