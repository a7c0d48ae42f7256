import { homedir } from 'node:os'
import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../../core/errors.ts'
import { restore } from '../../../../doctor/backup/restore.ts'
import { backupFolder, type DoctorOptions, type DoctorResult, examineStores } from '../../../../doctor/doctor.ts'
import type { System } from '../../../../doctor/system.ts'
import { systems } from '../../../../doctor/systems.ts'
import type { Rejection } from '../../../../heal/rejections/rejection.ts'
import { plural } from '../../counts.ts'
import { errorLine } from '../../error-line.ts'
import { exitWith } from '../../exit.ts'
import { rejectionFrom } from '../../input/rejection-input.ts'
import { painter } from '../../paint.ts'
import { plain } from '../../plain.ts'
import { DoctorOverview } from './doctor-overview.ts'
import { DoctorProgress } from './doctor-progress.ts'
import { openReport } from './doctor-report.ts'
import { renderResult, renderTotals, resultJson, Totals } from './doctor-text.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('find and repair sessions stored by other programs')
    .description(
      'Examine the sessions that other programs stored and report what is broken. With --fix, repair them in place, after a backup.',
    )
    .argument('[path...]', 'files, folders or postgres://...; without one, the default places of all known systems')
    .option('--fix', 'repair what is broken, after a backup of each file that changes')
    .addOption(new Option('--system <name>', 'only stores of this system').choices(systems.map(({ id }) => id)))
    .option(
      '--because <error>',
      'look for the cause of this provider error, given as a file, text, JSON, or - for standard input; --fix repairs it',
    )
    .option('--session <id>', 'only the session with this id, where a store has several')
    .option('--force', 'repair even if the program may be running, or if that cannot be determined')
    .option('--backup <folder>', `folder for backups (default: ${plain(shortened(backupFolder()))})`)
    .option('--restore <backup>', 'restore a backup, byte for byte')
    .option('--report <file>', 'also write a report: an HTML page, or JSON if the name ends in .json')
    .option('--all', 'print every diagnostic, without a limit')
    .option('--json', 'print one JSON object per session')
    .addHelpText(
      'after',
      `
Nothing is changed without --fix. A session in use by a running program is left alone: close the program first.

Systems:
${systems.map(({ id, title }) => `  ${id.padEnd(22)} ${title}`).join('\n')}

Examples:
  antiphon doctor                              look in the default places of all known systems
  antiphon doctor ~/.codex/sessions            look at the sessions in a folder
  antiphon doctor --fix session.jsonl          repair one, with a backup
  antiphon doctor --restore BACKUP             undo a repair
  antiphon doctor --because error.json session.jsonl
                                               what would be repaired for an error of the provider
  antiphon doctor --report report.html .       write the report as a page

Exit codes: 0 healthy or repaired; 1 broken, in use and left alone, or nothing found for --because; 2 unreadable,
or a wrong option.`,
    )
    .action(run)
}

interface DoctorFlags {
  readonly fix?: true
  readonly force?: true
  readonly because?: string
  readonly session?: string
  readonly system?: string
  readonly backup?: string
  readonly restore?: string
  readonly report?: string
  readonly all?: true
  readonly json?: true
}

async function run(paths: readonly string[], flags: DoctorFlags): Promise<void> {
  if (flags.restore !== undefined) return bringBack(flags.restore, paths, flags)
  const chosen = systems.filter(({ id }) => flags.system === undefined || id === flags.system)
  const places = paths.length > 0 ? paths : [...new Set(chosen.flatMap(placesOf))]
  const totals = new Totals()
  const progress = new DoctorProgress(process.stderr, places, chosen)
  const { fix = false, force = false } = flags
  const rejection = flags.because === undefined ? undefined : await rejectionFrom(flags.because)
  const report = flags.report === undefined ? undefined : openReport(flags.report)
  const { session } = flags
  const isOverview = paths.length === 0 && !fix && !rejection && !flags.json && !flags.all
  const overview = isOverview ? new DoctorOverview(painter(process.stdout)) : undefined
  const options = {
    systems: chosen,
    fix,
    force,
    ...(flags.backup ? { backups: flags.backup } : {}),
    ...(rejection && { rejection }),
    ...(session === undefined ? {} : { session }),
  }
  try {
    if (rejection && fix) await mustBeMeant(rejection, places, options)
    for await (const one of examineStores(places, options)) {
      if (one.kind === 'unreadable' && paths.length === 0 && isMissing(one.error)) continue
      totals.add(one)
      if (one.kind !== 'unrecognised') progress.clear()
      if (overview && one.kind === 'conversation') overview.add(one)
      else print(one, flags)
      report?.add(one)
      progress.show(totals)
    }
    progress.clear()
    if (overview)
      process.stdout.write(
        overview
          .lines()
          .map(line => `${line}\n`)
          .join(''),
      )
    report?.close(totals)
  } catch (error) {
    report?.discard()
    throw error
  }
  if (totals.left > 0) exitWith('errors')
  // No session has what the error is about.
  if (rejection && totals.broken === 0) exitWith('errors')
  if (totals.unreadable > 0) exitWith('unreadable')
  if (!flags.json) process.stdout.write(`${renderTotals(totals, flags.fix === true, paths.length === 0, session)}\n`)
}

/**
 * An error does not say which session it is about, and its repair may remove all reasoning of a session. So with --fix exactly one session
 * must have what the error is about; otherwise nothing is changed.
 */
async function mustBeMeant(rejection: Rejection, places: readonly string[], options: DoctorOptions): Promise<void> {
  if (rejection.kind === 'history') return
  let count = 0
  for await (const one of examineStores(places, { ...options, fix: false }))
    if (one.kind === 'conversation' && one.examination.storeRepair && ++count > 1)
      throw new AntiphonError('wrong-option', 'the error does not say which session it is about, and several fit', {
        hint: 'name the file of one session, or its id with --session; without --fix they are listed',
      })
}

/** A default place of a system that is not in use on this machine. */
const isMissing = (error: Error): boolean => error.message.endsWith('there is no such file')

const placesOf = (system: System): readonly string[] =>
  system.places({
    home: homedir(),
    folder: process.cwd(),
    environment: process.env,
    platform: process.platform,
  })

function print(one: DoctorResult, { json, all }: DoctorFlags): void {
  if (json) {
    const value = resultJson(one)
    if (value) process.stdout.write(`${JSON.stringify(value)}\n`)
    return
  }
  if (one.kind === 'unreadable') process.stderr.write(`${errorLine(one.error)}\n`)
  const lines = renderResult(one, painter(process.stdout), all === true)
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
  if (one.kind === 'conversation' && one.failure) process.stderr.write(`${errorLine(one.failure)}\n`)
}

async function bringBack(backup: string, paths: readonly string[], flags: DoctorFlags): Promise<void> {
  const { restore: _, json, force = false, ...others } = flags
  if (paths.length > 1 || Object.keys(others).length > 0)
    throw new AntiphonError('wrong-option', '--restore can be combined only with --json, --force and one path or URL')
  const restored = await restore(backup, systems, paths[0], force)
  const { path, files, system, kept, notes = [] } = restored
  const restoreLines = [
    `restored ${plain(path)} (${system}): ${plural(files, 'file')}`,
    ...(kept === undefined ? [] : [`the replaced content is kept in ${plain(kept)}`]),
    ...notes.map(note => plain(note)),
  ]
  process.stdout.write(json ? `${JSON.stringify({ restored: true, ...restored })}\n` : `${restoreLines.join('\n')}\n`)
}

const shortened = (path: string): string => (path.startsWith(homedir()) ? `~${path.slice(homedir().length)}` : path)
