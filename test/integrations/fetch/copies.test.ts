import { afterEach, expect, test, vi } from 'vitest'
import { upstream } from '../proxy/serving.ts'
import { chatPath, healthyBody, post } from './requests.ts'

/** The `healFetch` of a process with this release of undici, of which `fetch` is made. */
async function healFetchWith(undici: string): Promise<typeof fetch> {
  vi.resetModules()
  vi.stubGlobal('process', Object.create(process, { versions: { value: { ...process.versions, undici } } }))
  const { healFetch } = await import('../../../src/integrations/fetch/index.ts')
  return healFetch()
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const event = 'data: {"choices":[{"delta":{"content":"sunny"}}]}\n\n'
const answers = [
  ['a stream', 200, 'text/event-stream', event.repeat(3)],
  ['an error', 400, 'application/json', '{"error":{"message":"no"}}'],
] as const

test.each(answers)('[H22] %s is not cloned where a clone keeps the process alive', async (_, status, type, text) => {
  const { url } = await upstream((_, response) => response.writeHead(status, { 'content-type': type }).end(text))
  const clone = vi.spyOn(Response.prototype, 'clone').mockImplementation(expect.unreachable)
  const response = await (await healFetchWith('5.29.0'))(`${url}${chatPath}`, post(healthyBody))
  expect(clone).not.toHaveBeenCalled()
  clone.mockRestore()
  expect(response).toMatchObject({ status, url: `${url}${chatPath}`, redirected: false, type: 'basic' })
  expect(response.headers.get('content-type')).toBe(type)
  expect(await response.clone().text()).toBe(text)
  expect(await response.text()).toBe(text)
})

test('[H22] a stream that the program cancels is cancelled at the provider', async () => {
  let isClosed = false
  const { url } = await upstream((_, response) => {
    response
      .on('close', () => (isClosed = true))
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(event)
  })
  const response = await (await healFetchWith('5.29.0'))(`${url}${chatPath}`, post(healthyBody))
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(() => isClosed).toBe(true)
})
