import type { DatabaseSync } from 'node:sqlite'

/** A row of the schema of a database; names are in lower case. */
export interface SchemaEntry {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

export const schemaEntries = (database: DatabaseSync): SchemaEntry[] =>
  database
    .prepare(
      `select cast(type as text) as type, cast(lower(name) as text) as name, cast(lower(tbl_name) as text) as tbl_name,
         cast(coalesce(sql, '') as text) as sql from sqlite_schema`,
    )
    .all() as unknown as SchemaEntry[]

/**
 * Whether a trigger does a bounded amount of work for each row, whatever the database contains. Each of its statements
 * - adds one row of values to a full-text index, or removes the index row of the changed row, or
 * - changes the row that was just inserted, for which it may look up one value in its table.
 * So no trigger runs because of another one, except those for the change of a row that was inserted.
 */
export function isBoundedTrigger({ tbl_name: table, sql }: SchemaEntry, schema: readonly SchemaEntry[]): boolean {
  const tokens = tokensOf(sql)
  const begin = tokens.indexOf('begin')
  if (tokens.length > tokensMax || begin < 0 || tokens.at(-1) !== 'end' || callIn(sql) !== undefined) return false
  const head = tokens.slice(0, begin)
  if (head.some(token => looksUp.has(token))) return false
  const isInsert = tokens[tokens.indexOf('after') + 1] === 'insert'
  const statements = splitAt(tokens.slice(begin + 1, -1), ';').filter(statement => statement.length > 0)
  const isIndex = (name: string | undefined): boolean =>
    name !== undefined && isPlainIndex(unquoted(name).toLowerCase(), schema)
  return statements.every(statement => {
    const [verb, second, third] = statement
    if (verb === 'insert' && second === 'into') return isIndex(third) && isRowOfValues(statement)
    if (verb === 'delete' && second === 'from')
      return isIndex(third) && isForRow(statement.slice(3), ['rowid'], ['old', 'new'])
    return verb === 'update' && isInsert && second === table && isOwnRow(statement, table)
  })
}

/** Whether a trigger does not run if only these columns of its table are changed. */
export function ignoresChangesOf({ sql }: SchemaEntry, columns: readonly string[] | undefined): boolean {
  if (!columns) return false
  const tokens = tokensOf(sql)
  const [event, of] = tokens.slice(tokens.findIndex(token => timings.has(token)) + 1)
  if (event === 'insert' || event === 'delete') return true
  if (columns.length === 0) return event === 'update'
  if (event !== 'update' || of !== 'of') return false
  const named = tokens.slice(tokens.indexOf('of') + 1, tokens.indexOf('on')).map(token => unquoted(token).toLowerCase())
  return !columns.some(column => named.includes(column))
}

const timings = new Set(['before', 'after', 'of'])

const tokensMax = 2_000
const looksUp = new Set(['select', 'from', 'exists'])

/** `insert into t (…) values (…)`. A column with the name of the FTS5 table holds a command: only `'delete'` is accepted. */
function isRowOfValues(statement: readonly string[]): boolean {
  const name = unquoted(statement[2] ?? '').toLowerCase()
  const [columns, from] = listAt(statement, 3)
  if (!columns || statement[from] !== 'values') return false
  const [values, end] = listAt(statement, from + 1)
  if (!values || end !== statement.length || values.some(value => value.some(token => looksUp.has(token)))) return false
  const command = columns.findIndex(([column = '']) => unquoted(column).toLowerCase() === name)
  return command < 0 || (values[command]?.length === 1 && values[command]?.[0] === "'delete'")
}

/** `where rowid = old.id` */
const isForRow = (tokens: readonly string[], keys: readonly string[], rows: readonly string[]): boolean =>
  tokens.length === 6 &&
  tokens[0] === 'where' &&
  keys.includes(unquoted(tokens[1] ?? '')) &&
  tokens[2] === '=' &&
  rows.includes(tokens[3] ?? '') &&
  tokens[4] === '.'

/** `update t set … where id = new.id`, with one value from the same table at most. */
function isOwnRow(statement: readonly string[], table: string): boolean {
  const tail = statement.slice(-6)
  if (!isForRow(tail, ['id', 'rowid'], ['new']) || !['id', 'rowid'].includes(tail[5] ?? '')) return false
  const rest = statement.slice(2, -6)
  const selects = rest.filter(token => token === 'select').length
  const from = rest.indexOf('from')
  if (rest[0] !== 'set' || selects > 1 || rest.includes('exists')) return false
  if (selects === 0) return from < 0
  return (
    rest.lastIndexOf('from') === from &&
    rest[from + 1] === table &&
    rest[from + 2] === 'where' &&
    !rest.some(token => joins.has(token))
  )
}

const joins = new Set(['with', 'join', 'union', 'intersect', 'except'])

/**
 * Whether this is a full-text index that keeps its texts itself, or takes them from a table or from a view of one table,
 * and whose tables have no trigger.
 */
function isPlainIndex(name: string, schema: readonly SchemaEntry[]): boolean {
  const index = schema.find(one => one.name === name)
  if (index?.type !== 'table' || !fullText.test(index.sql)) return false
  const tables = new Set([name, ...['data', 'idx', 'content', 'docsize', 'config'].map(part => `${name}_${part}`)])
  if (schema.some(one => one.type === 'trigger' && tables.has(one.tbl_name))) return false
  const tokens = tokensOf(index.sql)
  // The names of options can be abbreviated.
  const contents = tokens.flatMap((token, at) =>
    'content'.startsWith(token) && tokens[at + 1] === '=' ? [unquoted(tokens[at + 2] ?? '').toLowerCase()] : [],
  )
  return contents.every(content => content === '' || isPlainSource(content, schema))
}

export const fullText = /^\s*create\s+virtual\s+table\s+["`[]?\w+["`\]]?\s+using\s+fts5\b/i

/**
 * The first thing in a schema statement that can take long, or produce much from little. Quoted text does not count.
 */
export function callIn(sql: string): string | undefined {
  const bare = sql.replace(
    /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)/g,
    found => (/^["`[]/.test(found) ? found : ' '),
  )
  return /\b(?:like|glob)\b(?=\W)/i.exec(bare)?.[0] ?? heavyCall.exec(bare)?.[1]
}

const heavyCall =
  /\b(hex|unhex|zeroblob|randomblob|printf|format|replace|concat|concat_ws|group_concat|string_agg|quote|unistr\w*|instr|l?r?trim|json_(?!valid)\w*|jsonb\w*|regexp|rtree\w*|fts\w*|load_extension)["`\]]?\s*\(/i

function isPlainSource(name: string, schema: readonly SchemaEntry[]): boolean {
  const source = schema.find(one => one.name === name && (one.type === 'table' || one.type === 'view'))
  if (!source) return false
  if (source.type === 'table') return !/^\s*create\s+virtual\b/i.test(source.sql)
  const tokens = tokensOf(source.sql)
  const from = tokens.indexOf('from')
  return (
    callIn(source.sql) === undefined &&
    tokens.filter(token => token === 'select').length === 1 &&
    tokens.lastIndexOf('from') === from &&
    !tokens.some(token => joins.has(token)) &&
    from + 2 >= tokens.length - 1 &&
    schema.some(one => one.type === 'table' && one.name === unquoted(tokens[from + 1] ?? '').toLowerCase())
  )
}

/** The words of a statement in lower case, without comments. Quoted ones keep their quotes and their case. */
function tokensOf(sql: string): string[] {
  const found = sql.match(
    /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|\S/g,
  )
  return (found ?? []).flatMap(token =>
    token.startsWith('--') || token.startsWith('/*') ? [] : [/^['"`[]/.test(token) ? token : token.toLowerCase()],
  )
}

const unquoted = (token: string): string => (/^['"`[]/.test(token) ? token.slice(1, -1) : token)

/** The elements of a list in brackets, and the place after it. */
function listAt(tokens: readonly string[], start: number): [(readonly string[])[] | undefined, number] {
  if (tokens[start] !== '(') return [undefined, start]
  let depth = 0
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++
    if (tokens[at] === ')' && --depth === 0) return [splitAt(tokens.slice(start + 1, at), ','), at + 1]
  }
  return [undefined, start]
}

/** The tokens between separators that are not in brackets. */
function splitAt(tokens: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === separator && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
