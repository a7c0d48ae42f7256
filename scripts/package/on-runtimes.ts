import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Checks, must } from './checks.ts'
import { spawn } from './spawn.ts'
import { type Runtime, runtimes } from './tools.ts'

/** Runs the programs, and the command line, on every runtime, in a project without any optional peer. */
export async function checkRuntimes(checks: Checks, project: string, specifiers: readonly string[]): Promise<void> {
  for (const runtime of runtimes) {
    const run = (...words: string[]) => spawn([...runtime.command, ...words], project)
    await checks.add(`${runtime.name} is there`, async () => (await run('version.mjs')).trim())
    for (const specifier of specifiers.filter(each => runtime.runs !== 'the core' || core.test(each)))
      await checks.add(`${runtime.name}: ${specifier} imports alone`, async () => {
        const names = await run('import-alone.mjs', specifier)
        if (!runtime.name.startsWith('Node')) return
        const required = await run('require-alone.cjs', specifier)
        must(required === names, `require gives ${required}`)
      })
    await checks.add(`${runtime.name}: heals, checks, converts and trims`, () => quietly(run('heal.mjs')))
    await checks.add(`${runtime.name}: healFetch leaves nothing open`, () => quietly(run('fetch.mjs')))
    if (runtime.runs === 'the core') continue
    await checks.add(`${runtime.name}: a missing package is named`, () => quietly(run('missing-packages.mjs')))
    await checks.add(`${runtime.name}: a strict provider refuses and answers`, () => quietly(run('strict.mjs')))
    await checkCommands(checks, runtime, project)
    const file = join(project, `${runtime.name.replaceAll(' ', '-')}.db`)
    if (runtime.runs !== 'all') {
      await checks.add(`${runtime.name}: what needs SQLite names the Node that has it`, async () => {
        await spawn([process.execPath, 'journal.mjs', file], project)
        await quietly(run('without-sqlite.mjs', file))
      })
      continue
    }
    await checks.add(`${runtime.name}: SQLite keeps a turn and its approval`, () => quietly(run('journal.mjs', file)))
    await checks.add(`${runtime.name}: SQLite that is locked, damaged or out of reach`, () =>
      quietly(run('journal-troubles.mjs', `${file}-2`)),
    )
    if (runtime.name.startsWith('Node'))
      await checks.add(`${runtime.name}: antiphon mcp`, () => quietly(run('mcp.mjs')))
  }
}

/** The front door, the formats, and what needs only them. */
const core = /^antiphon(\/(?!adapters|journal|proxy|strict).*)?$/

async function quietly(running: Promise<string>): Promise<void> {
  const said = await running
  must(said === '', `it said ${said}`)
}

const broken = [
  { role: 'user', content: 'Refund order 1042.' },
  { role: 'tool', tool_call_id: 'call_a', content: 'refunded' },
]

async function checkCommands(checks: Checks, { name, command }: Runtime, project: string): Promise<void> {
  await writeFile(join(project, 'broken.json'), JSON.stringify(broken))
  const antiphon = (...words: string[]) =>
    spawn([...command, join('node_modules', 'antiphon', 'dist', 'cli.js'), ...words], project)
  await checks.add(`${name}: antiphon --help`, async () => {
    const help = await antiphon('--help')
    for (const word of ['check', 'heal', 'demo', 'doctor', 'strict'])
      must(help.includes(word), `it does not name ${word}`)
  })
  await checks.add(`${name}: antiphon check`, async () => {
    const complaint = await antiphon('check', 'broken.json').then(
      () => 'it found nothing',
      error => (error as { cause: { stdout: string } }).cause.stdout,
    )
    must(complaint.includes('error[orphan-result]'), complaint)
  })
  await checks.add(`${name}: antiphon heal`, async () => {
    await writeFile(join(project, 'healed.json'), await antiphon('heal', 'broken.json'))
    await antiphon('check', 'healed.json')
  })
  await checks.add(`${name}: antiphon explain names a page that is installed`, async () => {
    const [, page] = (await antiphon('explain', 'AI_MissingToolResultsError')).match(/= more: (.+)/) ?? []
    must((await readFile(resolve(project, page), 'utf8')).includes('healSteps'), `${page} is another page`)
  })
  await checks.add(`${name}: antiphon demo`, async () => {
    must(/unanswered-call|orphan-result/.test(await antiphon('demo')), 'it shows no rule')
  })
}
