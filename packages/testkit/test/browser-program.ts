import { existsSync } from 'node:fs';

/** The Chromium of the system; one without windows takes a quarter less of a processor. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Without one nothing is known of what browsers show, and the run says so. */
export const browserProgram = PROGRAMS.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

if (browserProgram === undefined) {
  console.warn(`!!! NOT TESTED: none of ${PROGRAMS.join(', ')} is in /usr/bin, so no page was looked at !!!`);
}
