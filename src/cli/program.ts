import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { reasonOf, unreadable } from '../unreadable.ts'
import { addCheck } from './check.ts'
import { complaint } from './complaint.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { exitWith } from './exit.ts'
import { addExplain } from './explain.ts'
import { addExport } from './export.ts'
import { addHeal } from './heal.ts'
import { addProxy } from './proxy.ts'
import { addShow } from './show.ts'
import { addShrink } from './shrink.ts'
import { addStrict } from './strict.ts'
import { addTape } from './tape.ts'
import { addThreads } from './threads.ts'
import { addView } from './view.ts'

/** Does what the command line says. */
export async function run(): Promise<void> {
  // A reader that has seen enough, as in `antiphon check log.json | head`, is no failure.
  process.stderr.on('error', () => {})
  process.stdout.on('error', error => {
    if ((error as { code?: string }).code !== 'EPIPE') fail(complaint(unreadable('<stdout>', reasonOf(error))))
  })
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(complaint(error))
    else if (error.code === 'commander.help') exitWith('unreadable')
    else if (error.exitCode !== 0)
      fail(complaint(new Error(error.message.replace(/^error: /, '').replaceAll('\n', ' '))))
  }
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const program = new Command('antiphon')
  .description('Checks and heals the histories of tool-calling conversations: every call gets its response.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print the help of a command')
  .configureOutput({ outputError: () => {} })
  .exitOverride()
  .addHelpText(
    'after',
    `
A history is a JSON list of messages, a whole request body, or JSONL with one message a line.

Examples:
  antiphon check chat.json                     what is wrong with it, where, and what mends it
  antiphon check --for all chat.json           which readers refuse it, and which let it pass
  antiphon heal chat.json > healed.json        the healed history; the report goes to standard error
  antiphon heal --write sessions/*.jsonl       in place, with a backup of every file that changes
  antiphon doctor                              conversations that other programs keep on this machine
  antiphon shrink --redact chat.json           the smallest history that shows the fault
  antiphon explain unanswered-call             what a rule means
  antiphon strict                              providers on this machine that refuse as the real ones do
  antiphon proxy --to https://api.openai.com   heal what programs in any language send
  antiphon threads chat.db                     the conversations of a journal
  antiphon show chat.db user-42                one of them
  antiphon tape show chat.tape                 what a flight recorder saw, and what broke the history
  antiphon view chat.json                      look at it in the browser: calls, results, and what is wrong

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
    addExport,
    addTape,
    addView,
  ],
]
for (const add of commands) add(program)

function fail(line: string): void {
  process.stderr.write(`${line}\n`)
  exitWith('unreadable')
}
