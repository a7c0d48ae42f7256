import { execFileSync } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  type Batch,
  deferred,
  ReconnectingTransport,
  type TransportConnection,
} from '../../../src/journal/live/reconnecting-transport.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('[LV5] keeps nothing of ended subscriptions while it is not connected', async () => {
  const isRefused = deferred<void>()
  const transport = new ReconnectingTransport({
    name: 'a server that refuses',
    isFinal: () => true,
    connect: () => Promise.reject(new Error('refused')),
  })
  transport.start({ receive() {}, connected() {}, lost: () => isRefused.resolve() })
  await isRefused.promise
  const filler = 'x'.repeat(5_000)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < 10_000; index++) {
    transport.subscribe(`${index} ${filler}`).catch(() => {})
    transport.unsubscribe(`${index} ${filler}`)
  }
  await new Promise(resolve => setImmediate(resolve))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  await transport.close()
})

test('[LV3] subscriptions that begin or end while it connects count', async () => {
  const sent: Batch[] = []
  const [isAsked, mayGoOn] = [deferred<void>(), deferred<void>()]
  const connection: TransportConnection = {
    async send(batch) {
      sent.push(batch)
      isAsked.resolve()
      await mayGoOn.promise
    },
    close: async () => {},
  }
  const transport = new ReconnectingTransport({ name: 'a slow server', connect: async () => connection })
  const [kept, ended] = [transport.subscribe('kept'), transport.subscribe('ended')]
  transport.start({ receive() {}, connected() {}, lost() {} })
  await isAsked.promise
  transport.unsubscribe('ended')
  const begun = transport.subscribe('begun')
  mayGoOn.resolve()
  await Promise.all([kept, begun])
  await expect(ended).rejects.toThrow('ended')
  expect(sent).toEqual([
    { subscribe: ['kept', 'ended'], unsubscribe: [], texts: [] },
    { subscribe: ['begun'], unsubscribe: ['ended'], texts: [] },
  ])
  await transport.close()
})

test('[LV12] a server that closes each connection at once is not asked without a pause', async () => {
  const counts = { attempts: 0, lost: 0 }
  const isLost = deferred<void>()
  const transport = new ReconnectingTransport({
    name: 'a server that hangs up',
    async connect({ broken }) {
      counts.attempts++
      setImmediate(() => broken(new Error('hung up')))
      return { send: async () => {}, close: async () => {} }
    },
  })
  const lost = (): void => {
    counts.lost++
    isLost.resolve()
  }
  transport.start({ receive() {}, connected() {}, lost })
  await isLost.promise
  expect(counts).toEqual({ attempts: 6, lost: 1 })
  // It goes on to try.
  await expect.poll(() => counts.lost, { timeout: 20_000 }).toBeGreaterThan(2)
  await transport.close()
})

test('[LV16] closing waits for a server that does not answer, and not for long', () => {
  const script = `
    import { ReconnectingTransport } from ${JSON.stringify(new URL('../../../src/journal/live/reconnecting-transport.ts', import.meta.url).href)}
    const connection = { send: () => new Promise(() => {}), close: async () => {} }
    const transport = new ReconnectingTransport({ name: 'a server that hangs', connect: async () => connection })
    transport.start({ receive() {}, connected() {}, lost() {} })
    await new Promise(resolve => setImmediate(resolve))
    transport.publish('a', 'x')
    await transport.close()
    console.log('closed')`
  const program = ['--input-type=module-typescript', '-e', script]
  expect(execFileSync(process.execPath, program, { encoding: 'utf8', timeout: 20_000 })).toBe('closed\n')
})
