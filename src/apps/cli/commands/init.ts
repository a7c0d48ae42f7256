import { resolve } from 'node:path'
import type { Command } from 'commander'
import { replaceFileWithBackup } from '../../../doctor/files/replace-file.ts'
import { type PlannedFramework, planInit } from '../../init/plan-init.ts'
import { type Project, readProject } from '../../init/read-project.ts'
import { exitWith } from '../exit.ts'
import { pagePath } from '../page-path.ts'
import { painter } from '../paint.ts'
import { plain, shorten } from '../plain.ts'

export function addInit(program: Command): void {
  program
    .command('init')
    .summary('print the two lines of code that add Antiphon to a project')
    .description('Detect the frameworks of a project and print the two lines of code that add Antiphon to each.')
    .argument('[folder]', 'the folder with package.json, requirements.txt or pyproject.toml', '.')
    .option('--write', 'also add them, if there is exactly one place for them; the old file is kept as FILE.bak')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Nothing is installed, and without --write nothing is changed. With --write a file is changed only if the
framework is set up in exactly one place, with its options written out in the call; otherwise the reason is
printed.

Examples:
  antiphon init
  antiphon init --write
  antiphon init packages/server --json

Exit codes: without --write, 0 the lines were printed. With --write, 0 the lines were added, were there
already, or are not needed (Python takes an environment variable instead); 1 a place was found but could
not be changed.
With or without --write: 1 no known framework; 2 unreadable, or a wrong option.`,
    )
    .action(init)
}

interface InitFlags {
  readonly write?: true
  readonly json?: true
}

function init(folder: string, { write, json }: InitFlags): void {
  const project = readProject(folder)
  const planned = write ? writeEdits(project) : planInit(project).map(one => ({ ...one, backup: undefined }))
  const isOpen = planned.some(({ isDone, backup, places }) => !isDone && backup === undefined && places.length > 0)
  if (planned.length === 0 || (write && isOpen)) exitWith('errors')
  process.stdout.write(
    `${json ? JSON.stringify(initJson(project, planned)) : renderInit(project, planned, write === true)}\n`,
  )
}

interface InitResult extends PlannedFramework {
  readonly backup: string | undefined
}

/** Two frameworks may belong to one file: after a change, the rest is planned again. */
function writeEdits(project: Project): InitResult[] {
  let planned = planInit(project)
  const results: InitResult[] = []
  for (let one = planned[0]; one; one = planned[results.length]) {
    const backup = writeEdit(project, one)
    results.push({ ...one, backup })
    if (backup !== undefined) planned = planInit(project)
  }
  return results
}

function writeEdit({ folder }: Project, { edit }: PlannedFramework): string | undefined {
  if ('reason' in edit) return undefined
  return replaceFileWithBackup(resolve(folder, edit.file.name), edit.file.bytes, Buffer.from(edit.text))
}

const needsInstall = ({ packages }: Project, planned: readonly PlannedFramework[]): boolean =>
  packages !== undefined && !packages.has('antiphon') && planned.some(({ framework }) => !isPython(framework.id))

const isPython = (id: string): boolean => id.startsWith('python-')

function initJson(project: Project, planned: readonly InitResult[]): object {
  return {
    folder: resolve(project.folder),
    ...(needsInstall(project, planned) && { install: project.install }),
    frameworks: planned.map(({ framework, version, places, edit, isDone, backup }) => ({
      ...{ id: framework.id, name: framework.name, ...(version !== undefined && { version }) },
      ...{ lines: framework.lines, page: pagePath(framework.page), places, done: isDone || backup !== undefined },
      ...('file' in edit ? { file: edit.file.name } : { reason: edit.reason }),
      ...(backup !== undefined && { backup }),
    })),
    notes: project.notes,
  }
}

function renderInit(project: Project, planned: readonly InitResult[], isWritten: boolean): string {
  const { packages, python, install, notes } = project
  const paint = painter(process.stdout)
  if (planned.length === 0) return nothingFoundText(packages !== undefined || python !== undefined)
  const blocks = planned.map(one => {
    const { framework, version, places, isDone } = one
    const shown = places
      .slice(0, placesMax)
      .map(({ file, line, text }) => `  ${plain(file)}:${line}  ${shorten(text, 80)}`)
    const more = places.length > placesMax ? [`  ... and ${places.length - placesMax} more`] : []
    return [
      `${paint('strong', framework.name)}${version === undefined ? '' : ` ${shorten(version, 40)}`}`,
      ...[...shown, ...more].map(line => paint('place', line)),
      ...(isDone ? ['  nothing to add'] : [...framework.lines.map(line => `    ${line}`), ...outcome(one, isWritten)]),
      `  see ${pagePath(framework.page)}`,
      '',
    ].join('\n')
  })
  const first = needsInstall(project, planned) ? [`Install Antiphon: ${install}`] : []
  return [...blocks, ...first, ...notes].join('\n').trimEnd()
}

const placesMax = 5

function outcome({ edit, backup }: InitResult, isWritten: boolean): string[] {
  if (backup !== undefined && 'file' in edit) return [`  added to ${plain(edit.file.name)}, backup in ${plain(backup)}`]
  if (isWritten && 'reason' in edit) return [`  not added: ${plain(edit.reason)}`]
  return 'file' in edit ? [`  antiphon init --write adds them to ${plain(edit.file.name)}`] : []
}

const nothingFoundText = (isProject: boolean): string =>
  isProject
    ? 'No known framework was found. The proxy works with any program: antiphon proxy --help'
    : 'There is no package.json, requirements.txt or pyproject.toml here. Name the folder of a project: antiphon init FOLDER'
