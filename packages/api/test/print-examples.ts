import { kept } from '@tarifario/testkit/kept-stores';
import { answersToExamples, examplesPage } from './examples-page.ts';

process.stdout.write(examplesPage(await answersToExamples()));
for (const remove of kept) await remove();
