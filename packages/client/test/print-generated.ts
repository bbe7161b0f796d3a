import { generatedText } from './generated-text.ts';

process.stdout.write(await generatedText());
