import { expect, test } from 'vitest';
import { generatedText } from '../test/document-types.ts';

test('the generated file is up to date with the document', async () => {
  // If it is not: `npm run build`, which makes it anew.
  await expect(await generatedText()).toMatchFileSnapshot('generated.ts');
});
