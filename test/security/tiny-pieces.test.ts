import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { nameRestorer } from '../../src/integrations/fetch/restore-names.ts'
import { ServerEvents } from '../../src/integrations/fetch/server-events.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapUsed(): number {
  collect()
  return process.memoryUsage().heapUsed
}

test.each(['text/event-stream', 'application/json'])(
  '[SE153] an answer in pieces of one byte is held in about as much memory as its length: %s',
  type => {
    const restorer = nameRestorer(new Map([['given', 'own']]), type)
    const byte = new TextEncoder().encode('x')
    const before = heapUsed()
    for (let count = 0; count < 1_000_000; count++) restorer?.push(byte)
    expect(heapUsed() - before).toBeLessThan(12_000_000)
    expect(restorer?.end().length).toBe(1_000_000)
  },
)

test('[SE153] an event in pieces of two bytes is held in the same way', () => {
  const events = new ServerEvents(4_000_000)
  const before = heapUsed()
  events.push('data: ')
  for (let count = 0; count < 500_000; count++) events.push(`é${count % 10}`)
  expect(heapUsed() - before).toBeLessThan(12_000_000)
  expect(events.push('\n\n')[0]?.length).toBe(1_000_000)
})
