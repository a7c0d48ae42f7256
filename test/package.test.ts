import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../src/doctor/sqlite.ts'
import { isBusy, sqliteFailure } from '../src/journal/stores/sqlite/failure.ts'
import { files, read } from './repository.ts'

interface Target {
  types: string
  default: string
  require: Record<string, string>
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

interface Manifest {
  main: string
  types: string
  exports: Record<string, string | Target>
  typesVersions: { '*': Record<string, string[]> }
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

const targets = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === 'string' ? [] : [{ subpath, ...target }],
)
const sourceOf = (types: string): string => types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts')

describe('exports', () => {
  test.each(targets)('[PK1] $subpath is built from the source of its types', ({ subpath, types, default: file }) => {
    expect(file).toBe(`./dist/${subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-')}.js`)
    expect(existsSync(sourceOf(types)), `${sourceOf(types)} does not exist`).toBe(true)
  })

  test.each(targets)('[PK6] $subpath can be required, with types', ({ subpath, types, default: file, require }) => {
    const [ownTypes, own] = [types.replace(/\.d\.ts$/, '.d.cts'), file.replace(/\.js$/, '.cjs')]
    // Where Node can require modules, there is one instance of each.
    expect(Object.entries(require)).toEqual(Object.entries({ types: ownTypes, 'module-sync': file, default: own }))
    if (subpath === '.') expect(manifest).toMatchObject({ main: own, types: ownTypes })
    else expect(manifest.typesVersions['*'][subpath.slice('./'.length)]).toEqual([ownTypes])
  })

  test('[PK7] what runs on Node 18 calls nothing that came later', () => {
    const sources = files('src/{core,codecs,heal,integrations/fetch,observe/tape}/**/*.ts')
    const later =
      /\.(toSorted|toReversed|toSpliced|toWellFormed)\(|AbortSignal\.any|\.withResolvers|(Object|Map)\.groupBy|fromAsync/
    expect(sources.length).toBeGreaterThan(300)
    expect(sources.filter(file => !/examples/.test(file) && later.test(read(file) ?? ''))).toEqual([])
  })

  test('[PK1] every adapter can be imported', () => {
    const adapters = globSync('src/integrations/**/index.ts').map(file => file.replaceAll('\\', '/'))
    const exported = targets.map(target => sourceOf(target.types))
    expect(adapters.filter(file => !exported.includes(file))).toEqual([])
  })
})

describe('peers', () => {
  const peers = Object.keys(manifest.peerDependencies)

  test('[PK2] every peer is optional', () => {
    expect(peers.filter(name => manifest.peerDependenciesMeta[name]?.optional !== true)).toEqual([])
  })

  test('[PK2] [PK8] every subpath imports without them and without SQLite, and what needs one says which', async () => {
    const subpaths = targets.map(target => sourceOf(target.types))
    const { names, errors } = await told(JSON.stringify({ peers, subpaths }))
    expect(subpaths.filter(file => !(names[file] > 0))).toEqual([])
    expect(errors).toEqual([
      {
        code: 'old-node',
        message: `a store in SQLite needs Node 22.18 or newer, this is ${process.versions.node}`,
        hint: 'update Node; or run a command with a newer one: npx -p node@24 -p antiphon antiphon ...',
      },
      missing('a journal in PostgreSQL', 'pg', 'pg'),
      missing('live over Redis', 'ioredis', 'ioredis'),
      missing('openCheckpointer', '@langchain/langgraph-checkpoint', '@langchain/langgraph-checkpoint @langchain/core'),
      missing('protobuf for AG-UI clients', '@ag-ui/encoder', '@ag-ui/encoder'),
    ])
  })

  test('[PK3] docs/dependencies.md names every dependency, and no other', () => {
    const page = readFileSync('docs/dependencies.md', 'utf8')
    const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual([...Object.keys(manifest.dependencies), ...peers].toSorted())
  })

  const missing = (who: string, name: string, packages: string) => ({
    code: 'missing-package',
    message: `${who} needs the package ${name}, which is not installed`,
    hint: `run: npm install ${packages}`,
  })

  async function told(about: string): Promise<{ names: Record<string, number>; errors: unknown[] }> {
    const child = fork(fileURLToPath(import.meta.resolve('./package-without-peers.ts')), [about], { execArgv: [] })
    const exit = once(child, 'exit').then(([code]) => expect.fail(`it ended with ${code}, and told nothing`))
    const [answer] = await Promise.race([once(child, 'message'), exit])
    return answer
  }
})

describe('errors of SQLite that have no number, as some have on Deno', () => {
  const unnumbered = (message: string) => Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR' })

  test.each([
    ['database is locked', 'journal-busy'],
    ['unable to open database file: /nowhere/chat.db', 'journal-unreachable'],
    ['file is not a database', 'journal-damaged'],
    ['database or disk is full', 'journal-full'],
    ['no such column: nothing', 'journal-failed'],
  ])('[PK4] "%s" is %s', (message, code) => {
    expect(sqliteFailure(unnumbered(message))).toMatchObject({ code, hint: expect.any(String) })
    expect(isBusy(unnumbered(message))).toBe(code === 'journal-busy')
  })

  test('[PK4] the doctor tells it in its words too', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'antiphon-package-')), 'other.db')
    new DatabaseSync(path).close()
    const database = openDatabase(path, [])
    const change = () =>
      database.change(() => {
        throw unnumbered('database or disk is full')
      })
    expect(change).toThrow(`${path}: there is no space left`)
    database.close()
    rmSync(dirname(path), { recursive: true })
  })

  test('[PK4] an error of another library is returned as it is', () => {
    const error = new Error('database is locked')
    expect(sqliteFailure(error)).toBe(error)
  })
})
