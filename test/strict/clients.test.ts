import { describe, expect, test } from 'vitest'
import { type Asked, type Mode, type Script, startStrict } from '../../src/strict/index.ts'
import type { Heard, Talk } from './clients/client.ts'
import { clients } from './clients/index.ts'

const runs = clients.flatMap(client => [true, false].map(stream => ({ client, stream })))
const title = (run: (typeof runs)[number]) => `${run.client.name}${run.stream ? ', streaming' : ''}`
const cases = runs.map(run => [title(run), run] as const)

describe('every client', () => {
  test.each(cases)('%s: reads a text', async (_, run) => {
    const { heard } = await converse(run, { script: ['Good morning. ☀️ It is a fine day for a walk.'] })
    expect(heard).toEqual({ text: 'Good morning. ☀️ It is a fine day for a walk.', steps: [] })
  })

  test.each(cases)('%s: makes a call, and its result comes back', async (_, run) => {
    const { heard, asked } = await converse(run, {
      script: [{ calls: [{ name: 'weather', input: { city: 'Lisbon, by the river' } }] }, 'It is sunny.'],
      tools: ['weather'],
    })
    expect(heard.text).toBe('It is sunny.')
    expect(heard.steps).toMatchObject([[{ name: 'weather', input: { city: 'Lisbon, by the river' } }]])
    expect(asked.at(-1)?.results).toEqual([{ id: heard.steps[0][0].id, name: 'weather', text: 'weather ran' }])
    expect(asked.at(-1)?.lastUser).toBe('Go.')
  })

  test.each(cases)('%s: makes two calls at once', async (_, run) => {
    const { heard, asked } = await converse(run, {
      script: [
        { text: 'Let me see.', calls: [call('weather', 'Porto'), call('weather', 'Faro'), call('time', 'Faro')] },
        'Done.',
      ],
      tools: ['weather', 'time'],
    })
    expect(heard.steps).toMatchObject([[call('weather', 'Porto'), call('weather', 'Faro'), call('time', 'Faro')]])
    expect(new Set(heard.steps[0].map(({ id }) => id)).size).toBe(3)
    expect(asked.at(-1)?.results.map(({ id }) => id)).toEqual(heard.steps[0].map(({ id }) => id))
    expect(asked.at(-1)?.calls).toEqual(['weather', 'weather', 'time'])
  })

  test.each(cases)('%s: goes through the default script to its end', async (_, run) => {
    const { heard } = await converse(run, { tools: ['weather', 'time'] })
    expect(heard.steps).toMatchObject([[call('weather', 'word')], [call('time', 'word')]])
    expect(heard.text).toBe('Done: weather gave weather ran; time gave time ran.')
  })

  test.each(cases)('%s: tells a rate limit as its own error', async (_, run) => {
    const error = await fail(run, 'rate-limit')
    expect(run.client.isError(error, 429), String(error)).toBe(true)
  })

  test.each(cases)('%s: tells an overload as its own error', async (_, run) => {
    const status = run.client.name.endsWith('anthropic') ? 529 : 503
    const error = await fail(run, 'overload')
    expect(run.client.isError(error, status), String(error)).toBe(true)
  })

  test.each(cases)('%s: fails when the answer is cut', async (_, run) => {
    expect(await fail(run, 'cut')).toBeInstanceOf(Error)
  })

  test.each(cases)('%s: fails when the answer is malformed', async (_, run) => {
    expect(await fail(run, 'malformed')).toBeInstanceOf(Error)
  })

  test.each(cases)('%s: waits for a slow answer', async (_, run) => {
    const { heard } = await converse(run, { script: ['At last.'], mode: 'slow:1' })
    expect(heard.text).toBe('At last.')
  })
})

describe('an error inside a stream', () => {
  const streaming = cases.filter(([, { stream }]) => stream)

  test.each(streaming)('%s: fails', async (_, run) => {
    const error = await fail(run, 'overload:stream')
    expect(error).toBeInstanceOf(Error)
    if (run.client.name !== 'mistral') expect(run.client.isError(error), String(error)).toBe(true)
  })
})

const call = (name: string, city: string) => ({ name, input: { city } })

interface Setting {
  script?: Script
  tools?: string[]
  mode?: Mode
}

/** One conversation with a server of its own. `asked` is what each request looked like to the script. */
async function converse(run: (typeof runs)[number], { script, tools = [], mode }: Setting) {
  await using strict = await startStrict(mode === undefined ? {} : { mode })
  const asked: Asked[] = []
  if (Array.isArray(script)) {
    const replies = [...script]
    strict.script(request => {
      asked.push(request)
      return replies.shift() ?? 'No more.'
    })
  }
  const talk: Talk = { prompt: 'Go.', stream: run.stream, tools, run: name => `${name} ran` }
  const heard: Heard = await run.client.converse(strict.url, talk)
  return { heard, asked, strict }
}

const fail = (run: (typeof runs)[number], mode: Mode): Promise<unknown> =>
  converse(run, { script: ['A text that is long enough to be cut in the middle.'], mode }).then(
    ({ heard }) => `no error, but ${JSON.stringify(heard)}`,
    error => error,
  )
