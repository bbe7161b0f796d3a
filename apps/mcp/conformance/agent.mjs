// An agent of the AI SDK with a model that calls one tool and has no network: `agent.mjs URL KEY QUESTION` prints the
// tools that the model was given, and what the tool answered it.
import { createMCPClient } from '@ai-sdk/mcp';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const [url, key, question] = process.argv.slice(2);
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const turn = (unified, ...content) => ({ content, finishReason: { unified }, usage, warnings: [] });
const model = new MockLanguageModelV4({
  doGenerate: [
    turn('tool-calls', { type: 'tool-call', toolCallId: '1', toolName: 'rank_offers', input: question }),
    turn('stop', { type: 'text', text: 'done' }),
  ],
});
const client = await createMCPClient({ transport: { type: 'http', url, headers: { 'X-API-Key': key } } });
const tools = await client.tools();
await generateText({ model, tools, prompt: '¿Cuál es la más barata?', stopWhen: stepCountIs(2) });
const [first, second] = model.doGenerateCalls;
await client.close();
console.log(JSON.stringify({ tools: first.tools, told: second.prompt.at(-1).content }));
