/**
 * Writes the pages about rules, dialects and rejections from the code itself, and the two modules that list the pages and
 * examples of all rules. With --check it writes nothing, and fails if a file on disk differs.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codecs } from '../src/codecs/index.ts'
import type { Dialect } from '../src/core/dialect.ts'
import { dialects } from '../src/core/dialects/index.ts'
import type { FactSource } from '../src/core/dialects/sources/source.ts'
import { equal } from '../src/core/json/equal.ts'
import type { Example, Examples, InvalidExample } from '../src/core/rules/example.ts'
import { rules as historyRules } from '../src/core/rules/index.ts'
import type { LimitRule } from '../src/core/rules/limit-rule.ts'
import { limitRules } from '../src/core/rules/limit-rules.ts'
import type { Rule as HistoryRule, Page } from '../src/core/rules/rule.ts'
import { rejectionKinds } from '../src/heal/rejections/kinds.ts'
import { inputKindTables } from './input-kinds.ts'
import { manPage } from './man-page.ts'

process.chdir(dirname(import.meta.dirname))

type Rule = HistoryRule | LimitRule

/** All rules, in the order in which they are repaired. */
const rules: readonly Rule[] = [...limitRules, ...historyRules]
const all: Dialect[] = Object.values(dialects)
const wires = new Map(Object.entries(codecs).map(([id, { format: wire }]) => [id, wire]))

const evidenceWords: Record<FactSource['evidence'], string> = {
  S: 'a real response',
  D: 'documentation',
  C: 'open source code',
  T: 'third-party code',
  I: 'inferred',
}

/** The files of the rules by id: `src/core/rules/<subject>/<id>.ts`. */
const files = new Map(
  globSync('src/core/rules/*/*.examples.ts')
    .map(path => path.replaceAll('\\', '/').slice('src/core/rules/'.length, -'.examples.ts'.length))
    .map(path => [path.slice(path.indexOf('/') + 1), path] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)
const words: Record<string, Page> = {}
for (const [id, path] of files) words[id] = (await import(`../src/core/rules/${path}.ts`)).page

const pages = new Map<string, string>()
pages.set('src/core/rules/pages.ts', pagesModule())
pages.set('src/apps/cli/examples.ts', examplesModule())
for (const rule of rules) pages.set(`docs/rules/${rule.id}.md`, rulePage(rule, await examplesOf(rule)))
pages.set('docs/rules/README.md', ruleIndex())
pages.set('docs/dialects.md', await dialectPage())
pages.set('docs/antiphon.1', await manPage())
pages.set('README.md', filled('README.md', 'score', scoreTable()))
pages.set('docs/command-line.md', filled('docs/command-line.md', 'input', inputKindTables()))
pages.set('docs/rejections.md', filled('docs/rejections.md', 'kinds', kindTable()))

const stale = [...pages.keys()].filter(path => pages.get(path) !== read(path))
const extra = globSync('docs/rules/*.md').filter(path => !pages.has(path.replaceAll('\\', '/')))

if (process.argv.includes('--check')) {
  for (const path of [...stale, ...extra]) console.error(`${path} is stale: run npm run docs`)
  process.exitCode = stale.length + extra.length > 0 ? 1 : 0
} else {
  for (const path of stale) write(path, pages.get(path) ?? '')
  for (const path of extra) rmSync(path)
}

function pagesModule(): string {
  const name = (id: string) => id.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
  const imports = [...files].sort(([, one], [, other]) => (one < other ? -1 : 1))
  return [
    ...imports.map(([id, path]) => `import { page as ${name(id)} } from './${path}.ts'`),
    "import type { Page } from './rule.ts'",
    '',
    '/**',
    ' * The documentation of each rule, by id; written by `npm run docs`. It is separate from the rules, so that a bundle that only heals',
    ' * does not contain it.',
    ' */',
    'export const pages: Readonly<Record<string, Page>> = {',
    ...[...files.keys()].map(id => `  '${id}': ${name(id)},`),
    '}',
    '',
  ].join('\n')
}

function examplesModule(): string {
  return [
    '/** The examples of each rule, under its id; written by `npm run docs`. Load it on demand. */',
    '',
    ...[...files]
      .sort(([, one], [, other]) => (one < other ? -1 : 1))
      .map(([id, path]) => `export { examples as '${id}' } from '../../core/rules/${path}.examples.ts'`),
    '',
  ].join('\n')
}

function rulePage(rule: Rule, { valid, invalid }: Examples): string {
  const { summary, why, fix } = words[rule.id]
  return page(
    `# ${rule.id}`,
    summary,
    `Severity: ${rule.severity}. ${readers(rule)}`,
    '## Why it matters',
    why,
    ...refusals(rule),
    '## What the repair does',
    fix,
    invalid.every(isUnchanged) ? '## Broken' : '## Broken and repaired',
    ...invalid.map(brokenExample),
    '## Valid',
    ...valid.map(validExample),
  )
}

function readers(rule: Rule): string {
  const always = all.filter(dialect => reach(dialect, rule) === '●').map(({ id }) => id)
  const sometimes = all.filter(dialect => reach(dialect, rule) === '○').map(({ id }) => id)
  if (always.length === all.length) return 'Dialects: all.'
  const rest = always.length + sometimes.length === all.length ? 'all others' : sometimes.join(', ')
  const some = `for some models, or in another format: ${rest}.`
  if (always.length === 0) return `Dialects: only ${some}`
  return `Dialects: ${always.join(', ')}.${sometimes.length > 0 ? ` Also ${some}` : ''}`
}

/** The error texts of the providers, each once. `{id}` and similar placeholders mark what differs. */
function refusals(rule: Rule): string[] {
  const said = new Map<string, string[]>()
  for (const { id, refusals } of all.filter(dialect => reach(dialect, rule) !== '')) {
    const words = refusals[rule.id]
    if (words !== undefined) said.set(words, [...(said.get(words) ?? []), id])
  }
  const lines = [...said].map(([words, ids]) => `- ${ids.join(', ')}: ${code(words.trim())}`)
  const blanks = lines.some(line => /\{(id|n|k|role)\}/.test(line)) ? ', with ids, indexes and roles in the braces' : ''
  return lines.length > 0 ? [`Providers reject it with these errors${blanks}:`, lines.join('\n')] : []
}

/** Text that may contain backticks. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function ruleIndex(): string {
  const row = ({ id, severity }: Rule) => [`[${id}](${id}.md)`, words[id].summary, words[id].fix, severity]
  return page(
    '# Rules',
    'One rule for each defect, in the order in which they are repaired.',
    table(['rule', 'defect', 'repair', 'severity'], rules.map(row)),
  )
}

async function dialectPage(): Promise<string> {
  const row = (rule: Rule) => [`[${rule.id}](rules/${rule.id}.md)`, ...all.map(dialect => reach(dialect, rule))]
  const sections = await Promise.all(all.map(dialectSection))
  return page(
    '# Dialects',
    'What each provider requires; its sources are listed below the table. ● the rule applies in the format of the provider; ○ only for some models, or only in another format.',
    table(['rule', ...all.map(({ id }) => id)], rules.map(row)),
    ...sections.flat(),
  )
}

async function dialectSection(dialect: Dialect): Promise<string[]> {
  const sources = await sourcesOf(dialect)
  const facts = [...new Set(sources.map(({ fact }) => fact))]
  const known = ({ url, evidence, date }: FactSource) => `[${evidenceWords[evidence]}](${url}) (${date})`
  const lines = facts.map(
    fact =>
      `- ${fact}: ${sources
        .filter(source => source.fact === fact)
        .map(known)
        .join(', ')}`,
  )
  return [`## ${dialect.id}`, `${dialect.title}.`, ...(lines.length > 0 ? [lines.join('\n')] : [])]
}

/** A page with another text between the lines that name its place. */
function filled(path: string, name: string, content: string): string {
  const text = read(path)
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) {
    console.error(`${path} needs the lines ${start} and ${end} around what is written there`)
    process.exit(1)
  }
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`
}

/** The kinds of rejections that are known. */
function kindTable(): string {
  const rows = Object.entries(rejectionKinds).map(([kind, { why, repair }]) => `| \`${kind}\` | ${why} | ${repair} |`)
  return ['| kind | why | repair |', '|---|---|---|', ...rows].join('\n')
}

/** The first rows of the last whole run of `npm run score`: Antiphon, and the four peers that repair most single defects. */
function scoreTable(): string {
  const [, summary = ''] = read('bench/SCORE.md').split('## All in all\n\n')
  const [rows, note = ''] = summary.split('\n\n## ')[0].trim().split('\n\n')
  const [head, line, own, ...peers] = rows.split('\n')
  const share = (row: string) => {
    const [healed, broken] = row.split(' | ')[3].split('/').map(Number)
    return healed / broken
  }
  const best = peers.sort((a, b) => share(b) - share(a)).slice(0, 4)
  return `${[head, line, own, ...best].join('\n')}\n\n${note}`
}

function brokenExample(example: InvalidExample): string {
  const { messages, after, finds } = example
  const places = finds.filter(place => place !== '').map(code)
  const found = places.length > 0 ? `found at ${places.join(', ')}` : 'found'
  if (isUnchanged(example)) return [heading(example), json(messages), `is ${found} and stays unchanged.`].join('\n\n')
  return [heading(example), json(messages), `is ${found} and becomes`, json(after)].join('\n\n')
}

function isUnchanged({ messages, after }: InvalidExample): boolean {
  return equal(messages, after)
}

function validExample(example: Example): string {
  return [heading(example), json(example.messages)].join('\n\n')
}

function heading({ name, format, dialect, options = {} }: Example): string {
  const choices = Object.entries(options).map(([key, value]) => code(`${key}: ${JSON.stringify(value)}`))
  const reader = dialect === format ? format : `${format}, for ${dialect}`
  return `**${name}** (${[reader, ...choices].join(', ')})`
}

/** JSON with one message a line. */
function json(messages: unknown): string {
  const lines =
    Array.isArray(messages) && messages.length > 0
      ? `[\n${messages.map(message => `  ${JSON.stringify(message)}`).join(',\n')}\n]`
      : JSON.stringify(messages, shortened, 2)
  return `\`\`\`json\n${lines}\n\`\`\``
}

/** A string that is too long for a page is shown by its beginning, a list by both of its ends. */
function shortened(_key: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 30)
    return [...value.slice(0, 2), `… (${value.length - 4} more)`, ...value.slice(-2)]
  return typeof value === 'string' && value.length > 1000
    ? `${value.slice(0, 40)}… (${value.length} characters)`
    : value
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function page(...blocks: string[]): string {
  return `${blocks.join('\n\n')}\n`
}

/** How far a rule reaches in a dialect: always at home, only sometimes, or not at all. */
function reach({ facts, models = [], codec }: Dialect, rule: Rule): '●' | '○' | '' {
  const home = wires.get(codec)
  if (home && rule.appliesTo(facts, home)) return '●'
  const variants = [facts, ...models.map(family => ({ ...facts, ...family.facts }))]
  const sometimes = [...wires.values()].some(wire => variants.some(variant => rule.appliesTo(variant, wire)))
  return sometimes ? '○' : ''
}

async function examplesOf({ id }: Rule): Promise<Examples> {
  const [path] = globSync(`src/core/rules/*/${id}.examples.ts`)
  return (await import(`../${path}`)).examples
}

async function sourcesOf({ id }: Dialect): Promise<readonly FactSource[]> {
  const path = `src/core/dialects/sources/${id}.ts`
  return existsSync(path) ? (await import(`../${path}`)).sources : []
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
