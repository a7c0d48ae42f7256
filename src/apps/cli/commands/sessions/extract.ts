import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../../core/errors.ts'
import { type ConversationResult, examineStores } from '../../../../doctor/doctor.ts'
import { withRepairTexts } from '../../../../doctor/drawing.ts'
import { type Session, sessionMessages } from '../../../../doctor/extract/session.ts'
import { toChat } from '../../../../doctor/extract/to-chat.ts'
import { toMarkdown } from '../../../../doctor/extract/to-markdown.ts'
import { createFile } from '../../../../doctor/move/create-file.ts'
import { systems } from '../../../../doctor/systems.ts'
import { plural } from '../../counts.ts'
import { errorLine } from '../../error-line.ts'
import { exitWith } from '../../exit.ts'
import { plain } from '../../plain.ts'
import { drawingOf, noSuchSession, nothingFound, sessionLine, severalSessions, whereToLook } from './find-session.ts'

export function addExtract(program: Command): void {
  program
    .command('extract')
    .summary('print a session of another program as Markdown or JSON')
    .description(
      'Read a session that another program stored, also one that cannot be repaired, and print what was said and done as Markdown. The store is not changed.',
    )
    .argument('<session>', 'a file, a folder, postgres://... or the id of a session')
    .addOption(new Option('--system <name>', 'only stores of this system').choices(systems.map(({ id }) => id)))
    .option('--session <id>', 'only the session with this id, where a store has several')
    .option('--json', 'print JSON instead, with the messages in the format of Chat Completions')
    .option('--out <folder>', 'write each session to this folder instead, as SYSTEM-ID.md and SYSTEM-ID.json')
    .addHelpText(
      'after',
      `
The output is repaired as antiphon doctor would repair the session, and lists the repairs at the top.
--out overwrites nothing.

Examples:
  antiphon extract ~/.codex/sessions/2026/11/18/rollout-x.jsonl > session.md
  antiphon extract 0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77 > session.md
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
  const { places, options, isId } = whereToLook(path, { system, session })
  // What a session says can be read only while its store is open.
  let first: Session | undefined
  const found: string[] = []
  const names = new FreeNames()
  let written = 0
  let unreadable = 0
  for await (const one of examineStores(places, options)) {
    // Of all the stores of a user, only those with the session matter.
    if (one.kind === 'unreadable' && !isId) {
      unreadable++
      process.stderr.write(`${errorLine(one.error)}\n`)
    }
    if (one.kind !== 'conversation') continue
    if (out === undefined) {
      first ??= readSession(one)
      found.push(sessionLine(one))
    } else if (save(one, join(out, names.nameOf(one)))) written++
    else unreadable++
  }
  if (isId && found.length + written === 0) throw noSuchSession(path)
  if (unreadable > 0) exitWith('unreadable')
  if (out !== undefined) {
    process.stderr.write(`${plural(written, 'session')} written to ${plain(out)}\n`)
    if (written === 0 && unreadable === 0) throw nothingFound(path, session)
    return
  }
  if (found.length > 1)
    throw severalSessions(path, found, 'name one with --session, or write all of them to a folder with --out')
  if (first) process.stdout.write(json ? `${sessionJson(first)}\n` : toMarkdown(first))
  else if (unreadable === 0) throw nothingFound(path, session)
}

function readSession(one: ConversationResult): Session {
  const { path, id, title, system, examination } = one
  const drawing = withRepairTexts(examination, drawingOf(one))
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
    createFile(`${base}.md`, toMarkdown(session), anotherFolder)
    createFile(`${base}.json`, `${sessionJson(session)}\n`, anotherFolder)
    return true
  } catch (error) {
    process.stderr.write(`${errorLine(error)}\n`)
    return false
  }
}

const anotherFolder =
  'existing files are not overwritten; check that the folder is writable, or choose another with --out'

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
