import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { DialectId } from '../../../../core/dialects/index.ts'
import type { Diagnostic } from '../../../../core/rules/check.ts'
import { shellWord } from '../../../../core/shell-word.ts'
import type { ConversationResult } from '../../../../doctor/doctor.ts'
import { withRepairTexts } from '../../../../doctor/drawing.ts'
import { type PreparedMove, prepareMove } from '../../../../doctor/move/move-session.ts'
import { callsOf } from '../../../../doctor/move/moved-session.ts'
import type { MoveTarget } from '../../../../doctor/move/target.ts'
import { moveTargets } from '../../../../doctor/move/targets.ts'
import { systems } from '../../../../doctor/systems.ts'
import { plural } from '../../counts.ts'
import { forOption } from '../../flags.ts'
import { plain } from '../../plain.ts'
import { findSession, thisUser } from './find-session.ts'

export function addMove(program: Command): void {
  program
    .command('move')
    .summary('copy a session of one coding agent into another one')
    .description(
      'Write a session that one program stored as a new session of another program, with its texts, calls and results, and print the command that resumes it there. The original is not changed.',
    )
    .argument('<session>', 'a file, a folder with one session, or the id of a session')
    .addOption(
      new Option('--to <program>', 'the program that will continue it')
        .choices(moveTargets.map(({ id }) => id))
        .makeOptionMandatory(),
    )
    .addOption(new Option('--system <name>', 'only stores of this system').choices(systems.map(({ id }) => id)))
    .option('--session <id>', 'only the session with this id, where a store has several')
    .option('-o, --out <folder>', 'the data folder of the other program (default: its usual folder)')
    .option('--cwd <folder>', 'the working directory of the new session (default: the one of the original)')
    .addOption(forOption('the provider that the other program is made for'))
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Calls are renamed to the matching tool of the other program where the match is certain. Reasoning and the
system prompt are not copied. What the provider would reject is repaired. Nothing is overwritten.

Examples:
  antiphon move ~/.codex/sessions/2026/11/18/rollout-x.jsonl --to claude-code
  antiphon move 0199f3c2-7b41-7a10-9c55-0f2a4e8d1b77 --to opencode
  antiphon move --session ses_1 ~/.local/share/opencode/opencode.db --to codex --dry-run

Exit codes: 0 moved; 2 unreadable, no session or several, or a wrong option.`,
    )
    .action(move)
}

interface MoveFlags {
  readonly to: string
  readonly system?: string
  readonly session?: string
  readonly out?: string
  readonly cwd?: string
  readonly for?: DialectId
  readonly dryRun?: true
  readonly json?: true
}

async function move(named: string, flags: MoveFlags): Promise<void> {
  const target = moveTargets.find(({ id }) => id === flags.to) as MoveTarget
  const { one, drawing: drawn } = await findSession(named, flags)
  const drawing = withRepairTexts(one.examination, drawn)
  const prepared = await prepareMove(one, drawing, {
    target,
    user: thisUser(),
    now: Date.now(),
    ...(flags.out === undefined ? {} : { root: resolve(flags.out) }),
    ...(flags.cwd === undefined ? {} : { cwd: resolve(flags.cwd) }),
    ...(flags.for === undefined ? {} : { dialect: flags.for }),
  })
  if (!flags.dryRun) prepared.plan.write()
  const repairs = [...drawing.repairs, ...prepared.repairs].map(({ rule }) => rule)
  const moved = { one, target, prepared, repairs, isDryRun: flags.dryRun === true }
  process.stdout.write(flags.json ? `${JSON.stringify(jsonOf(moved), undefined, 2)}\n` : report(moved))
}

interface Moved {
  readonly one: ConversationResult
  readonly target: MoveTarget
  readonly prepared: PreparedMove
  readonly repairs: readonly string[]
  readonly isDryRun: boolean
}

const callCount = ({ messages }: PreparedMove): number =>
  messages.reduce((sum, { parts }) => sum + callsOf(parts).length, 0)

function jsonOf({ one, target, prepared, repairs, isDryRun }: Moved): object {
  const { plan, title, cwd, messages, notCopied, renamed, remaining } = prepared
  return {
    from: { system: one.system.id, id: one.id, path: one.path },
    to: target.id,
    id: plan.id,
    path: plan.path,
    command: resumeCommand(prepared),
    written: !isDryRun,
    ...{ title, cwd, messages: messages.length, calls: callCount(prepared), renamed, notCopied, repairs, remaining },
  }
}

function report({ one, target, prepared, repairs, isDryRun }: Moved): string {
  const { plan, messages, renamed, notCopied, remaining, cwd, isFolderKnown } = prepared
  const { reasoning, instructions, others } = notCopied
  const lines = [
    `${isDryRun ? 'Would write' : 'Wrote'} ${plain(plan.path)}`,
    `  ${plural(messages.length, 'message')}, ${plural(callCount(prepared), 'call')}${renamed > 0 ? `, ${renamed} renamed to tools of ${target.title}` : ''}`,
    ...(repairs.length > 0 ? [`  Repaired here, not in the original: ${[...new Set(repairs)].join(', ')}`] : []),
    ...(remaining.length > 0 ? [`  Could not be repaired: ${rulesOf(remaining)}`] : []),
    ...(reasoning > 0 ? [`  Reasoning is not copied: ${plural(reasoning, 'part')}`] : []),
    ...(instructions > 0
      ? [`  Instructions of ${one.system.title} are not copied: ${plural(instructions, 'message')}`]
      : []),
    ...(others > 0
      ? [
          `  Not carried over: ${plural(others, 'part')} that ${others === 1 ? 'is' : 'are'} neither text, call nor image`,
        ]
      : []),
    ...(isFolderKnown
      ? []
      : [`  The store does not name a working directory: ${plain(cwd)} is used (--cwd changes it)`]),
    ...(existsSync(cwd) ? [] : [`  ${plain(cwd)} does not exist here: --cwd names another working directory`]),
    ...(plan.note === undefined ? [] : [`  ${plan.note}`]),
    `${isDryRun ? 'It would be resumed with' : 'Resume it with'}:`,
    `  ${plain(resumeCommand(prepared))}`,
  ]
  return `${lines.join('\n')}\n`
}

const rulesOf = (diagnostics: readonly Diagnostic[]): string =>
  [...new Set(diagnostics.map(({ rule }) => rule))].join(', ')

/** What to type in a shell, in any folder. */
function resumeCommand({ plan, cwd, environment }: PreparedMove): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${shellWord(value)}`)
  const commands = plan.resume.map(words => [...variables, ...words.map(shellWord)].join(' '))
  return [`cd ${shellWord(cwd)}`, ...commands].join(' && ')
}
