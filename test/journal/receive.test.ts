import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { receiveReply } from '../../src/journal/receive.ts'
import { chunks } from './contract/model.ts'

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

test('[B222] chunks of a stream are not kept in memory after they were merged', async () => {
  const seen: WeakRef<object>[] = []
  let kept = 0
  async function* answer(): AsyncGenerator<object> {
    for (let index = 0; index < 100; index++) yield* remembered(chunks(['word ']).slice(0, 1))
    // A weak reference holds what it points at until the event loop has gone round.
    await new Promise(resolve => setTimeout(resolve, 1))
    collectGarbage()
    kept = seen.filter(chunk => chunk.deref()).length
    yield* remembered(chunks([]))
  }
  function* remembered(pieces: readonly object[]): Generator<object> {
    for (const piece of pieces) {
      seen.push(new WeakRef(piece))
      yield piece
    }
  }
  const { signal } = new AbortController()
  const { reply } = await receiveReply(answer(), { format: 'openai-chat', signal })
  expect(reply.messages).toMatchObject([{ content: 'word '.repeat(100) }])
  expect(kept).toBeLessThan(10)
})
