import { generatedText } from './document-types.ts';

process.stdout.write(await generatedText());
