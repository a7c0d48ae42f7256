import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import type { ApprovalResult } from '../../../journal/calls/approval.ts'
import type { Thread } from '../../../journal/thread.ts'
import { describeDecision } from '../../viewer/sources/journal-actions.ts'
import { exitWith } from '../exit.ts'
import { changeThread, type JournalFlags, liveOption, schemaOption, sealKeyOption } from '../journal-file.ts'
import { plain } from '../plain.ts'

export function addApprove(program: Command): void {
  const approve = decision(program, 'approve')
    .summary('approve a waiting call, optionally with changed input')
    .description(
      'Approve a waiting call of a thread, so that it runs. With --input it runs with that input, and the model is told of the change.',
    )
    .addOption(new Option('--input <json>', 'run the call with this input instead of the one that the model asked for'))
  withHelp(approve, [
    'antiphon approve chat.db user-42 k3f9x2m1q8za-4-0',
    `antiphon approve chat.db user-42 k3f9x2m1q8za-4-0 --input '{"city":"Faro"}'`,
  ]).action((place: string, name: string, call: string, { input, reason, ...flags }: DecideFlags) => {
    const given = input === undefined ? {} : { input: parsed(input) }
    return decide(place, name, flags, 'approved', thread =>
      thread.approve(call, { ...given, ...(reason === undefined ? {} : { reason }) }),
    )
  })
  const deny = decision(program, 'deny')
    .summary('deny a waiting call')
    .description('Deny a waiting call of a thread. It does not run, and the model is told the reason.')
  withHelp(deny, ['antiphon deny chat.db user-42 k3f9x2m1q8za-4-0 --reason "too expensive"']).action(
    (place: string, name: string, call: string, { reason, ...flags }: DecideFlags) =>
      decide(place, name, flags, 'denied', thread => thread.deny(call, reason)),
  )
}

interface DecideFlags extends JournalFlags {
  readonly input?: string
  readonly reason?: string
}

const decision = (program: Command, name: string): Command =>
  program
    .command(name)
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .argument('<thread>', 'the name of the thread')
    .argument('<call>', 'the id of the call in the journal, as antiphon show prints it')
    .addOption(new Option('--reason <text>', 'the reason to record'))
    .addOption(schemaOption())
    .addOption(sealKeyOption())
    .addOption(liveOption())

const withHelp = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `
Examples:
${examples.map(example => `  ${example}`).join('\n')}

Exit codes: 0 recorded; 1 the call was already decided otherwise; 2 unreadable, or unknown thread or call.`,
  )

function decide(
  place: string,
  name: string,
  flags: JournalFlags,
  wanted: ApprovalResult['status'],
  decide: (thread: Thread) => Promise<ApprovalResult>,
): Promise<void> {
  return changeThread(place, name, flags, async thread => {
    const decision = await decide(thread)
    process.stdout.write(`${plain(describeDecision(decision))}\n`)
    if (decision.status !== wanted) exitWith('errors')
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AntiphonError('not-json', `--input is not JSON: ${text.slice(0, 80)}`, {
      hint: `write it as --input '{"city":"Faro"}'`,
    })
  }
}
