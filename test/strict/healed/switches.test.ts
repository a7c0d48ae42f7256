import { describe, expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { type ScriptInput, type Strict, startStrict } from '../../../src/strict/index.ts'
import { libraries, type Target } from './chats.ts'

/** Thinks, says something and calls a tool; then thinks and says what it got. */
const script = ({ results }: ScriptInput) =>
  results.length > 0
    ? { thinking: 'So it is.', text: `It is ${results[0].text}.` }
    : { thinking: 'Let me look.', text: 'One moment.', calls: [{ name: 'weather', input: { city: 'Lisbon' } }] }

/** Whom a conversation goes to after a step in the middle of its second turn. */
const switches = ['model', 'endpoint', 'account'] as const

/** Three turns of two requests each; the fourth request and all later ones go to the other target. */
async function converse(
  { models, open }: (typeof libraries)[number],
  change: (typeof switches)[number],
  wrap: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch,
) {
  await using strict = await startStrict({ script })
  await using other = await startStrict({ script })
  const first: Target = { url: strict.url, apiKey: 'one', model: models[0] }
  const second: Target = {
    ...first,
    ...(change === 'model' && { model: models[1] }),
    ...(change === 'endpoint' && { url: other.url }),
    ...(change === 'account' && { apiKey: 'two' }),
  }
  const warming = open()
  // Each server counts its ids from 1, and those of two real ones never meet.
  for (const index of [0, 1, 2, 3]) {
    if (!(index > 0 && warming.answer('warm'))) warming.user('Something else')
    await warming.ask({ ...first, url: other.url, apiKey: 'three' }, globalThis.fetch)
  }
  const warmed = other.requests.length
  const chat = open()
  // Each conversation remembers for itself what it was rejected for.
  const fetch = wrap((...args) => globalThis.fetch(...args))
  let failed: unknown
  try {
    for (const [index, target] of [first, first, first, second, second, second].entries()) {
      if (index % 2 === 1) chat.answer(`result ${index}`)
      else chat.user(`Question ${index}?`)
      await chat.ask(target, fetch)
    }
  } catch (error) {
    failed = error
  }
  const requests = (server: Strict) => server.requests.map(({ verdict, body }) => ({ verdict, body }))
  return { failed, requests: [...requests(strict), ...requests(other).slice(warmed)] }
}

describe.each(libraries)('$name', library => {
  test.each(switches)('[S8] a switch of the %s in the middle of a turn is rejected without healing', async change => {
    const { failed, requests } = await converse(library, change, fetch => fetch)
    expect(failed).toBeInstanceOf(Error)
    expect(requests.map(({ verdict }) => verdict === 'accepted')).toEqual([true, true, true, false])
    expect(requests[3].verdict).toMatchObject({ status: 400 })
  })

  test.each(switches)('[S8] a switch of the %s in the middle of a turn goes on with healFetch', async change => {
    const { failed, requests } = await converse(library, change, fetch => healFetch({ fetch, onRepair: () => {} }))
    expect(failed).toBeUndefined()
    // One rejection taught enough for the rest of the conversation.
    expect(requests.map(({ verdict }) => verdict === 'accepted')).toEqual([true, true, true, false, true, true, true])
    const last = JSON.stringify(requests[6].body)
    for (const words of [
      'Question 0?',
      'Question 2?',
      'Question 4?',
      'One moment.',
      'It is result 1',
      'It is result 3',
    ])
      expect(last).toContain(words)
    for (const result of ['result 1', 'result 3', 'result 5']) expect(last).toContain(`"${result}"`)
    expect(last.match(/"(name|toolName)":"weather"/g)?.length).toBeGreaterThanOrEqual(3)
    // What the one that is asked now has signed stays.
    const signed = last.match(/"\w+strict[0-9a-f]{32,}"/g) ?? []
    expect(signed.length).toBeGreaterThan(0)
    for (const signature of signed) expect(JSON.stringify(requests[3].body)).not.toContain(signature)
  })
})
