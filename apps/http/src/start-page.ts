import { hasAdvisorPage } from './advisor-page.ts';
import { createPage, type Page, policyWith } from './page.ts';

const LINKS = [
  ['app/', 'Página para asesores', 'Page for advisors'],
  ['docs/', 'Documentación de la API', 'Documentation of the API'],
] as const;

/**
 * The page that leads to the others.
 *
 * @param withApp - Whether the page for advisors is one of them.
 */
export function createStartPage(withApp: boolean): Page {
  const links = LINKS.filter(([href]) => withApp || href !== 'app/').map(
    ([href, es, en]) => `<li><a href="${href}">${es} / <span lang="en">${en}</span></a></li>`,
  );
  const html = `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tarifario</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Tarifario</h1>
<ul>
${links.join('\n')}
</ul>
</body>
</html>
`;
  return createPage(Buffer.from(html), 'text/html', { 'Content-Security-Policy': policyWith('img-src data:') });
}

const pages = { withApp: createStartPage(true), withoutApp: createStartPage(false) };

export const START_PAGE: Page = async (request) => {
  return (await hasAdvisorPage()) ? pages.withApp(request) : pages.withoutApp(request);
};
