export type { ApiDeps } from './call.ts';
export { checkOperations } from './check-operations.ts';
export {
  type AdmittedCall,
  type ApiRequest,
  createDispatch,
  type Dispatch,
  type MessageAnswer,
  type MessageRequest,
  type Sender,
  type UnroutedRequest,
} from './dispatch.ts';
export { type ApiAnswer, answerTo } from './errors.ts';
export { isJsonObject, type JsonMembers } from './json.ts';
export { bodyIn, inLanguage, type Language, preferredLanguage } from './messages/words.ts';
export { subscription } from './nouns/account.ts';
export { curve } from './nouns/curves.ts';
export { indexList } from './nouns/indices.ts';
export { invoiceReading } from './nouns/invoices.ts';
export { type NegotiatedCustomer, negotiation } from './nouns/negotiation.ts';
export { EXPORT_COLUMNS } from './nouns/offers/export.ts';
export { fromWireOffers } from './nouns/offers/file.ts';
export { fromWireCustomer, portfolioAnswer, portfolioRefusal } from './nouns/portfolio.ts';
export { fromWirePower, powerAdvice } from './nouns/power.ts';
export { PROPOSAL_STYLE_HASH } from './nouns/proposals/page.ts';
export { PROPOSAL_FORMS, verification } from './nouns/proposals/proposal.ts';
export { fromWireEfficient, MAX_TOP } from './nouns/ranking/question.ts';
export { toWireRanking } from './nouns/ranking/ranking.ts';
export { REASONS_ASKED } from './nouns/ranking/reasons.ts';
export { fromWireRows, regulatedPrices } from './nouns/regulated-prices.ts';
export { taxTable } from './nouns/taxes.ts';
export { webhookBody } from './nouns/webhooks.ts';
export { openApiDocument } from './openapi.ts';
export { COMMON_REFUSALS, type Operation } from './operation.ts';
export { operations } from './operations.ts';
export type { BodyCaps } from './read-input.ts';
export { type BodyForm, isSentForm, type SentFile, type SentForm } from './sent-form.ts';
export { isKnownTag } from './tags.ts';
export { invoicePrompt, promptsFor, RESOURCES, resourceText } from './tools/context.ts';
export { type ToolResult, toToolResult } from './tools/result.ts';
export { instructionsFor } from './tools/texts.ts';
export { operationFor, type Tool, toolsFor } from './tools/tools.ts';
export { toWireIssue } from './wire/paths.ts';
