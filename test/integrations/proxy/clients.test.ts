import { describe, expect, test } from 'vitest'
import { failures as demo } from '../../../src/apps/demo-failures.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { anthropic } from '../fetch/clients/anthropic.ts'
import type { Client } from '../fetch/clients/client.ts'
import { cohere } from '../fetch/clients/cohere.ts'
import { genai } from '../fetch/clients/genai.ts'
import { genaiInteractions } from '../fetch/clients/genai-interactions.ts'
import { mistral } from '../fetch/clients/mistral.ts'
import { ollama } from '../fetch/clients/ollama.ts'
import { deepseekChat, openaiChat, openaiResponses } from '../fetch/clients/openai.ts'
import { failureNames, failures, healthy, type Said } from '../fetch/failures.ts'
import { metric, serve } from './serving.ts'

const clients: Client[] = [
  openaiChat,
  deepseekChat,
  openaiResponses,
  anthropic,
  genai,
  genaiInteractions,
  mistral,
  cohere,
  ollama,
]
const runs = clients.flatMap(client =>
  [false, true].map(stream => [`${client.name}${stream ? ', streaming' : ''}`, { client, stream }] as const),
)

test.each(runs)('[PX1] %s: a request that is rejected directly is answered through the proxy', async (_, run) => {
  for (const name of failureNames.filter(name => run.client.refused.includes(name))) {
    const directly = await ask(run, failures[name], false)
    expect(directly.error, name).toBeInstanceOf(Error)
    expect(directly.verdicts, name).toMatchObject([{ status: 400 }])
    expect(await ask(run, failures[name], true), name).toEqual({ error: undefined, verdicts: ['accepted'] })
  }
})

test.each(runs)('[PX1] %s: a request that is accepted directly is accepted through the proxy', async (_, run) => {
  const { refused, unsent = [] } = run.client
  const accepted = failureNames.filter(name => !refused.includes(name) && !unsent.includes(name))
  for (const messages of [healthy, ...accepted.map(name => failures[name])])
    expect(await ask(run, messages, true)).toEqual({ error: undefined, verdicts: ['accepted'] })
})

async function ask(run: { client: Client; stream: boolean }, messages: readonly Said[], isBehind: boolean) {
  await using strict = await startStrict()
  const { url } = isBehind ? await serve({ to: strict.url }) : strict
  const asking = run.client.ask({ url, messages, stream: run.stream, fetch })
  const error = await asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { error, verdicts: strict.requests.map(({ verdict }) => verdict) }
}

describe('the demo', () => {
  const histories = demo.flatMap(failure => [false, true].map(stream => ({ ...failure, stream })))
  test.each(histories)('[PX1] [PX13] $title, streaming $stream', async failure => {
    await using strict = await startStrict()
    const { url, reports, proxyErrors, errors } = await serve({ to: strict.url })
    const send = (base: string) =>
      fetch(`${base}/${failure.for}${failure.request.path}`, {
        method: 'POST',
        body: JSON.stringify({ ...failure.request.body, stream: failure.stream, messages: failure.history }),
      })
    expect((await send(strict.url)).status).toBe(400)
    const response = await send(url)
    expect(response.status).toBe(200)
    await response.text()
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual([expect.anything(), 'accepted'])
    expect(reports).toMatchObject([{ changed: true, format: failure.format, dialect: failure.for }])
    const [{ rule }] = reports[0].repairs
    expect(response.headers.get('x-antiphon-repairs')).toBe(`${rule}=1`)
    expect([proxyErrors, errors]).toEqual([[], []])
    expect(await metric(url, 'repairs_total', { rule, applied: 'true' })).toBe(1)
    expect(await metric(url, 'healed_total', { dialect: failure.for })).toBe(1)
    expect(await metric(url, 'requests_total', { route: 'default', status: '200' })).toBe(1)
    expect(await metric(url, 'added_seconds_count')).toBe(1)
  })
})
