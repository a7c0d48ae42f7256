import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { healFetch } from '../../src/integrations/fetch/index.ts'

/** The header of a PNG that is larger than a provider takes, and its end. */
function largePng(): string {
  const bytes = Buffer.alloc(60)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(20_000, 16)
  bytes.writeUInt32BE(20_000, 20)
  bytes.write('IEND', 50)
  return bytes.toString('base64')
}

test('[SE148] a resize function that never answers does not hold a request for ever', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const source = { type: 'base64', media_type: 'image/png', data: largePng() }
  const messages = [{ role: 'user', content: [{ type: 'image', source }] }]
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 5, messages })
  const sent: string[] = []
  const errors: unknown[] = []
  const heal = healFetch({
    resize: () => new Promise(() => {}),
    onError: error => errors.push(error),
    onRepair: () => {},
    async fetch(_, init) {
      sent.push(String(init?.body))
      return Response.json({})
    },
  })
  void heal('https://api.anthropic.com/v1/messages', { method: 'POST', body })
  for (let tries = 0; sent.length === 0 && tries < 1_000; tries++) {
    await vi.advanceTimersByTimeAsync(1_000)
    // The image is hashed in another thread.
    await sleep(2)
  }
  expect(JSON.parse(sent[0] ?? '{}').messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: expect.stringContaining('[image removed') }] },
  ])
  expect(errors).toMatchObject([{ message: 'no image after 20 seconds' }])
})
