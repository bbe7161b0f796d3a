import { further } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { rankHousehold, typeHousehold } from './household.ts';

let others = 0;

describePage('the page for advisors', (site) => {
  it('A-103: takes the key out of the fragment, and stores it nowhere but in memory', async () => {
    const { page, requests, sent, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    await rankHousehold(page);
    expect(page.url()).toBe(`${site.server.url}/app/`);
    const stored = await page.evaluate(
      '[{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.body.innerHTML]',
    );
    expect(JSON.stringify(stored)).not.toContain(site.keys.full_access);
    expect(await page.evaluate('Promise.all([indexedDB.databases(), caches.keys()])')).toEqual([[], []]);
    expect(requests.some((url) => url.includes('/v1/offers'))).toBe(true);
    expect(sent.filter((text) => text.includes(site.keys.full_access.slice(-8)))).toEqual([]);
    expect(site.server.logLines.join('\n')).not.toContain(site.keys.full_access.slice(-8));
    await page.goBack();
    expect(page.url()).toBe('about:blank');
    await close();
  });

  it('A-103: asks before a key of an address takes the place of a session, and says whose it is', async () => {
    const otherKey = await site.server.addKey(await site.server.addAccount(`otra-${++others}`), {});
    const { page, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    await typeHousehold(page);
    const asked = (address: string, accepts: boolean) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      page.once('dialog', async (dialog) => {
        await (accepts ? dialog.accept() : dialog.dismiss());
        resolve(dialog.message());
      });
      return Promise.all([promise, page.evaluate(`location.hash = '${address}'`)]);
    };
    const [question] = await asked(`key=${otherKey}`, false);
    expect(question).toContain(`«otra-${others}»`);
    expect(question).toContain('«Demo»');
    expect(page.url()).toBe(`${site.server.url}/app/`);
    await rankHousehold(page);
    expect(await page.locator('.who').innerText()).toBe('Demo');
    await asked(`key=${otherKey}`, true);
    await page.locator('.who', { hasText: `otra-${others}` }).waitFor();
    await close();
  });

  further(
    'A-103: asks also where the page is loaded anew with a key of another account, and not with one of the same',
    async () => {
      const otherKey = await site.server.addKey(await site.server.addAccount(`otra-${++others}`), {});
      const { page, close } = await site.open({ key: site.keys.full_access });
      await page.getByRole('link', { name: 'Estudio' }).waitFor();
      await typeHousehold(page);
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.dismiss();
      });
      for (const key of [site.keys.full_access, otherKey]) {
        await page.goto('about:blank');
        await page.goto(`${site.server.url}/app/#key=${key}`);
        await page
          .getByText(key === otherKey ? 'Clave de acceso' : 'Demo')
          .first()
          .waitFor();
      }
      await expect.poll(() => questions.length).toBe(1);
      expect(questions[0]).toContain(`«otra-${others}»`);
      expect(await page.locator('.who').count()).toBe(0);
      page.removeAllListeners('dialog');
      await close();
    },
  );

  it('A-103: asks for the key as for a password, which a browser may keep for the account', async () => {
    const { page, close } = await site.open();
    expect(await page.getByLabel('Clave de acceso').getAttribute('type')).toBe('password');
    expect(await page.getByLabel('Clave de acceso').getAttribute('autocomplete')).toBe('current-password');
    expect(await page.getByLabel('Cuenta').getAttribute('autocomplete')).toBe('username');
    await close();
  });

  further('says what to do about a wrong key, and then accepts the right one', async () => {
    const { page, close } = await site.open();
    for (let tab = 0; tab < 3; tab++) await page.keyboard.press('Tab');
    await page.keyboard.type('tarifario_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('La clave no es válida').waitFor();
    expect(await page.getByLabel('Clave de acceso').inputValue()).toBe('tarifario_wrong');
    await page.getByLabel('Clave de acceso').fill(site.keys.public);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Suministro' }).waitFor();
    await page.getByRole('button', { name: 'English' }).press('Enter');
    await page.getByRole('heading', { name: 'Supply' }).waitFor();
    await page.locator('html[lang=en]').waitFor();
    await close(/401/);
  });

  it('loads less than 150 kB at first, compressed, and no file that may be cached although it changes', async () => {
    let bytes = 0;
    const { page, requests, close } = await site.open();
    await page.getByLabel('Clave de acceso').waitFor();
    const paths = requests.filter((url) => url.startsWith(site.server.url)).map((url) => new URL(url).pathname);
    // What is common to it and to what is loaded later is a file of its own.
    const named = paths.filter((path) => !/^\/app\/chunk-\w+\.js$/.test(path));
    expect(named.toSorted()).toEqual(['/app/', '/app/app.css', '/app/app.js']);
    for (const path of paths) {
      const { headers } = await fetch(site.server.url + path, { headers: { 'Accept-Encoding': 'br' } });
      bytes += Number(headers.get('content-length'));
      expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[^']+'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
    }
    expect(bytes).toBeLessThan(150_000);
    await close();
  });
});
