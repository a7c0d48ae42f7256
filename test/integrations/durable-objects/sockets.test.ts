import { expect, test } from 'vitest'
import { Sockets } from '../../../src/integrations/durable-objects/sockets.ts'
import { sleep, systemClock } from '../../../src/journal/clock.ts'

test('a socket that is gone is not fed any more, so that the object can hibernate', async () => {
  const feeds: AbortSignal[] = []
  let open = [{ deserializeAttachment: () => '0', serializeAttachment() {}, send() {} }]
  let isBusy = true
  const thread = {
    async *watch({ signal }: { readonly signal: AbortSignal }) {
      feeds.push(signal)
      yield { kind: 'delta', offset: '0' }
      await sleep(systemClock, 60_000, signal)
    },
  }
  const sockets = new Sockets({
    ctx: { acceptWebSocket() {}, getWebSockets: () => open as never },
    thread: () => thread as never,
    state: () => ({ head: 0, isBusy }),
    onError() {},
  })
  sockets.update()
  await expect.poll(() => feeds.map(({ aborted }) => aborted)).toEqual([false])
  open = []
  isBusy = false
  sockets.update()
  await expect.poll(() => feeds.map(({ aborted }) => aborted)).toEqual([true])
})
