import { parseSync } from 'libpg-query';
import { OWNER_COLUMNS } from './tables.ts';

/** A node of the parser of PostgreSQL, which names the kind of a node by its only key. */
type Node = Readonly<Record<string, unknown>>;

/** A table or query that a statement reads from or writes to, by the name that it has there. */
interface Relation {
  readonly name: string;
  readonly table: string;
  /** `null`: of no owner, as a list of values or a table of the installation. */
  readonly ownerColumn: string | null;
  /** Whether the statement says whose rows it means. */
  isOfOwner: boolean;
}

interface Scope {
  readonly relations: readonly Relation[];
  readonly outer: Scope | null;
  /** Names of queries of `with`. */
  readonly queries: ReadonlySet<string>;
}

const NOTHING: Scope = { relations: [], outer: null, queries: new Set() };

/** Functions that answer for one node alone, or that nobody else has. */
const OF_ONE_NODE = /^(pg_(try_)?advisory|pg_current_xact|pg_xact_|txid_|pg_current_snapshot|pg_stat_get_)/;

/** Tables whose rows stay as they are: only SQLite refuses by itself to change them. */
const APPEND_ONLY = /^(offer_versions|tier_lists|catalog_audit)$/;

/** Changes of rows that the walk below does not read. */
const UNREAD = /^(MergeStmt|TruncateStmt|CopyStmt)$/;

/** What a distributed engine would refuse in a text of statements, or answer wrongly. @throws where it is no SQL. */
export function violationsIn(sql: string): readonly string[] {
  const found = new Set<string>();
  const { stmts = [] } = parseSync(sql);
  for (const { stmt } of stmts) {
    const [kind = ''] = Object.keys(stmt as Node);
    if (UNREAD.test(kind)) found.add(`statement ${kind}`);
    walk(stmt as Node, NOTHING, found);
    for (const { funcname } of nodesIn<{ funcname: readonly Node[] }>(stmt, 'FuncCall')) {
      const name = textOf(funcname.at(-1));
      if (OF_ONE_NODE.test(name)) found.add(`function ${name}`);
    }
  }
  return [...found];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as readonly Node[]) : []);
const textOf = (node: unknown) => String((isNode(node) && isNode(node.String) && node.String.sval) || '');

/** All nodes of a kind below a node. */
function nodesIn<T>(node: unknown, kind: string): readonly T[] {
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === kind ? [value as T] : []),
    ...nodesIn<T>(value, kind),
  ]);
}

/** Walks whatever is below a node: statements have a scope of their own. */
function walk(node: unknown, scope: Scope, found: Set<string>): void {
  if (!isNode(node)) return;
  if (Array.isArray(node)) for (const each of node) walk(each, scope, found);
  else {
    for (const [kind, value] of Object.entries(node)) {
      if (kind === 'SelectStmt') walkSelect(value as Node, scope, found);
      else if (kind === 'InsertStmt') walkInsert(value as Node, scope, found);
      else if (kind === 'UpdateStmt' || kind === 'DeleteStmt') walkChange(kind, value as Node, scope, found);
      else walk(value, scope, found);
    }
  }
}

/** The scope with the queries of a `with`, which are walked. */
function withQueries({ withClause }: Node, scope: Scope, found: Set<string>): Scope {
  const queries = new Set(scope.queries);
  for (const each of listOf((withClause as Node | undefined)?.ctes)) {
    const { ctename, ctequery } = each.CommonTableExpr as { ctename: string; ctequery: Node };
    walk(ctequery, { ...scope, queries: new Set(queries) }, found);
    queries.add(ctename);
  }
  return { ...scope, queries };
}

function walkSelect(select: Node, outer: Scope, found: Set<string>): void {
  const scope = withQueries(select, outer, found);
  for (const side of [select.larg, select.rarg]) if (side) walkSelect(side as Node, scope, found);
  const from = listOf(select.fromClause);
  const level = levelOf(from, [select.whereClause], scope);
  report('select', level, found);
  const { withClause: _with, larg: _larg, rarg: _rarg, ...rest } = select;
  walk(rest, level, found);
}

function walkChange(kind: string, change: Node, outer: Scope, found: Set<string>): void {
  const scope = withQueries(change, outer, found);
  const from = [{ RangeVar: change.relation }, ...listOf(change.fromClause), ...listOf(change.usingClause)];
  const level = levelOf(from, [change.whereClause], scope);
  const table = String((change.relation as Node).relname);
  if (APPEND_ONLY.test(table)) found.add(`change of ${table}`);
  report(kind.slice(0, 6).toLowerCase(), level, found);
  const { withClause: _with, ...rest } = change;
  walk(rest, level, found);
}

function walkInsert(insert: Node, outer: Scope, found: Set<string>): void {
  const scope = withQueries(insert, outer, found);
  const [relation] = relationsIn({ RangeVar: insert.relation }, scope);
  const { table = '', ownerColumn = null } = relation ?? {};
  const names = listOf(insert.cols).map(({ ResTarget }) => (ResTarget as Node).name);
  if (ownerColumn !== null && !names.includes(ownerColumn)) found.add(`insert into ${table} without its owner`);
  const conflict = insert.onConflictClause as Node | undefined;
  const keys = nodesIn<Node>(conflict?.infer, 'IndexElem').map(({ name }) => name);
  if (ownerColumn !== null && keys.length > 0 && !keys.includes(ownerColumn)) {
    found.add(`conflict of ${table} without its owner`);
  }
  if (conflict?.action === 'ONCONFLICT_UPDATE' && APPEND_ONLY.test(table)) found.add(`change of ${table}`);
  const { withClause: _with, ...rest } = insert;
  walk(rest, { ...scope, relations: relation ? [{ ...relation, isOfOwner: true }] : [], outer: scope }, found);
}

function report(verb: string, { relations }: Scope, found: Set<string>): void {
  const tables = relations.flatMap(({ table, ownerColumn }) => (ownerColumn === null ? [] : [table]));
  for (const { table, ownerColumn, isOfOwner } of relations) {
    if (ownerColumn !== null && !isOfOwner) found.add(`${verb} of ${tables.sort().join(', ')}: whose ${table}?`);
  }
}

const KEPT_SIDES: Readonly<Record<string, readonly ('larg' | 'rarg')[]>> = {
  JOIN_LEFT: ['larg'],
  JOIN_RIGHT: ['rarg'],
  JOIN_FULL: ['larg', 'rarg'],
};

/** The relations of one statement, each with whether its conditions say whose rows are meant. */
function levelOf(from: readonly Node[], where: readonly unknown[], outer: Scope): Scope {
  const relations = from.flatMap((node) => relationsIn(node, outer));
  // The condition of an outer join leaves no row out of the side that is kept.
  const joined = from
    .flatMap((node) => nodesOutside(node, 'JoinExpr'))
    .flatMap((join) => {
      const kept = KEPT_SIDES[String(join.jointype)]?.flatMap((side) => relationsIn(join[side] as Node, outer)) ?? [];
      return equalitiesIn(join.quals).map((sides) => ({ sides, kept: kept.map(({ name }) => name) }));
    });
  const equalities = [
    ...where.flatMap(equalitiesIn).map((sides) => ({ sides, kept: [] as readonly string[] })),
    ...joined,
  ];
  const level: Scope = { relations, outer, queries: outer.queries };
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const {
      sides: [a, b],
      kept,
    } of equalities) {
      for (const [side, other] of [
        [a, b],
        [b, a],
      ]) {
        const relation = relations.find((one) => !one.isOfOwner && isOwnerOf(side, one, level));
        if (!relation || kept.includes(relation.name) || !saysWhose(other, level)) continue;
        relation.isOfOwner = true;
        isMore = true;
      }
    }
  }
  return level;
}

/** Nodes of a kind, but for those of statements below. */
function nodesOutside(node: unknown, kind: string): readonly Node[] {
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'RangeSubselect' || key === 'SubLink') return [];
    return [...(key === kind ? [value as Node] : []), ...nodesOutside(value, kind)];
  });
}

function relationsIn(node: Node, { queries }: Scope): readonly Relation[] {
  const [kind = '', value] = Object.entries(node)[0] ?? [];
  const { alias, relname, larg, rarg } = value as Readonly<Record<string, Node>>;
  if (kind === 'JoinExpr') return [larg, rarg].flatMap((side) => relationsIn(side as Node, { ...NOTHING, queries }));
  const table = String(relname ?? '');
  const ownerColumn = (kind === 'RangeVar' && !queries.has(table) && OWNER_COLUMNS.get(table)) || null;
  return [{ name: String(alias?.aliasname ?? table), table, ownerColumn, isOfOwner: false }];
}

/** Both sides of each equality that holds for all rows. */
function equalitiesIn(condition: unknown): readonly (readonly [unknown, unknown])[] {
  if (!isNode(condition)) return [];
  const { BoolExpr, A_Expr } = condition as Readonly<Record<string, Node | undefined>>;
  if (BoolExpr?.boolop === 'AND_EXPR') return listOf(BoolExpr.args).flatMap(equalitiesIn);
  if (A_Expr?.kind !== 'AEXPR_OP' || textOf(listOf(A_Expr.name)[0]) !== '=') return [];
  return [[A_Expr.lexpr, A_Expr.rexpr]];
}

/** The names of a reference to a column: its relation, if it is named, and itself. */
function columnIn(side: unknown): readonly [relation: string | null, column: string] | null {
  if (!isNode(side) || !isNode(side.ColumnRef)) return null;
  const names = listOf(side.ColumnRef.fields).map(textOf);
  return [names.length > 1 ? (names.at(-2) ?? '') : null, names.at(-1) ?? ''];
}

function relationOf(side: unknown, scope: Scope | null): Relation | null {
  const column = columnIn(side);
  if (column === null || scope === null) return null;
  const [name, own] = column;
  const fits = (one: Relation) => (name === null ? one.ownerColumn === own : one.name === name);
  return scope.relations.find(fits) ?? relationOf(side, scope.outer);
}

function isOwnerOf(side: unknown, relation: Relation, scope: Scope): boolean {
  return columnIn(side)?.[1] === relation.ownerColumn && relationOf(side, scope) === relation;
}

/** Whether a value is an owner: given, taken from a list of values, or that of rows whose owner is said. */
function saysWhose(side: unknown, scope: Scope): boolean {
  if (columnIn(side) === null) return nodesIn(side, 'ColumnRef').length === 0;
  const relation = relationOf(side, scope);
  if (relation === null) return false;
  const isGiven = relation.table === '' || scope.queries.has(relation.table);
  return isGiven || (relation.ownerColumn === columnIn(side)?.[1] && relation.isOfOwner);
}
