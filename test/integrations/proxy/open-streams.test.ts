import { expect, test } from 'vitest'
import { brokenBody, chatPath, healthyBody, post } from '../fetch/requests.ts'
import { serveApart } from './serve-apart.ts'
import { upstream } from './serving.ts'

const megabytes = 1024 * 1024
const [streams, length] = [8, 2 * megabytes]

test.each([
  ['healthy', healthyBody],
  ['healed', brokenBody],
])('[PX36] while an answer streams, nothing of its long request is kept (%s)', async (_, body) => {
  const { url: to } = await upstream((request, response) =>
    request.resume().on('end', () => response.write('data: one\n\n')),
  )
  const { url, hold } = await serveApart(to)
  const long = body.replace(/(?<="content":\s*")/, 'word '.repeat(length / 5))
  const ask = async () => (await fetch(url + chatPath, post(long))).body?.getReader().read()
  await ask()
  const before = await hold()
  for (let stream = 0; stream < streams; stream++) await ask()
  const after = await hold()
  expect(after.sockets).toBeGreaterThan(before.sockets)
  expect(after.bufferBytes - before.bufferBytes).toBeLessThan((streams * length) / 4)
  expect(after.heapBytes - before.heapBytes).toBeLessThan((streams * length) / 4)
})
