import assert from 'node:assert';
import { openApiDocument } from '@tarifario/api';
import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { closed, common, type ObjectSchema, objectAt, withSharedParts } from './shared-parts.ts';

/** The parts of the document that become types. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
}
type Content = Readonly<Record<string, { readonly schema: object }>>;
interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument()));
const rows: readonly Row[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const BINARY = { type: 'string', format: 'binary' };

/** One schema, or that of any of them. */
function anyOf(schemas: readonly object[]): object {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? Object(distinct[0]) : { anyOf: distinct };
}

/** What a method takes: the parameters by their names, and the body beside them. */
function argumentsOf({ parameters = [], requestBody }: DocumentedOperation): object {
  const own = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  const fields = own.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]);
  const body = requestBody && { body: anyOf(Object.values(requestBody.content).map(({ schema }) => schema)) };
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  assert(!own.some(({ name }) => name === 'body'));
  return closed({ ...Object.fromEntries(fields), ...body }, [...required, ...(body ? ['body'] : [])]);
}

/** What a method answers: a workbook as bytes. */
function answerOf({ responses }: DocumentedOperation): object {
  const contents = Object.entries(responses).filter(([status]) => status < '300');
  const schemas = contents.map(([, { content = {} }]) => {
    const [[type, { schema }] = ['', { schema: { not: {} } }]] = Object.entries(content);
    return /^$|json|^text/.test(type) ? schema : { ...BINARY, format: 'bytes' };
  });
  return anyOf(schemas);
}

const typeOf = (text: string) => ts.factory.createTypeReferenceNode(text);

/** Parts that several schemas have alike, so that each is one type: what two of the schemas have in common. */
function sharedParts(of: (...path: readonly string[]) => ObjectSchema): Readonly<Record<string, ObjectSchema>> {
  return {
    ForFirm: of('Operations', 'getStats', 'args'),
    RecordChoice: of('Operations', 'getOffer', 'args'),
    MonthChoice: of('Operations', 'getIndexedPrice', 'args'),
    CatalogCompanyChoice: of('Operations', 'subscribeToCatalogCompany', 'args'),
    PageQuery: common(of('Operations', 'listUsage', 'args'), of('Operations', 'listIndexedPrices', 'args')),
    IdPageQuery: common(of('Operations', 'listUploads', 'args'), of('Operations', 'listProposals', 'args')),
    ListQuery: of('Operations', 'listClients', 'args'),
    OfferFilter: common(of('Operations', 'exportOffers', 'args'), of('Operations', 'recommendOffers', 'args')),
    OfferQuery: common(of('Operations', 'listOffers', 'args'), of('Operations', 'exportOffers', 'args')),
    UsageQuery: of('Operations', 'getUsageSummary', 'args'),
    NewCatalogCompany: of('Operations', 'createCatalogCompany', 'args', 'body'),
    CompanyChanges: of('Operations', 'updateCompany', 'args', 'body'),
    TemplateQuery: of('Operations', 'bulkTemplateOffers', 'args'),
    SentWorkbook: of('Operations', 'bulkUpdateOffers', 'args'),
    Page: common(of('Operations', 'listClients', 'answer'), of('Operations', 'listUploads', 'answer')),
    OfferCompany: of('ElectricityOffer', 'company'),
    ConsumptionTier: of('ElectricityOffer', 'commission_tiers'),
    PowerTier: of('ElectricityOffer', 'commission_power_tiers'),
    ElectricityPrices: common(of('ElectricityOffer'), of('ElectricityMonth')),
    GasPrices: common(of('GasOffer'), of('GasMonth')),
    OfferFields: common(of('ElectricityOffer'), of('GasOffer')),
    ElectricityOffer: of('ElectricityOffer'),
    GasOffer: of('GasOffer'),
    RankedOfferFields: common(of('RankedElectricityOffer'), of('RankedGasOffer')),
    NewConsumptionTier: of('NewOffer', 'commission_tiers'),
    NewPowerTier: of('NewOffer', 'commission_power_tiers'),
    NewPrices: common(of('NewMonth'), of('NewOffer')),
    NewOfferFields: common(of('NewOffer'), of('OfferUpdates')),
    OfferUpdates: of('OfferUpdates'),
    Energy: of('RankingQuestion', 'energia'),
    Question: common(of('RankingQuestion'), of('PortfolioCustomer')),
    RankingQuestion: of('RankingQuestion'),
    CurveEnergy: of('Curve', 'energia'),
    Warning: of('Ranking', 'avisos'),
    NamedOffer: common(of('Ranking', 'excluded'), of('PortfolioAnswer', 'best')),
    ExtraOfYear: of('Ranking', 'conflicto', 'mas_eficiente'),
    RankingSummary: common(of('Ranking'), of('PortfolioAnswer')),
    PresentCost: of('Ranking', 'actual'),
    CommissionFigures: of('RankingResult', 'commission'),
    ExpectedCommission: common(of('Recommendation'), of('CommissionCalculation')),
    FileCounts: common(of('BulkReport'), of('Upload', 'result')),
    RowError: of('Upload', 'error', 'errors'),
    RecordCount: of('Stats', 'clients'),
    SupplyCount: of('Stats', 'offers', 'by_supply', 'LUZ'),
    Figures: common(of('RankingResult'), of('PortfolioAnswer', 'best')),
    ProposalEntry: of('ProposalEntry'),
  };
}

/** The types of the document: its schemas, and what each operation takes and answers. */
async function generatedTypes(): Promise<string> {
  const calls = rows.map(({ operation }) => [
    operation.operationId,
    {
      ...closed({ args: argumentsOf(operation), answer: answerOf(operation) }, ['args', 'answer']),
      description: operation.summary,
    },
  ]);
  // A type called `Error` would stand in the way of that of the language.
  const { Error: Refusal, ...others } = document.components.schemas;
  const ids = rows.map(({ operation }) => operation.operationId);
  const all = { ...others, Refusal, Operations: closed(Object.fromEntries(calls), ids) };
  const plain = JSON.parse(JSON.stringify(all), (name, value) => {
    // Examples take more lines than they help.
    if (name === 'example') return undefined;
    // The types of a union differ by themselves.
    if (value?.discriminator) return { ...value, discriminator: undefined };
    // Several patterns of one text are no types.
    return value?.type === 'string' ? { ...value, anyOf: undefined } : value;
  });
  const parts = sharedParts((...path) => objectAt(plain, path));
  const nodes = await openapiTS(
    {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: {},
      components: { schemas: Object(withSharedParts(plain, parts)) },
    },
    {
      defaultNonNullable: false,
      transform: ({ format, not }: SchemaObject & { readonly not?: unknown }) => {
        if (format === 'binary') return typeOf('Blob');
        if (format === 'bytes') return typeOf('Uint8Array<ArrayBuffer>');
        return not ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword) : undefined;
      },
    },
  );
  const components = nodes.filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components');
  return `${HELPERS}${inShort(oneTypeEach(plainNotes(astToString(components))))}`;
}

const HELPERS = `export type Operation<Args, Answer> = { args: Args; answer: Answer };
/** Takes \`fields\`. */
export type Reducible<Args, Answer> = Operation<Args, Answer> & { takesFields: true };
export type PageOf<Result> = Page & { results: Result[] };
`;

const refersTo = ({ parameters = [] }: DocumentedOperation, name: string) =>
  parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith(`/${name}`));

const reducible = new Set(
  rows.flatMap(({ operation }) => (refersTo(operation, 'Fields') ? [operation.operationId] : [])),
);

/** Operations and pages by their names, and an object of one member without a note on one line. */
function inShort(text: string): string {
  return text
    .replaceAll(/Page & \{\n *results: (.*)\[\];\n *\}/g, 'PageOf<$1>')
    .replaceAll(/^ {2}(\w+): \{\n {4}args: (.*?);\n {4}answer: (.*?);\n {2}\};$/gms, (_, name, args, answer) =>
      `  ${name}: ${reducible.has(name) ? 'Reducible' : 'Operation'}<${args}, ${answer}>;`.replaceAll(
        /^ {2}(?= {2})/gm,
        '',
      ),
    )
    .replaceAll(/\{\n *([^\n{}*]+);\n *\}/g, '{ $1 }');
}

/** Each schema as a type of its own, in place of a member of `components`. */
function oneTypeEach(text: string): string {
  const [, schemas = ''] = /^ {2}schemas: \{\n(.*?)^ {2}\};$/ms.exec(text) ?? [];
  return schemas
    .replaceAll(/^ {4}/gm, '')
    .replaceAll(/^(\w+): /gm, 'export type $1 = ')
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
}

/** Less indentation, and notes that say no more than the type does not. */
function plainNotes(text: string): string {
  return text
    .replaceAll('    ', '  ')
    .replaceAll(/^ *\* (?:@enum|@constant|Format:).*\n/gm, '')
    .replaceAll(/^( *\* .*)\n *\* @default (.*)$/gm, '$1 Default: `$2`.')
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */')
    .replaceAll(/^ *\/\*\*\n *\*\/\n|^ *\/\*\* (?:@enum|Format:) .*\n/gm, '')
    .replaceAll('@description ', '');
}

/** What a client has to know of each operation beside its types. */
function generatedTable(): string {
  const lines = rows.map(({ method, path, operation }) => {
    const { operationId, parameters = [] } = operation;
    const takes = (name: string) => parameters.some((parameter) => 'name' in parameter && parameter.name === name);
    const isReplayable = refersTo(operation, 'IdempotencyKey');
    const answers = Object.entries(operation.responses).filter(([status]) => status < '300');
    const types = new Set(answers.flatMap(([, { content }]) => (content ? Object.keys(content) : [''])));
    assert.equal(types.size, 1);
    const [type] = types;
    // What is made has another id each time.
    const isOnce = !isReplayable && method === 'POST' && '201' in operation.responses;
    const facts = {
      method,
      path,
      ...(type !== 'application/json' && { type }),
      ...(isReplayable && { isReplayable }),
      ...(isOnce && { isOnce }),
      ...(takes('offset') && { list: takes('after_id') ? 'after_id' : 'offset' }),
    };
    return `  ${operationId}: ${JSON.stringify(facts)},\n`;
  });
  return `export const OPERATIONS = {\n${lines.join('')}} as const;\n`;
}

/** The file `src/generated.ts`: it must not be edited. */
export async function generatedText(): Promise<string> {
  const note = '// Generated from the OpenAPI document by `npm run build`';
  return [note, generatedTable(), await generatedTypes()].join('\n');
}
