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
export { openApiDocument } from './openapi.ts';
export { COMMON_REFUSALS, type Operation } from './operation.ts';
export { operations } from './operations.ts';
export type { BodyCaps } from './read-input.ts';
export { type BodyForm, isSentForm, type SentFile, type SentForm } from './sent-form.ts';
export { isKnownTag } from './tags.ts';
export { GLOSSARY, glossaryFor, invoicePrompt, promptsFor } from './tools/context.ts';
export { type ToolResult, toToolResult } from './tools/result.ts';
export { instructionsFor } from './tools/texts.ts';
export { operationFor, type Tool, toolsFor } from './tools/tools.ts';
export { subscription } from './wire/account.ts';
export { curve } from './wire/curve.ts';
export { invoiceReading } from './wire/invoice.ts';
export { type NegotiatedCustomer, negotiation } from './wire/negotiation.ts';
export { fromWireOffers, type OfferFile } from './wire/offer-file.ts';
export { EXPORT_COLUMNS } from './wire/offer-table.ts';
export { toWireIssue } from './wire/paths.ts';
export { fromWireCustomer, portfolioAnswer, portfolioRefusal } from './wire/portfolio.ts';
export { fromWirePower, powerAdvice, regulatedPrices } from './wire/power.ts';
export { PROPOSAL_FORMS, verification } from './wire/proposal.ts';
export { PROPOSAL_STYLE_HASH } from './wire/proposal-page.ts';
export { toWireRanking } from './wire/ranking.ts';
export { fromWireEfficient, MAX_TOP } from './wire/ranking-question.ts';
export { REASONS_ASKED } from './wire/reasons.ts';
export { fromWireRows } from './wire/regulated-rows.ts';
export { taxTable } from './wire/taxes.ts';
export { webhookBody } from './wire/webhook.ts';
