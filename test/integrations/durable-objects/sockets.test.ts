import { expect, test } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import { answer } from '../../../src/integrations/durable-objects/routes.ts'
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

test("[OB11] an error with a code that is not the client's own is reported", async () => {
  const errors: unknown[] = []
  const onError = (error: unknown): number => errors.push(error)
  const own = new AntiphonError('thread-busy', 'another turn is running')
  const foreign = new AntiphonError('journal-damaged', 'entry 3 cannot be read')
  for (const error of [own, foreign]) {
    const thread = { name: 't', status: () => Promise.reject(error), submit: () => Promise.reject(error) } as never
    const { status } = await answer(new Request('https://host.example/t/status'), {
      ...{ journal: {} as never, thread, onError, allowOrigins: () => [] },
      watch: () => new Response(null),
    })
    expect(status).toBe(error === own ? 409 : 500)
    const ctx = { acceptWebSocket() {}, getWebSockets: () => [] }
    const sockets = new Sockets({ ctx, thread: () => thread, state: () => ({ head: 0, isBusy: false }), onError })
    const sent: string[] = []
    await sockets.receive({ send: (text: string) => sent.push(text) } as never, '{"id":1,"do":"input","content":"Hi"}')
    expect(sent).toEqual([expect.stringContaining(error.code)])
  }
  expect(errors).toEqual([foreign, foreign])
})
