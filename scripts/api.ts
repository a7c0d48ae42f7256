/**
 * Writes docs/api.md: every public name of every entry of the package, as its type declares it.
 * With --check it writes nothing, and fails if the page on disk differs.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codecs } from '../src/codecs/index.ts'
import { dialects } from '../src/core/dialects/index.ts'

const root = dirname(import.meta.dirname)
const page = join(root, 'docs/api.md')

/** Types that are declared by a list of names: here the names themselves say more. */
const listed: Record<string, readonly string[]> = { CodecId: Object.keys(codecs), DialectId: Object.keys(dialects) }

const text = writePage()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (text !== readIfThere(page)) {
  console.error('docs/api.md is stale: run npm run docs')
  process.exitCode = 1
}

function writePage(): string {
  const declared = mkdtempSync(join(tmpdir(), 'antiphon-api-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', declared]
    execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 'inherit', 'inherit'] })
    return [
      '# API',
      'Every public name with its type, generated from the source by `npm run docs`. The guides explain how to use them.',
      ...entries().flatMap(({ name, file }) => [`## ${name}`, ...section(join(declared, file))]),
      '',
    ].join('\n\n')
  } finally {
    rmSync(declared, { recursive: true, force: true })
  }
}

/** The entries of the package that have types, by the name they are imported by. */
function entries(): { name: string; file: string }[] {
  const { exports: doors } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(doors).flatMap(([door, target]) =>
    typeof target === 'string'
      ? []
      : [{ name: `antiphon${door.slice(1)}`, file: target.types.replace('./dist/types/', '') }],
  )
}

function section(file: string): string[] {
  const found = publicNames(file)
  const order = [...found.keys()].sort((one, other) => (one < other ? -1 : 1))
  const shown = order.map(name => `\`\`\`ts\n${unionOf(name) ?? found.get(name)}\n\`\`\``)
  return [order.map(name => `\`${name}\``).join(' · '), ...shown]
}

function unionOf(name: string): string | undefined {
  const names = listed[name]
  return names && `type ${name} =\n${names.map(one => `  | '${one}'`).join('\n')};`
}

/** What a file declares to the outside, followed to where it is written down. */
function publicNames(file: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const statement of statements(readFileSync(file, 'utf8'))) {
    const passed = /^export (type )?\{([^}]*)\} from '([^']+)';$/s.exec(statement.code)
    if (passed) {
      const [, allTypes, names, from] = passed
      const there = publicNames(join(dirname(file), from.replace(/\.ts$/, '.d.ts')))
      for (const name of names.split(',')) {
        const isType = allTypes !== undefined || /^\s*type /.test(name)
        const [own, as = own] = name
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        const declaration = there.get(own)
        if (declaration !== undefined) found.set(as, isType ? asType(declaration) : declaration)
      }
      continue
    }
    const named = /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/.exec(
      statement.code,
    )
    if (named) found.set(named[1], statement.comment + withoutInside(statement.code))
  }
  return found
}

/** A class that is exported as a type can be named, but neither made nor extended. */
function asType(declaration: string): string {
  if (!/^(abstract )?class /m.test(declaration)) return declaration
  return declaration
    .replace(/^(?:abstract )?class (.*)$/m, 'interface $1')
    .replace(
      /^(interface .*?) implements /m,
      (_, start: string) => `${start}${start.includes(' extends ') ? ', ' : ' extends '}`,
    )
    .replaceAll(/^ {2}(?:constructor\(|static )[\s\S]*?;\n(?= {2}[^\s})]|\})/gm, '')
}

/** The statements of a declaration file, each with the comment in front of it: what stands at the start of a line begins one. */
function statements(source: string): { comment: string; code: string }[] {
  const blocks: string[] = []
  for (const line of source.split('\n')) {
    const goesOn = /^(\s|\}|\*)/.test(line) || line === ''
    if (goesOn && blocks.length > 0) blocks[blocks.length - 1] += `\n${line}`
    else blocks.push(line)
  }
  return blocks.flatMap((block, index) => {
    if (block.startsWith('/**')) return []
    const before = blocks[index - 1] ?? ''
    return [{ comment: before.startsWith('/**') ? `${before.trim()}\n` : '', code: block.trim() }]
  })
}

/** Without what a declaration says of its inside, and in two spaces like everything else. */
function withoutInside(code: string): string {
  return code
    .split('\n')
    .filter(line => !/^\s+(#private;|private )/.test(line))
    .join('\n')
    .replace(/^export (declare )?/, '')
    .replace(/^( {4})+/gm, indent => ' '.repeat(indent.length / 2))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
