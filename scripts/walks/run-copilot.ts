import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Browser } from 'playwright-core'
import { CopilotPerson } from './copilot-person.ts'
import { CopilotSite } from './copilot-site.ts'
import { type CopilotWalk, copilotWalks } from './copilot-walks.ts'
import type { Model } from './model.ts'

/** What happens in the state that a walk has reached. Returns the person who goes on. */
const incidents: Record<string, (person: CopilotPerson, site: CopilotSite) => Promise<CopilotPerson>> = {
  nothing: async person => person,
  async reload(person) {
    await person.reload()
    return person
  },
  'second tab': person => person.anotherTab(),
  async 'kill -9, reload'(person, site) {
    await site.kill()
    await site.start()
    await person.reload()
    return person
  },
}

export interface CopilotRun {
  readonly browser: Browser
  readonly model: Model
  readonly say: (line: string) => void
  /** Whether a row is asked for. */
  readonly isWanted: (cells: readonly string[]) => boolean
  /** A file for a picture; then nothing else is done. */
  readonly picture: string | undefined
}

/** The walks through the app of CopilotKit, as rows of a table. */
export async function runCopilot({ browser, model, say, isWanted, picture }: CopilotRun): Promise<string[][]> {
  say('building the app of copilotkit')
  await using site = await CopilotSite.build(model.url, say)
  await site.start()
  if (picture !== undefined) return await takePicture(picture, { browser, model, site })
  const rows: string[][] = []
  for (const walk of copilotWalks)
    for (const incident of Object.keys(incidents)) {
      const cells = ['copilotkit', walk.name, walk.state, incident]
      if (!isWanted(cells)) continue
      const outcome = await take(walk, incident, { browser, model, site }).then(
        () => 'held',
        (error: unknown) => `FAILED: ${error instanceof Error ? error.message : error}`,
      )
      rows.push([...cells, outcome])
      say([...cells, outcome].join(', '))
    }
  return rows
}

interface Place {
  readonly browser: Browser
  readonly model: Model
  readonly site: CopilotSite
}

async function takePicture(file: string, { browser, site }: Place): Promise<[]> {
  const context = await browser.newContext({ viewport: { width: 720, height: 760 } })
  const person = await CopilotPerson.at(`${site.url}/?chat=${randomUUID()}`, context)
  await person.say('Paint the page red')
  await person.sees('the answer', ({ texts, isRunning }) => !isRunning && texts.length === 3)
  await person.say('Pay for the flight')
  await person.sees('the question', ({ question, isRunning }) => question !== '' && !isRunning)
  await person.screenshot(file)
  await context.close()
  return []
}

async function take(walk: CopilotWalk, incident: string, { browser, model, site }: Place): Promise<void> {
  const context = await browser.newContext()
  try {
    model.isSlow = false
    const rejections = model.rejections.length
    const person = await CopilotPerson.at(`${site.url}/?chat=${randomUUID()}`, context)
    await walk.reach(person, model)
    model.isSlow = false
    const next = await incidents[incident](person, site)
    await walk.finish(next)
    // A page that is loaded again shows the same.
    const { texts } = await next.view()
    const fresh = await next.anotherTab()
    await fresh.sees('the same as the other tab', view => isDeepStrictEqual(view.texts, texts))
    if (model.rejections.length > rejections) throw new Error(`rejected: ${model.rejections.at(-1)}`)
  } finally {
    await context.close()
  }
}
