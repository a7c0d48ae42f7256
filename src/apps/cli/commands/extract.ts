import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { type ConversationResult, examineStores } from '../../../doctor/doctor.ts'
import { withRepairTexts } from '../../../doctor/drawing.ts'
import { type Session, sessionMessages } from '../../../doctor/extract/session.ts'
import { toChat } from '../../../doctor/extract/to-chat.ts'
import { toMarkdown } from '../../../doctor/extract/to-markdown.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import { systems } from '../../../doctor/systems.ts'
import { errorLine } from '../error-line.ts'
import { exitWith } from '../exit.ts'
import { plain } from '../plain.ts'
import { plural } from '../say.ts'

export function addExtract(program: Command): void {
  program
    .command('extract')
    .summary('write a session of another program as Markdown and JSON')
    .description(
      'Read a session that another program stored, also one that cannot be repaired, and print what was said and done as Markdown. The store is not changed.',
    )
    .argument('<path>', 'a file, a folder or postgres://...')
    .addOption(new Option('--system <name>', 'only stores of this system').choices(systems.map(({ id }) => id)))
    .option('--session <id>', 'only the session with this id, where a store has several')
    .option('--json', 'print JSON instead, with the messages as Chat Completions has them')
    .option('--out <folder>', 'write each session to this folder instead, as ID.md and ID.json')
    .addHelpText(
      'after',
      `
What a result lacks is filled in as the doctor would, and said at the top. Nothing is overwritten with --out.

Examples:
  antiphon extract ~/.codex/sessions/2026/11/18/rollout-x.jsonl > session.md
  antiphon extract --session ses_1 --json ~/.local/share/opencode/opencode.db
  antiphon extract --out rescued ~/.claude/projects

Exit codes: 0 extracted; 2 unreadable, no session or several, or a wrong option.`,
    )
    .action(extract)
}

interface ExtractFlags {
  readonly system?: string
  readonly session?: string
  readonly json?: true
  readonly out?: string
}

async function extract(path: string, flags: ExtractFlags): Promise<void> {
  const { system, session, out, json } = flags
  if (out !== undefined && json)
    throw new AntiphonError('wrong-option', '--out writes both, Markdown and JSON', { hint: 'leave out --json' })
  const chosen = systems.filter(({ id }) => system === undefined || id === system)
  let first: ConversationResult | undefined
  const found: string[] = []
  const names = new FreeNames()
  let written = 0
  let unreadable = 0
  for await (const one of examineStores([path], { systems: chosen, ...(session === undefined ? {} : { session }) })) {
    if (one.kind === 'unreadable') {
      unreadable++
      process.stderr.write(`${errorLine(one.error)}\n`)
    }
    if (one.kind !== 'conversation') continue
    if (out === undefined) {
      first ??= one
      found.push(`  ${plain(one.id)}${one.title ? `  ${plain(one.title)}` : ''}`)
    } else if (save(one, join(out, names.nameOf(one)))) written++
    else unreadable++
  }
  if (unreadable > 0) exitWith('unreadable')
  if (out !== undefined) {
    process.stderr.write(`${plural(written, 'session')} written to ${plain(out)}\n`)
    if (written === 0 && unreadable === 0) throw nothingFound(path)
    return
  }
  if (found.length > 1) throw several(path, found)
  if (first) {
    const read = readSession(first)
    process.stdout.write(json ? `${sessionJson(read)}\n` : toMarkdown(read))
  } else if (unreadable === 0) throw nothingFound(path)
}

function readSession({ path, id, title, system, examination }: ConversationResult): Session {
  if (!examination.draw)
    throw fileError(path, `session ${plain(id)} cannot be read`, 'antiphon doctor says what is wrong')
  const drawing = withRepairTexts(examination, examination.draw())
  const { repairs, remaining } = drawing
  const named = { system: system.id, id, ...(title === undefined ? {} : { title }), path }
  return { ...named, messages: sessionMessages(drawing), repairs, remaining }
}

const sessionJson = ({ repairs, remaining, messages, ...named }: Session): string =>
  JSON.stringify(
    {
      ...named,
      repairs: repairs.map(({ edits: _, ...repair }) => repair),
      remaining,
      messages: toChat({ messages }),
    },
    undefined,
    2,
  )

/** Whether both files were written; the error is printed, since the other sessions can still be written. */
function save(one: ConversationResult, base: string): boolean {
  try {
    const session = readSession(one)
    attempt(base, () => mkdirSync(dirname(base), { recursive: true }))
    create(`${base}.md`, toMarkdown(session))
    create(`${base}.json`, `${sessionJson(session)}\n`)
    return true
  } catch (error) {
    process.stderr.write(`${errorLine(error)}\n`)
    return false
  }
}

/** Only its owner reads what a session says. Nothing is left of a file that could not be written to its end. */
function create(file: string, text: string): void {
  const handle = attempt(file, () => openSync(file, 'wx', 0o600))
  try {
    attempt(file, () => writeFileSync(handle, text))
  } catch (error) {
    rmSync(file)
    throw error
  } finally {
    closeSync(handle)
  }
}

/** Copies of a session have the same id. */
class FreeNames {
  readonly #taken = new Set<string>()
  /** The last number that each name got. */
  readonly #numbers = new Map<string, number>()

  nameOf({ system, id }: ConversationResult): string {
    const safe = id
      .replaceAll(/[^\w.-]+/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 120)
    const base = `${system.id}-${safe === '' ? 'session' : safe}`
    let number = this.#numbers.get(base) ?? 1
    let name = base
    while (this.#taken.has(name)) name = `${base}-${++number}`
    this.#numbers.set(base, number)
    this.#taken.add(name)
    return name
  }
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileError(file, failureReason(error), 'nothing is overwritten: name another folder')
  }
}

function several(path: string, found: readonly string[]): AntiphonError {
  const more = found.length > listedMax ? [`  and ${found.length - listedMax} more`] : []
  process.stderr.write(`${[...found.slice(0, listedMax), ...more].join('\n')}\n`)
  return new AntiphonError('wrong-option', `${plain(path)} has ${found.length} sessions`, {
    hint: 'name one with --session, or write all of them to a folder with --out',
  })
}

const listedMax = 40

const nothingFound = (path: string): AntiphonError =>
  fileError(path, 'no session of a known program is there', 'antiphon doctor --help lists the programs')
