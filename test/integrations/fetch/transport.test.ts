import { expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { startRecorder } from './recorder.ts'
import { brokenBody, chatPath, healthyBody, messagesOf, post } from './requests.ts'

const url = `http://any${chatPath}`

/** A stream that sends the beginning of a body, and then nothing. */
function stalled() {
  let cancelled: unknown
  const stream = new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode(brokenBody.slice(0, 20))),
    cancel(reason) {
      cancelled = reason
    },
  })
  return { stream, cancelled: () => cancelled }
}

test('[H12] with a signal that is already aborted nothing is sent', async () => {
  await using server = await startRecorder()
  const reason = new Error('too late')
  for (const body of [brokenBody, new Blob([brokenBody]).stream()]) {
    const init = post(body, { duplex: 'half', signal: AbortSignal.abort(reason) })
    await expect(healFetch()(server.url + chatPath, init)).rejects.toBe(reason)
  }
  expect(server.requests).toEqual([])
})

test('[H12] a signal ends the wait for a body that does not arrive, and cancels the body', async () => {
  await using server = await startRecorder()
  const controller = new AbortController()
  const { stream, cancelled } = stalled()
  const asking = healFetch()(server.url + chatPath, post(stream, { duplex: 'half', signal: controller.signal }))
  const reason = new Error('never mind')
  setTimeout(() => controller.abort(reason), 20)
  await expect(asking).rejects.toBe(reason)
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(cancelled()).toBe(reason)
})

test.each([brokenBody, healthyBody])('[H12] a signal ends an answer in progress', async body => {
  await using strict = await startStrict({ mode: 'slow:50', script: ['a '.repeat(500)] })
  const controller = new AbortController()
  const streaming = body.replace('"model"', '"stream":true,"model"')
  const response = await healFetch()(strict.url + chatPath, post(streaming, { signal: controller.signal }))
  const reader = response.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  controller.abort()
  await expect(
    (async () => {
      while (!(await reader?.read())?.done);
    })(),
  ).rejects.toThrow('aborted')
})

test('[H12] the signal of a Request counts too', async () => {
  await using strict = await startStrict({ mode: 'slow:200' })
  const controller = new AbortController()
  const asking = healFetch()(new Request(strict.url + chatPath, post(brokenBody, { signal: controller.signal })))
  setTimeout(() => controller.abort(), 30)
  await expect(asking).rejects.toThrow('aborted')
})

test('[H12] options without a signal remove that of a Request', async () => {
  await using server = await startRecorder()
  const stream = new Blob([brokenBody]).stream()
  const request = new Request(server.url + chatPath, post(stream, { duplex: 'half', signal: AbortSignal.abort() }))
  expect((await healFetch()(request, { signal: null })).status).toBe(200)
  expect(messagesOf(server.requests[0].body).length).toBe(4)
})

test('[H12] a body that fails makes the request fail, as without healing', async () => {
  await using server = await startRecorder()
  const broken = () =>
    new ReadableStream({
      pull(controller) {
        controller.error(new Error('the disk is gone'))
      },
    })
  const failure = async (send: typeof fetch) =>
    send(server.url + chatPath, post(broken(), { duplex: 'half' })).catch((error: Error) =>
      String(error.cause ?? error),
    )
  expect(await failure(healFetch())).toBe(await failure(fetch))
})

test('[H12] a healed body follows a redirect', async () => {
  await using target = await startRecorder()
  await using door = await startRecorder({ status: 307, headers: { location: target.url + chatPath } })
  const response = await healFetch()(door.url + chatPath, post(brokenBody))
  expect([response.redirected, response.url]).toEqual([true, target.url + chatPath])
  expect(messagesOf(target.requests[0].body).length).toBe(4)
})

test('[H12] other options of the request are kept', async () => {
  const seen: RequestInit[] = []
  const spy: typeof fetch = async (_, init) => {
    seen.push(init ?? {})
    return new Response('{}')
  }
  const { signal } = new AbortController()
  const said = { signal, keepalive: true, redirect: 'manual', dispatcher: {}, custom: 1 } as object as RequestInit
  await healFetch({ fetch: spy })(url, post(brokenBody, said))
  expect(seen[0]).toMatchObject(said)
  expect(seen[0].signal).toBe(signal)
})

test('[H12] the response is the provider’s own, and is passed on before it has ended', async () => {
  const endless = new Response(new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1)) }))
  for (const body of [brokenBody, healthyBody])
    expect(await healFetch({ fetch: async () => endless })(url, post(body))).toBe(endless)
})

test('[H12] a rejection that never ends is not awaited beyond the signal', async () => {
  const endless = new Response(new ReadableStream({}), { status: 400 })
  const signal = AbortSignal.timeout(30)
  expect(await healFetch({ fetch: async () => endless })(url, post(brokenBody, { signal }))).toBe(endless)
})
