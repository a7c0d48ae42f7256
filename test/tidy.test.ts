import { isBuiltin } from 'node:module'
import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circle, exists, files, imports, load, names, read, ruleFile, specifiers, strings } from './repository.ts'

const sources = files('src/**/*.{ts,tsx}')

describe('layers', () => {
  test('every file is in a room, and every room has a layer', () => {
    const homeless = sources.filter(file => !Object.hasOwn(rooms, roomOf(file)))
    expectNone(
      homeless.map(file => `${file}: move it to a room, or give ${roomOf(file)}/ a layer in test/tidy.test.ts`),
    )
  })

  test('an import stays in its room, or goes to a lower one', () => {
    const climbing = allImports().filter(({ from, to }) => !mayImport(roomOf(from), roomOf(to)))
    expectNone(climbing.map(({ from, to }) => `${from} may not import ${to}: its room is not lower`))
  })

  test.each(Object.entries(order))(
    'src/%s: every file has a layer, and imports its own or a lower one',
    (room, layers) => {
      const layerOf = (file: string): number =>
        layers.findIndex(names =>
          names.some(name => (name.endsWith('/') ? file.startsWith(name) : file === `${name}.ts`)),
        )
      const inside = (file: string): string => file.slice(`src/${room}/`.length)
      const own = sources.filter(file => roomOf(file) === room)
      expectNone(
        own.filter(file => layerOf(inside(file)) < 0).map(file => `${file}: give it a layer in test/tidy.test.ts`),
      )
      const climbing = own
        .flatMap(imports)
        .filter(({ to }) => roomOf(to) === room)
        .filter(({ from, to }) => layerOf(inside(from)) < layerOf(inside(to)))
      expectNone(climbing.map(({ from, to }) => `${from} may not import ${to}: it is in a higher layer`))
    },
  )

  test('no folder holds more than a reader can survey', () => {
    const counts = new Map<string, number>()
    for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    const full = [...counts].filter(([, count]) => count > filesMax)
    expectNone(
      full.map(([folder, count]) => `${folder}/ has ${count} files, more than ${filesMax}: divide it by subject`),
    )
  })

  test('a codec imports no other codec', () => {
    const sideways = allImports().filter(({ from, to }) => {
      const [one, other] = [codecOf(from), codecOf(to)]
      return one !== undefined && other !== undefined && one !== other
    })
    expectNone(
      sideways.map(({ from, to }) => `${from} may not import ${to}: move what they share to src/codecs/shared/`),
    )
  })

  test('there are no import circles', () => {
    const graph = new Map(sources.map(file => [file, imports(file).map(({ to }) => to)]))
    expect(circle(graph)?.join(' -> '), 'move what the files of this circle share to a file of its own').toBeUndefined()
  })
})

describe('purity', () => {
  const pure = sources.filter(file => ['core', 'codecs'].includes(roomOf(file)))

  test('core depends on nothing, and codecs on nothing of Node', () => {
    const foreign = pure.flatMap(file =>
      specifiers(file)
        .filter(specifier => !specifier.startsWith('.') && (roomOf(file) === 'core' || isBuiltin(specifier)))
        .map(specifier => `${file} may not import ${specifier}: it runs anywhere, on nothing`),
    )
    expectNone(foreign)
  })

  test('core and codecs use nothing of Node, no clock and no randomness', () => {
    const impure = pure.flatMap(file => {
      const used = names(file)
      return hostNames.filter(name => used.has(name)).map(name => `${file} uses ${name}: let the caller pass it in`)
    })
    expectNone(impure)
  })

  test('a rule knows no provider', () => {
    const named = files('src/core/rules/*/*.ts')
      .filter(file => !file.endsWith('.examples.ts'))
      .flatMap(file => {
        const provider = read(file)?.match(providers)?.[0]
        return provider === undefined ? [] : [`${file} says "${provider}": make it a fact of the dialect`]
      })
    expectNone(named)
  })
})

describe('rules', () => {
  const ids = files('src/core/rules/*/*.ts').map(stem).filter(isSubject)

  test('a rule is named like its file, and listed', async () => {
    const { rules } = await loadRules()
    const listed = new Map(rules.map(rule => [rule.id, rule]))
    const problems: string[] = []
    for (const id of ids) {
      const exported = Object.values(await load(ruleFile(id)))
      const rule = listed.get(id)
      if (!rule) problems.push(`${ruleFile(id)}: give the rule its place in src/core/rules/order.ts`)
      else if (!exported.includes(rule)) problems.push(`${ruleFile(id)} must export the rule with the id ${id}`)
    }
    for (const id of listed.keys())
      if (!ids.includes(id)) problems.push(`the rule ${id} belongs in src/core/rules/<subject>/${id}.ts`)
    if (listed.size < rules.length) problems.push('src/core/rules/index.ts lists a rule twice')
    expectNone(problems)
  })

  test('a rule has examples', () => {
    expectNone(missing(ids, id => ruleFile(id, '.examples'), 'show the rule at work there'))
  })

  test('a rule has a page', () => {
    expectNone(missing(ids, id => `docs/rules/${id}.md`, 'run npm run docs'))
  })

  test('a rule is switched on by some dialect', async () => {
    const [{ rules }, { dialects }, { codecs }] = await Promise.all([loadRules(), loadDialects(), loadCodecs()])
    const formats = Object.values(codecs).map(({ format }) => format)
    const demands = Object.values(dialects).flatMap(allFacts)
    const idle = rules.filter(rule => !demands.some(facts => formats.some(format => rule.appliesTo(facts, format))))
    expectNone(idle.map(({ id }) => `the rule ${id} applies to no dialect: switch it on by a fact, or remove it`))
  })
})

describe('dialects and codecs', () => {
  const ids = files('src/core/dialects/*.ts').map(stem).filter(isSubject)

  test('a dialect is named like its file, and listed', async () => {
    const { dialects } = await loadDialects()
    expectNone(mismatches('dialect', ids, dialects, id => `src/core/dialects/${id}.ts`))
  })

  test('a codec is named like its folder, and listed', async () => {
    const { codecs } = await loadCodecs()
    const folders = new Set(sources.flatMap(file => codecOf(file) ?? []))
    expectNone(mismatches('codec', [...folders], codecs, id => `src/codecs/${id}/`))
  })

  test('a dialect has sources', async () => {
    const demanding = ids.filter(id => id !== 'lenient')
    const file = (id: string) => `src/core/dialects/sources/${id}.ts`
    const problems = missing(demanding, file, 'say there where each fact comes from')
    for (const id of demanding.filter(id => exists(file(id)))) {
      const { sources } = await load(file(id))
      if (!Array.isArray(sources) || sources.length === 0)
        problems.push(`${file(id)} must export a filled list \`sources\``)
      else
        problems.push(
          ...sources.filter(source => !isSource(source)).map(source => `${file(id)}: ${sourceHelp(source)}`),
        )
    }
    expectNone(problems)
  })
})

describe('promises', () => {
  const tests = files('test/**/*.ts')
  const promised = files('docs/spec/*.md').flatMap(file => tagsAtLineStarts(read(file) ?? ''))
  const tested = new Map(
    tests.flatMap(file =>
      strings(file)
        .flatMap(tags)
        .map(tag => [tag, file]),
    ),
  )

  test('docs/spec makes each promise once', () => {
    expect(promised.length, 'docs/spec has no promises: write them there').toBeGreaterThan(0)
    const twice = promised.filter((tag, index) => promised.indexOf(tag) !== index)
    expectNone(twice.map(tag => `docs/spec has [${tag}] twice: give one of them a new number`))
  })

  test('every promise has a test', () => {
    const untested = promised.filter(tag => !tested.has(tag))
    expectNone(
      untested.map(tag => `no test has [${tag}] in its title: write one, or remove the promise from docs/spec`),
    )
  })

  test('every numbered test has a promise', () => {
    const unpromised = [...tested].filter(([tag]) => !promised.includes(tag))
    expectNone(unpromised.map(([tag, file]) => `${file} tests [${tag}], which docs/spec does not promise`))
  })

  test('SPEC.md names promises that exist', () => {
    const named = [...(read('SPEC.md') ?? '').matchAll(/\b[A-Z]{1,3}\d+\b/g)].map(([tag]) => tag)
    expect(named.length).toBeGreaterThan(0)
    expectNone(
      named.filter(tag => !promised.includes(tag)).map(tag => `SPEC.md names [${tag}], which docs/spec does not have`),
    )
  })

  test('no test is left out', () => {
    const partial = files('test/**/*.ts').flatMap(file =>
      [...names(file)].filter(name => leftOut.test(name)).map(name => `${file} uses ${name}: run every test, always`),
    )
    expectNone(partial)
  })
})

describe('files', () => {
  test('a file is named by what it holds', () => {
    const vague = sources.filter(file => vagueNames.test(stem(file)))
    expectNone(vague.map(file => `${file}: name the one thing in it, or put it beside its only reader`))
  })

  test('a file fits in a head', () => {
    const long = files('src/**/*.{ts,tsx,css,wat}').filter(file => lineCount(file) > linesMax)
    expectNone(long.map(file => `${file} has ${lineCount(file)} lines, more than ${linesMax}: split it by concept`))
  })
})

/** The layer of each room of src/. `strict` is apart, so that the judge shares no line with the judged. */
const rooms: Record<string, number | undefined> = {
  core: 0,
  codecs: 1,
  heal: 2,
  observe: 3,
  'index.ts': 3,
  journal: 4,
  doctor: 5,
  integrations: 5,
  apps: 6,
  strict: undefined,
}

/** The layers inside two rooms, the lowest first: files, and whole folders. */
const order: Record<string, readonly (readonly string[])[]> = {
  heal: [
    [
      'detect',
      'identify-library',
      'options',
      'plan',
      'readable-numbers',
      'warn',
      'formats/dialects',
      'request/request-body',
      'segments/scan-segments',
      'shrink/containers',
      'shrink/redact',
    ],
    ['convert/carried-text', 'convert/textless', 'convert/id-map', 'convert/translate', 'segments/'],
    ['repair-with-plan'],
    ['heal', 'formats/healing-of'],
    ['clear-results', 'convert/', 'count', 'formats/', 'healer', 'keep-newest', 'request/', 'shrink/', 'trim'],
    ['rejections/'],
  ],
  journal: [
    [
      'agents/agent-calls',
      'agents/child-name',
      'assert-name',
      'bytes',
      'clock',
      'damage',
      'digest/',
      'entry',
      'event-queue',
      'metadata/stored-metadata',
      'seal/seal-keys',
      'seal/sealed-error',
      'thread-options',
      'turn-errors',
    ],
    ['branches/branch-tree', 'branches/thread-item', 'effects', 'fold', 'heartbeat', 'outcome'],
    ['agents/agent-rows', 'erasure/', 'live/', 'seal/', 'stores/'],
    [
      ...['branches/', 'call', 'compaction/compact-thread', 'compaction/decide-compact', 'compaction/shown-items'],
      ...['decide', 'input/', 'log', 'metadata/', 'receive', 'recover'],
      ...['render/', 'run-event', 'tracing/', 'watch'],
    ],
    ['calls/', 'lease', 'tool-run'],
    ['agents/call-watch', 'agents/child-outcome', 'agents/end-agent', 'agents/thread-agents', 'turn'],
    ['thread'],
    ['agents/agent-questions', 'agents/drop-agent', 'ask-models', 'compaction/run-compaction'],
    ['tool'],
    ['agents/agent-runs', 'run'],
    ['agents/runnable', 'worker'],
    ['journal'],
    ['open-journal'],
    ['index'],
  ],
}

const filesMax = 30
const linesMax = 399
const vagueNames = /^(utils?|helpers?|common|types|constants)$/
const leftOut = /\.(skip|todo|only)$/
const hostNames = [
  ...['process', 'Buffer', 'require', 'global', 'globalThis', 'console', 'fetch', 'crypto', 'Math.random', 'URL'],
  ...['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]
const providers =
  /openai|anthropic|claude|mistral|gemini|gemma|google|vertex|bedrock|amazon|azure|deepseek|minimax|moonshot|kimi|qwen|zhipu|cohere|llama|grok|\bglm\b|\bxai\b|\bgpt\b/i

type Rule = { id: string; appliesTo(facts: object, format: unknown): boolean }
type Dialect = { id: string; facts: object; models?: { facts: object }[] }
type Codec = { id: string; format: unknown }

const loadRules = async () => {
  const { rules } = (await load('src/core/rules/index.ts')) as { rules: Rule[] }
  const { limitRules } = (await load('src/core/rules/limit-rules.ts')) as { limitRules: Rule[] }
  return { rules: [...rules, ...limitRules] }
}
const loadDialects = async () => (await load('src/core/dialects/index.ts')) as { dialects: Record<string, Dialect> }
const loadCodecs = async () => (await load('src/codecs/index.ts')) as { codecs: Record<string, Codec> }

/** What a dialect insists on, in general and for each family of models. */
const allFacts = ({ facts, models = [] }: Dialect): object[] => [
  facts,
  ...models.map(family => ({ ...facts, ...family.facts })),
]

const allImports = () => sources.flatMap(imports).filter(({ to }) => to.startsWith('src/'))

/** The room of a file: the folder in src/ that it is in, or its name for the front door. */
const roomOf = (file: string): string => file.split('/')[1]

/** Down, or within one room. Only the apps call the judge. */
function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (to === 'strict') return from === 'apps'
  const [upper, lower] = [rooms[from], rooms[to]]
  return upper !== undefined && lower !== undefined && upper > lower
}

const codecOf = (file: string): string | undefined => file.match(/^src\/codecs\/(?!shared\/)([^/]+)\//)?.[1]

const stem = (file: string): string => basename(file).replace(/\.tsx?$/, '')

/** A file that holds a rule or a dialect, not the list of them, nor what stands beside one or its type. */
const isSubject = (name: string): boolean => !['index', 'source'].includes(name) && !name.includes('.')

const missing = (ids: string[], file: (id: string) => string, help: string): string[] =>
  ids.filter(id => !exists(file(id))).map(id => `${file(id)} does not exist: ${help}`)

/** What differs between the names on disk, the keys of the record, and the ids inside. */
function mismatches(
  kind: string,
  onDisk: string[],
  record: Record<string, { id: string }>,
  place: (id: string) => string,
): string[] {
  const keys = Object.keys(record)
  return [
    ...onDisk.filter(id => !keys.includes(id)).map(id => `${place(id)}: add the ${kind} to the record as '${id}'`),
    ...keys.filter(key => !onDisk.includes(key)).map(key => `the ${kind} ${key} belongs in ${place(key)}`),
    ...keys.filter(key => record[key].id !== key).map(key => `the ${kind} ${key} has the id '${record[key].id}'`),
  ]
}

function isSource(source: Record<string, unknown>): boolean {
  const { fact, url, evidence, date } = source
  return Boolean(fact && evidence) && /^https?:\/\//.test(String(url)) && /^\d{4}-\d\d(-\d\d)?$/.test(String(date))
}

const sourceHelp = (source: unknown): string =>
  `${JSON.stringify(source)} needs fact, url, evidence and date (YYYY-MM-DD)`

const tags = (text: string): string[] => [...text.matchAll(/\[([A-Z]+\d+)\]/g)].map(match => match[1])

const tagsAtLineStarts = (text: string): string[] =>
  text.split('\n').flatMap(line => line.match(/^\W*\[([A-Z]+\d+)\]/)?.[1] ?? [])

const lineCount = (file: string): number => (read(file) ?? '').trimEnd().split('\n').length

/** Fails with the problems themselves, one a line, each saying what to do. */
function expectNone(problems: string[]): void {
  expect(problems.join('\n')).toBe('')
}
