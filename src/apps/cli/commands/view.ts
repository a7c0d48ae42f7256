import { type Command, Option } from 'commander'
import type { DialectId } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { systems } from '../../../doctor/systems.ts'
import type { ViewerOptions } from '../../viewer/index.ts'
import { plural } from '../counts.ts'
import { errorLine } from '../error-line.ts'
import { forOption } from '../flags.ts'
import { liveOption, schemaOption } from '../journal-file.ts'
import { openBrowser } from '../open-browser.ts'
import { plain } from '../plain.ts'
import { keptHistory } from '../session.ts'

export function addView(program: Command): void {
  program
    .command('view')
    .summary('show histories in the browser')
    .description('Open a local page that draws calls and results, what is wrong, and how it is repaired.')
    .argument(
      '[path...]',
      'histories, tapes, journals, and all stores that antiphon doctor knows; - reads standard input',
    )
    .addOption(new Option('--export <file>', 'write the page as one self-contained file instead'))
    .addOption(new Option('--force', 'overwrite the file of --export'))
    .addOption(new Option('--port <number>', 'port to listen on (default: any free port)').argParser(portOf))
    .addOption(new Option('--no-open', 'print the URL only, do not open a browser'))
    .addOption(forOption())
    .addOption(new Option('--system <name>', 'only stores of this system').choices(systems.map(({ id }) => id)))
    .addOption(schemaOption())
    .addOption(liveOption())
    .addHelpText(
      'after',
      `
The kind of each path is detected. Without a path the page is empty: files dropped on it stay in the browser.
A journal is shown live: approve or deny calls, and interrupt turns, from the page.
The text of a response in progress is shown if its program opened the journal with live: true.

Examples:
  antiphon view chat.json
  antiphon view ~/.codex/sessions              everything in a folder
  antiphon view chat.db                        a journal, live
  antiphon view chat.tape
  antiphon view chat.json --export chat.html   one file, to send or keep

Exit codes: 0; 2 unreadable, or a wrong option.`,
    )
    .action(run)
}

interface ViewFlags {
  readonly export?: string
  readonly force?: true
  readonly port?: number
  readonly open: boolean
  readonly for?: DialectId
  readonly system?: string
  readonly schema?: string
  readonly live?: string
}

async function run(paths: readonly string[], flags: ViewFlags): Promise<void> {
  const { export: file, force, port, open, ...chosen } = flags
  const options = { ...chosen, paths, readKept: keptHistory }
  if (file !== undefined) {
    if (port !== undefined)
      throw new AntiphonError('wrong-option', '--port cannot be used with --export, which starts no server', {
        hint: 'omit --port',
      })
    return exportTo(file, force === true, options)
  }
  if (force)
    throw new AntiphonError('wrong-option', '--force needs --export', { hint: 'use --export chat.html --force' })
  await serve({ ...options, ...(port === undefined ? {} : { port }) }, open)
}

async function exportTo(file: string, force: boolean, options: ViewerOptions): Promise<void> {
  const { paths = [], ...rest } = options
  if (paths.length === 0)
    throw new AntiphonError('wrong-option', 'there is nothing to export', { hint: 'name the files to export' })
  const { writeExport } = await import('../../viewer/index.ts')
  const { items, bytes, failures } = await writeExport({ ...rest, paths, file, force })
  warn(failures)
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  process.stdout.write(`${plain(file)}: ${plural(items, 'conversation')}, ${size}\n`)
}

/** Serves until SIGINT or SIGTERM. */
async function serve(options: ViewerOptions, open: boolean): Promise<void> {
  const { startViewer } = await import('../../viewer/index.ts')
  const viewer = await startViewer(options)
  warn(viewer.failures)
  // Set before the URL is printed: a program that waits for the URL may send the signal right after it.
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  process.stdout.write(`The page is at ${viewer.url} - press Ctrl+C to stop.\n`)
  if (open && process.stdout.isTTY) openBrowser(viewer.url)
  await stopped
  await viewer.close()
}

function warn(failures: readonly Error[]): void {
  for (const failure of failures) process.stderr.write(`${errorLine(failure)}\n`)
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new AntiphonError('unknown-port', `invalid port "${text}"`, {
    hint: 'use a number up to 65535; 0 is any free port',
  })
}
