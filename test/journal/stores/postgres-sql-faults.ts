/**
 * Why a statement would not run, or would not stay with one server, where the threads of a journal are spread over several
 * (Citus, CockroachDB, YugabyteDB). `spanning` is for the few that may look at all threads.
 */
export function faultsOf(sql: string, spanning = false): string[] {
  const text = sql.replace(/'(?:[^']|'')*'/g, "''").replace(/--.*$|\/\*.*?\*\//gms, ' ')
  const faults = forbidden.filter(([pattern]) => pattern.test(text)).map(([, fault]) => fault)
  const changed = changedTables(text)
  for (const table of new Set(changed))
    if (changed.indexOf(table) !== changed.lastIndexOf(table)) faults.push(`changes ${table} more than once`)
  if (/^\s*CREATE\b/.test(text)) return [...faults, ...definitionFaults(text)]
  if (!spanning) for (const query of queriesOf(text)) faults.push(...spanFaults(query))
  return faults
}

const forbidden: [RegExp, string][] = [
  [/\bpg_(try_)?advisory_/i, 'takes an advisory lock'],
  [/\b(UN)?LISTEN\b|\bNOTIFY\b|\bpg_notify\b/i, 'listens or notifies'],
  [/\bSKIP\s+LOCKED\b|\bNOWAIT\b/i, 'skips what is locked'],
  [/\bFOR\s+(NO\s+KEY\s+)?UPDATE\b|\bFOR\s+(KEY\s+)?SHARE\b|\bLOCK\s+TABLE\b/i, 'locks by itself'],
  [/\b(TEMP|TEMPORARY|UNLOGGED)\b/i, 'makes a table that does not last'],
  [/\b(FUNCTION|PROCEDURE|TRIGGER|RULE)\b|\bDO\s+\$/i, 'needs code in the server'],
  [
    /^\s*(BEGIN|START|COMMIT|END|ROLLBACK|SAVEPOINT|SET|RESET|PREPARE|EXECUTE|DEALLOCATE|DECLARE|FETCH)\b/i,
    'needs a session',
  ],
  [/\bset_config\b|\bcurrval\b|\blastval\b/i, 'needs a session'],
  [/\b(SMALL|BIG)?SERIAL\b|\bnextval\b|\bCREATE\s+SEQUENCE\b/i, 'counts across servers'],
  [/\b(clock_timestamp|random|timeofday|gen_random_uuid|uuid_generate_v4)\s*\(/i, 'calls a volatile function'],
  [/\b(ctid|xmin|xmax|tableoid)\b/i, 'looks at where a row is stored'],
  [/\bjsonb?\b/i, 'has a type that changes the bytes of JSON'],
  [/\bREFERENCES\b|\bFOREIGN\s+KEY\b/i, 'ties tables together'],
  [/\bMERGE\s+INTO\b|\bTRUNCATE\b/i, 'is not a plain change of rows'],
  [/\bLATERAL\b|\bWITH\s+RECURSIVE\b|\bTABLESAMPLE\b|\bGROUPING\s+SETS\b/i, 'asks more than a shard may be asked'],
  [/\bDO\s+UPDATE\b/i, 'changes a row where it meant to make one'],
]

const changedTables = (text: string): string[] =>
  [...text.matchAll(/\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(antiphon_\w+)/gi)].map(([, table]) => table)

/** Each table has the thread first in its key, so that it can be spread by it; but for names and for versions. */
function definitionFaults(text: string): string[] {
  const faults: string[] = []
  const free = /\bCREATE TABLE IF NOT EXISTS antiphon_(name|migration)\b/.test(text)
  if (!/\bIF NOT EXISTS\b/.test(text)) faults.push('cannot be run twice')
  if (/\bUNIQUE\b/i.test(text)) faults.push('has something unique beside the key')
  if (/\bIDENTITY\b/i.test(text) && !/\bantiphon_name\b/.test(text)) faults.push('counts across servers')
  const keyed = /\bthread bigint PRIMARY KEY\b|\bPRIMARY KEY \(thread\b/.test(text)
  if (/\bCREATE TABLE\b/.test(text) && !free && !keyed) faults.push('has a key that does not begin with the thread')
  return faults
}

/** The statement and the queries inside of it, each with the inner ones taken out. */
function queriesOf(text: string): string[] {
  const found: string[] = []
  const innermost = /\(([^()]*)\)/
  let rest = text
  for (let match = innermost.exec(rest); match; match = innermost.exec(rest)) {
    const isQuery = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(match[1])
    if (isQuery) found.push(match[1])
    rest = rest.replace(match[0], () => (isQuery ? '[query]' : `[${match[1]}]`))
  }
  return [...found, rest]
}

/** Whether a query says of every table of the journal which thread, or which name, it is about. */
function spanFaults(query: string): string[] {
  const made = query.match(/\bINSERT\s+INTO\s+antiphon_(\w+)\s*\[(\w+)/i)
  const faults = made ? insertFaults(query, made[1], made[2]) : []
  const [, table, alias] = query.match(/\b(?:FROM|UPDATE)\s+antiphon_(\w+)(?:\s+AS\s+(\w+))?/i) ?? []
  if (table && !isKeyed(query, table, alias))
    faults.push(`does not say first which ${keyOf(table)} of antiphon_${table} it is about`)
  for (const [, joined, name] of query.matchAll(/\bJOIN\s+antiphon_(\w+)(?:\s+AS\s+(\w+))?/gi))
    if (!new RegExp(`\\bON ${name ?? `antiphon_${joined}`}\\.thread = \\w+\\.thread\\b`).test(query))
      faults.push(`does not join antiphon_${joined} by the thread`)
  if ([...query.matchAll(/(?:,\s*|\bFROM\s+)antiphon_\w+/gi)].length > 1)
    faults.push('looks at several tables without a join')
  return faults
}

const keyOf = (table: string): string => (table === 'name' ? 'name' : 'thread')

function isKeyed(query: string, table: string, alias: string | undefined): boolean {
  if (table === 'migration') return true
  const column = alias === undefined ? keyOf(table) : `${alias}\\.${keyOf(table)}`
  return new RegExp(`\\bWHERE\\s+${column} = \\$1\\b`).test(query) && !/\bOR\b/i.test(query)
}

/** Rows are made for one thread: the one that is given, or the one that the statement has just changed. */
function insertFaults(query: string, table: string, column: string): string[] {
  if (table === 'migration') return []
  const key = keyOf(table)
  const given = /\bVALUES\s*\[\$1\b/i.test(query)
  const turned = /\bSELECT\s+thread\b[\s\S]*\bFROM\s+turned\b/i.test(query)
  return column === key && (given || turned) ? [] : [`does not say first which ${key} antiphon_${table} gets a row for`]
}
