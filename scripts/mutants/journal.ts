/**
 * Mutation tests of the journal: removes one guard at a time from a copy of the sources, and runs the tests that must fail
 * then. `npx node scripts/mutants.ts [sqlite|postgres]`. Exits with 1 if a mutant survives.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

export interface Mutant {
  /** The guard that is removed. */
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** The tests that must fail; the first failure is enough. */
  readonly tests: readonly string[]
}

type StoreName = 'sqlite' | 'postgres'

const root = dirname(import.meta.dirname)

const sqliteGuards: readonly Omit<Mutant, 'tests'>[] = [
  {
    name: 'the epoch check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND head = ? AND epoch = ?',
    replace: 'AND head = ? AND (epoch = ? OR true)',
  },
  {
    name: 'the head check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND head = ? AND epoch = ?',
    replace: 'AND (head = ? OR true) AND epoch = ?',
  },
  {
    name: 'the lease check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND leased_until <= coalesce(?, leased_until)',
    replace: 'AND (leased_until <= coalesce(?, leased_until) OR true)',
  },
  {
    name: 'the settled check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND call.started <= ?))',
    replace: 'AND call.started <= ?) OR true)',
  },
  {
    name: 'the check that no message is added while a call is open',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: '(call.step IS NOT ? OR call.idx IS NOT ?)))',
    replace: '(call.step IS NOT ? OR call.idx IS NOT ?)) OR true)',
  },
  {
    name: 'the check that no message is added while a call is only started',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: '...placed(settled),',
    replace: '...placed(started ?? settled),',
  },
  {
    name: 'the check of several calls',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'if (hasSeveralCalls && callRefusal(',
    replace: 'if (hasSeveralCalls === undefined && callRefusal(',
  },
  {
    name: 'the check that a call is started once',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'started ? 0 :',
    replace: 'started ? 1 :',
  },
  {
    name: 'the state check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND state = coalesce(?, state)\n',
    replace: 'AND (state = coalesce(?, state) OR true)\n',
  },
  {
    name: 'the epoch of a renewal',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND epoch = ? AND owner IS NOT NULL',
    replace: 'AND (epoch = ? OR true) AND owner IS NOT NULL',
  },
  {
    name: 'the commit before the answer',
    file: 'src/journal/stores/sqlite/group-commit.ts',
    find: 'for (const job of jobs) attempt(job)',
    replace: 'for (const job of jobs) void [attempt(job), job.refusal ?? job.resolve(job.answer)]',
  },
  {
    name: 'the check of input keys',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND input.key = ?)',
    replace: 'AND input.key = ? AND false)',
  },
  {
    name: 'the record that a call was started',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'for (const { step, index } of starts) statements.startCall.run(thread, step, index)',
    replace: '',
  },
]

const postgresGuards: readonly Omit<Mutant, 'tests'>[] = [
  {
    name: 'the epoch check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `if (epoch !== undefined) guards.push(`,
    replace: `if (epoch === -1) guards.push(`,
  },
  {
    name: 'the head check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `if (head !== undefined) guards.push(`,
    replace: `if (head === -1) guards.push(`,
  },
  {
    name: 'the lease check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (lease) guards.push(',
    replace: 'if (lease === null) guards.push(',
  },
  {
    name: 'the settled check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (calls.length > 0) guards.push(',
    replace: 'if (effects.starts.length > 0) guards.push(',
  },
  {
    name: 'the check that no message is added while a call is open',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (effects.requiresAllSettled) guards.push(',
    replace: 'if (effects.requiresAllSettled === null) guards.push(',
  },
  {
    name: 'the check that a call is started once',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `'AND NOT started'`,
    replace: `'AND true'`,
  },
  {
    name: 'the head of a write that names calls',
    file: 'src/journal/stores/postgres/store.ts',
    find: 'if (head !== undefined || calls.length === 0) return head',
    replace: 'if (calls.length >= 0) return head',
  },
  {
    name: 'the state check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (onlyIf) guards.push(',
    replace: 'if (onlyIf === null) guards.push(',
  },
  {
    name: 'the epoch of a renewal',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'AND epoch = $2::bigint AND owner',
    replace: 'AND $2::bigint IS NOT NULL AND owner',
  },
  {
    name: 'the search for a write whose answer was lost',
    file: 'src/journal/stores/postgres/store.ts',
    find: 'const landed = doubtful && (await',
    replace: 'const landed = doubtful && row === undefined && (await',
  },
  {
    name: 'the key of a write that has no other guard',
    file: 'src/journal/stores/postgres/prepare-write.ts',
    find: ': blind ? toInternalKey(token) : undefined',
    replace: ': undefined',
  },
  {
    name: 'the check of input keys',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (key !== undefined)\n    guards.push(',
    replace: 'if (key === null)\n    guards.push(',
  },
  {
    name: 'the record that a call was started',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'SET started = true',
    replace: 'SET started = started',
  },
]

/** Guards above the stores. */
const journalGuards: readonly Omit<Mutant, 'tests'>[] = [
  {
    name: 'the digest check',
    file: 'src/journal/thread.ts',
    find: 'if (before.digest === digest) return receipt',
    replace: 'return receipt',
  },
  {
    name: 'the start before the tool runs',
    file: 'src/journal/turn.ts',
    find: 'if (!(await this.start(call))) return',
    replace: 'if (call === undefined) return',
  },
]

export const mutants: Readonly<Record<StoreName, readonly Mutant[]>> = {
  sqlite: [
    ...sqliteGuards.map(guard => ({
      ...guard,
      tests: [
        'test/journal/stores/sqlite.test.ts',
        'test/journal/stores/sqlite-commit.test.ts',
        'test/kill/sqlite.test.ts',
      ],
    })),
    ...journalGuards.map(guard => ({ ...guard, tests: ['test/kill/sqlite.test.ts'] })),
  ],
  postgres: [
    ...postgresGuards.map(guard => ({
      ...guard,
      tests: [
        'test/journal/stores/postgres.test.ts',
        'test/journal/stores/postgres-broken.test.ts',
        'test/kill/postgres.test.ts',
      ],
    })),
    ...journalGuards.map(guard => ({ ...guard, tests: ['test/kill/postgres.test.ts'] })),
  ],
}

/** The text without the guard. Throws unless the guard occurs exactly once. */
export function mutate(text: string, { name, file, find, replace }: Mutant): string {
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`${file} has ${places} places for the mutant "${name}", expected one: ${find}`)
  return text.replace(find, () => replace)
}

if (import.meta.main) main(process.argv[2])

function main(wanted: string | undefined): void {
  const names = (Object.keys(mutants) as StoreName[]).filter(name => wanted === undefined || name === wanted)
  if (names.length === 0) throw new Error(`unknown store "${wanted}" (one of: sqlite, postgres)`)
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'antiphon-mutants-')))
  try {
    copyTo(copy)
    const survivors = names.flatMap(name => survivorsOf(copy, name))
    if (survivors.length > 0) console.error(`${survivors.length} mutants survived`)
    process.exitCode = survivors.length > 0 ? 1 : 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function copyTo(copy: string): void {
  const corpus = join(root, 'test', 'corpus')
  for (const name of ['src', 'test', 'docs'])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: path => path !== corpus })
  for (const name of ['package.json', 'tsconfig.json', 'vitest.config.ts']) cpSync(join(root, name), join(copy, name))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
}

function survivorsOf(copy: string, store: StoreName): Mutant[] {
  const tests = [...new Set(mutants[store].flatMap(({ tests }) => tests))]
  const failure = firstFailure(copy, tests)
  if (failure !== undefined) throw new Error(`the tests fail without any mutant: ${failure}`)
  return mutants[store].filter(mutant => {
    const file = join(copy, mutant.file)
    const source = readFileSync(file, 'utf8')
    writeFileSync(file, mutate(source, mutant))
    const failure = firstFailure(copy, mutant.tests)
    writeFileSync(file, source)
    console.log(`${failure === undefined ? 'SURVIVED' : 'killed  '} ${store}, without ${mutant.name}: ${failure ?? ''}`)
    return failure === undefined
  })
}

/** The first test that failed, file by file; undefined if none did. */
function firstFailure(copy: string, tests: readonly string[]): string | undefined {
  for (const test of tests) {
    const report = join(copy, 'report.json')
    rmSync(report, { force: true })
    const flags = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    const { stderr } = spawnSync(process.execPath, [vitest, 'run', test, ...flags], { cwd: copy, encoding: 'utf8' })
    const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    if (numTotalTests === 0) throw new Error(`${test} ran no tests:\n${stderr}`)
    const failed = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => ({ name, fullName })),
    )
    if (failed.length > 0) return `${relative(copy, failed[0].name)}: ${failed[0].fullName}`
  }
  return undefined
}

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
