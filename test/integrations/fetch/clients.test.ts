import { describe, expect, test } from 'vitest'
import { failures as demo } from '../../../src/apps/demo-failures.ts'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { type Strict, startStrict } from '../../../src/strict/index.ts'
import type { Client } from './clients/client.ts'
import { clients } from './clients/index.ts'
import { failureNames, failures, healthy, type Said } from './failures.ts'

const runs = clients.flatMap(client => [false, true].map(stream => ({ client, stream })))
const title = ({ client, stream }: (typeof runs)[number]) => `${client.name}${stream ? ', streaming' : ''}`
const cases = runs.map(run => [title(run), run] as const)

test.each(cases)('[H1] %s: a request that is rejected without healing is answered with it', async (_, run) => {
  for (const name of failureNames.filter(name => run.client.refused.includes(name))) {
    const without = await ask(run, failures[name], globalThis.fetch)
    expect(without.error, name).toBeInstanceOf(Error)
    expect(without.verdicts, name).toMatchObject([{ status: 400 }])
    const healed = await ask(run, failures[name], healFetch({ onError: fail }))
    expect(healed, name).toEqual({ error: undefined, verdicts: ['accepted'] })
  }
})

test.each(cases)('[H1] %s: a request that is accepted without healing is accepted with it', async (_, run) => {
  const { refused, unsent = [] } = run.client
  const accepted = failureNames.filter(name => !refused.includes(name) && !unsent.includes(name))
  for (const messages of [healthy, ...accepted.map(name => failures[name])]) {
    const healed = await ask(run, messages, healFetch({ onError: fail }))
    expect(healed).toEqual({ error: undefined, verdicts: ['accepted'] })
  }
})

describe('the demo', () => {
  const histories = demo.flatMap(failure => [false, true].map(stream => ({ ...failure, stream })))
  test.each(histories)('[H1] $title, streaming $stream', async failure => {
    await using strict = await startStrict()
    const send = (fetch: typeof globalThis.fetch) =>
      fetch(`${strict.url}/${failure.for}${failure.request.path}`, {
        method: 'POST',
        body: JSON.stringify({ ...failure.request.body, stream: failure.stream, messages: failure.history }),
      })
    expect((await send(globalThis.fetch)).status).toBe(400)
    expect((await send(healFetch())).status).toBe(200)
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual([expect.anything(), 'accepted'])
  })
})

async function ask(
  run: { client: Client; stream: boolean },
  messages: readonly Said[],
  fetch: typeof globalThis.fetch,
) {
  await using strict: Strict = await startStrict()
  const asking = run.client.ask({ url: strict.url, messages, stream: run.stream, fetch })
  const error = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { error, verdicts: strict.requests.map(({ verdict }) => verdict) }
}

function fail(error: unknown): never {
  throw error
}
