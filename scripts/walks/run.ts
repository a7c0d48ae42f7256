import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumPath, noChromium } from '../../test/apps/viewer/browser/chromium.ts'
import { type Model, startModel } from './model.ts'
import { Person } from './person.ts'
import { runCopilot } from './run-copilot.ts'
import { type AppName, Site, stageApps } from './site.ts'
import { type Walk, walks } from './walks.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    app: { type: 'string' },
    picture: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Drive apps in a real browser, and kill their servers: useChat and chatHandler in Next.js and in Vite, CopilotKit and agUiHandler.

  --app NAME     start, next, vite or copilotkit (all)
  --picture FILE only take the picture for docs/copilotkit.md
  --only TEXT    only walks whose row has one of these texts, with | between`)
  process.exit()
}

interface Context {
  readonly walk: Walk
  readonly site: Site
  readonly model: Model
  readonly browser: BrowserContext
}

/** What happens in the state that a walk has reached. Returns the person who goes on. */
const incidents: Record<string, (person: Person, context: Context) => Promise<Person>> = {
  nothing: async person => person,
  async reload(person) {
    await person.reload()
    return person
  },
  'second tab': person => person.anotherTab(),
  async 'kill -9, reload'(person, { site }) {
    await site.kill()
    await site.start()
    await person.reload()
    return person
  },
  async 'kill -9, same page'(person, { site, walk }) {
    await site.kill()
    await site.start()
    if (!walk.isBusy) return person
    await person.sees('the error', (_, status) => status === 'error')
    await person.press('Try again')
    return person
  },
}

const say = (line: string): void => console.error(line)
const found = await chromiumPath()
if (!found) throw new Error(noChromium)
await using model = await startModel()
const { app: wanted = values.picture === undefined ? undefined : 'copilotkit', picture } = values
const browser = await chromium.launch({
  ...{ executablePath: found.executablePath, args: [...found.args] },
  env: { ...process.env, ...found.env } as Record<string, string>,
})
const rows: string[][] = []
let hasFailed = false
for (const app of ['start', 'next', 'vite'] as const) {
  if (wanted !== undefined && wanted !== app) continue
  const staged = await stageApps(say)
  say(`building the app of ${app}`)
  await using site = await Site.build(app, staged, model.url)
  await site.start()
  for (const walk of walks)
    for (const incident of Object.keys(incidents))
      if (app !== 'start' || isOfStart(walk, incident)) await row(site, app, walk, incident)
}
if (wanted === undefined || wanted === 'copilotkit')
  rows.push(...(await runCopilot({ browser, model, say, isWanted, picture })))
hasFailed ||= rows.some(row => row.at(-1) !== 'held')
await browser.close()
const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column].length)))
console.log(rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n'))
if (hasFailed) process.exitCode = 1

/** The start has no buttons for more. */
function isOfStart({ name }: Walk, incident: string): boolean {
  return (name === 'send' || name === 'deny') && !incident.endsWith('same page')
}

function isWanted(cells: readonly string[]): boolean {
  return values.only.split('|').some(text => cells.join(' ').includes(text))
}

async function row(site: Site, app: AppName, walk: Walk, incident: string): Promise<void> {
  const cells = [app, walk.name, walk.state, incident]
  if (!isWanted(cells)) return
  const context = await browser.newContext()
  const outcome = await take(incident, { walk, site, model, browser: context }).then(
    () => 'held',
    (error: unknown) => `FAILED: ${error instanceof Error ? error.message : error}`,
  )
  await context.close()
  rows.push([...cells, outcome])
  say([...cells, outcome].join(', '))
}

async function take(incident: string, context: Context): Promise<void> {
  const { walk, site, model, browser } = context
  model.isSlow = false
  const [effects, rejections] = [site.effectCount, model.rejections.length]
  const person = await Person.at(`${site.url}/?chat=${randomUUID()}`, browser)
  await walk.reach(person, model, site)
  // Whatever is said a second time is said at once.
  model.isSlow = false
  const other = await incidents[incident](person, context)
  await walk.finish(other, model)
  // A page that is loaded again shows the same.
  const fresh = await other.anotherTab()
  await fresh.seesTheSame(other)
  if (other !== person && walk.isBusy) await person.seesTheSame(other)
  const [least, most] = walk.effects ?? [0, 0]
  const times = site.effectCount - effects
  if (times < least || times > (incident.startsWith('kill') ? most : least)) throw new Error(`tools ran ${times} times`)
  if (model.rejections.length > rejections) throw new Error(`rejected: ${model.rejections.at(-1)}`)
}
