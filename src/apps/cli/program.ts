import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import { addApprove } from './commands/approve.ts'
import { addCheck } from './commands/check.ts'
import { addDemo } from './commands/demo.ts'
import { addDoctor } from './commands/doctor.ts'
import { addErase } from './commands/erase.ts'
import { addExpire } from './commands/expire.ts'
import { addExplain } from './commands/explain.ts'
import { addExport } from './commands/export.ts'
import { addHeal } from './commands/heal.ts'
import { addProxy } from './commands/proxy.ts'
import { addShow } from './commands/show.ts'
import { addShrink } from './commands/shrink.ts'
import { addStrict } from './commands/strict.ts'
import { addTape } from './commands/tape.ts'
import { addThreads } from './commands/threads.ts'
import { addView } from './commands/view.ts'
import { complaint, errorJson } from './complaint.ts'
import { exitWith } from './exit.ts'
import { nearest } from './nearest.ts'
import { guardTerminal } from './terminal-guard.ts'

/** Runs the command line. */
export async function run(): Promise<void> {
  guardTerminal(process.stdout)
  guardTerminal(process.stderr)
  process.stderr.on('error', () => {})
  // A closed pipe, as in `antiphon check log.json | head`, is not an error.
  process.stdout.on('error', error => {
    if ((error as { code?: string }).code !== 'EPIPE') fail(fileError('<stdout>', failureReason(error)))
  })
  try {
    mustExist(program, process.argv.slice(2))
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error)
    else if (error.exitCode === 0) return
    else if (error.code === 'commander.help') exitWith('unreadable')
    else fail(new AntiphonError('wrong-option', error.message.replace(/^error: /, '').replaceAll('\n', ' ')))
  }
}

function unknownCommand(name: string, { commands }: Command): AntiphonError {
  const names = commands.map(command => command.name())
  const [near] = nearest(name, names, 1)
  return new AntiphonError('unknown-command', `unknown command '${name}'`, {
    hint: near === undefined ? `one of: ${names.join(', ')}` : `Did you mean ${near}?`,
  })
}

/** Throws on an unknown command, also with --help and after `help`. */
function mustExist(program: Command, args: readonly string[]): void {
  let command = program
  for (const arg of args) {
    if (command.commands.length === 0 || arg === '--') return
    if (arg.startsWith('-') || (arg === 'help' && command === program)) continue
    const found = command.commands.find(one => one.name() === arg || one.aliases().includes(arg))
    if (!found) throw unknownCommand(arg, command)
    command = found
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

const program = new Command('antiphon')
  .description('Check and repair the message histories of tool-calling LLM conversations.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print help for a command')
  .configureOutput({ outputError: () => {} })
  .exitOverride()
  .addHelpText(
    'after',
    `
A history is a JSON list of messages, a whole request body, or JSONL with one message or one request per line.
It is also taken out of a curl command, a HAR, a log, Python or JavaScript values, and Markdown.

Examples:
  antiphon check chat.json                     what is wrong, where, and how it is repaired
  antiphon check --for all chat.json           which providers reject it
  antiphon heal chat.json > healed.json        the repaired history; the report goes to standard error
  antiphon heal --write sessions/*.jsonl       in place, with a backup of each file that changes
  antiphon doctor                              sessions of other programs on this machine
  antiphon shrink --redact chat.json           the smallest history that still fails
  antiphon explain unanswered-call             what a rule means
  antiphon strict                              strict provider simulators on this machine
  antiphon proxy --to https://api.openai.com   repair the requests of programs in any language
  antiphon threads chat.db                     the threads of a journal
  antiphon show chat.db user-42                one thread
  antiphon approve chat.db user-42 CALL        approve a waiting call; show prints its id
  antiphon tape show chat.tape                 what a tape recorded, and what broke the history
  antiphon view chat.json                      in the browser: calls, results, and what is wrong

Exit codes: 0 healthy, warnings included; 1 errors; 2 unreadable, or a wrong option.`,
  )

const commands = [
  ...[
    addCheck,
    addHeal,
    addExplain,
    addShrink,
    addDemo,
    addDoctor,
    addStrict,
    addProxy,
    addThreads,
    addShow,
    addApprove,
    addExport,
    addErase,
    addExpire,
    addTape,
    addView,
  ],
]
for (const add of commands) add(program)

/** With --json the error is also printed as an object on standard output, except for `heal`, which prints the history there. */
function fail(error: unknown): void {
  process.stderr.write(`${complaint(error)}\n`)
  const args = process.argv.slice(2)
  if (args.includes('--json') && !args.includes('heal')) process.stdout.write(`${JSON.stringify(errorJson(error))}\n`)
  exitWith('unreadable')
}
