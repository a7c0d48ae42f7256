import { Command, CommanderError } from 'commander'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError } from '../../doctor/files/file-error.ts'
import { oldNodeError } from '../../journal/stores/old-node.ts'
import { addCommands, commands } from './commands.ts'
import { errorJson, errorLine } from './error-line.ts'
import { exitWith } from './exit.ts'
import { nearest } from './nearest.ts'
import { guardFile } from './output/file-guard.ts'
import { guardTerminal } from './output/terminal-guard.ts'
import { version } from './version.ts'

/** Runs the command line. */
export async function run(): Promise<void> {
  guardFile(process.stdout)
  guardTerminal(process.stdout)
  guardTerminal(process.stderr)
  process.stderr.on('error', () => {})
  // A closed pipe, as in `antiphon check log.json | head`, is not an error. Any other one is reported once: later writes fail as well.
  let isBroken = false
  process.stdout.on('error', error => {
    if (isBroken || (error as { code?: string }).code === 'EPIPE') return
    isBroken = true
    report(fileError('<stdout>', failureReason(error)))
  })
  try {
    const args = process.argv.slice(2)
    await addCommands(program, commandIn(args))
    mustExist(program, args)
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) fail(error)
    else if (error.exitCode === 0) return
    else if (error.code === 'commander.help') exitWith('unreadable')
    else
      fail(
        new AntiphonError(
          'wrong-option',
          error.message.replace(/^error: (command-argument )?/, '').replaceAll('\n', ' '),
        ),
      )
  }
}

function unknownCommand(name: string, names: readonly string[]): AntiphonError {
  const [near] = nearest(name, names, 1)
  return new AntiphonError('unknown-command', `unknown command '${name}'`, {
    hint: near === undefined ? `one of: ${names.join(', ')}` : `Did you mean ${near}?`,
  })
}

/** The command of the arguments; undefined if they name none. Throws on an unknown one, also with --help and after `help`. */
function commandIn(args: readonly string[]): string | undefined {
  const names = args.filter((arg, index) => !arg.startsWith('-') && !(arg === 'help' && index === 0))
  const [name] = args[0] === '--' ? [] : names
  if (name !== undefined && !Object.hasOwn(commands, name)) throw unknownCommand(name, Object.keys(commands))
  return name
}

/** Throws on an unknown subcommand. */
function mustExist(program: Command, args: readonly string[]): void {
  let command = program
  for (const arg of args) {
    if (command.commands.length === 0 || arg === '--') return
    if (arg.startsWith('-') || (arg === 'help' && command === program)) continue
    const found = command.commands.find(one => one.name() === arg || one.aliases().includes(arg))
    if (!found)
      throw unknownCommand(
        arg,
        command.commands.map(one => one.name()),
      )
    command = found
  }
}

/** The program without its commands. */
export const program = new Command('antiphon')
  .description('Check and repair the message histories of tool-calling LLM conversations.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand('help [command]', 'print help for a command')
  .configureOutput({ outputError: () => {} })
  // Long option names leave fewer than 40 of 80 columns, below which commander would not wrap.
  .configureHelp({ minWidthToWrap: 30 })
  .exitOverride()
  .addHelpText(
    'after',
    `
A history is a JSON list of messages, a whole request body, or JSONL with one message or one request per line.
It is also found inside a curl command, a HAR, a log, Python or JavaScript values, or Markdown.

Examples:
  antiphon check chat.json                     what is wrong, where, and how it is repaired
  antiphon check --for all chat.json           which providers reject it
  antiphon heal chat.json > healed.json        the repaired history; the report goes to standard error
  antiphon heal --write sessions/*.jsonl       in place, with a backup of each file that changes
  antiphon doctor                              sessions of other programs on this machine
  antiphon shrink --redact chat.json           the smallest history that still fails
  antiphon trim --max-tokens 100000 chat.json  the newest turns that fit
  antiphon convert --to anthropic chat.json    the same history in another format
  antiphon explain unanswered-call             what a rule means
  antiphon strict                              strict provider simulators on this machine
  antiphon proxy --to https://api.openai.com   repair the requests of programs in any language
  antiphon threads chat.db                     the threads of a journal
  antiphon show chat.db user-42                one thread
  antiphon approve chat.db user-42 CALL        approve a waiting call; show prints its id
  antiphon tape show chat.tape                 what a tape recorded, and what broke the history
  antiphon view chat.json                      in the browser: calls, results, and what is wrong
  antiphon init                                the two lines of code to add to a project
  antiphon mcp                                 an MCP server: agents check and repair histories themselves

Exit codes: 0 healthy, warnings included; 1 errors; 2 unreadable, or a wrong option.`,
  )

/** With --json the error is also printed as an object on standard output, except for `heal`, which prints the history there. */
function fail(cause: unknown): void {
  const error = oldNodeError('this command', cause) ?? cause
  report(error)
  const args = process.argv.slice(2)
  if (args.includes('--json') && !args.includes('heal')) process.stdout.write(`${JSON.stringify(errorJson(error))}\n`)
}

function report(error: unknown): void {
  process.stderr.write(`${errorLine(error)}\n`)
  exitWith('unreadable')
}
