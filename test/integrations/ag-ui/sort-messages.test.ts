import type { Message } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { ClientCopy } from '../../../src/integrations/ag-ui/client-copy.ts'
import { oldestProtocol } from '../../../src/integrations/ag-ui/client-protocol.ts'
import { sortMessages } from '../../../src/integrations/ag-ui/sort-messages.ts'
import { ThreadView } from '../../../src/integrations/ag-ui/thread-view.ts'

/** Messages of a user, and how often their ids have been read. */
function countedMessages(count: number) {
  const reads = { count: 0 }
  const messages = Array.from({ length: count }, (_, index) => ({
    get id() {
      reads.count++
      return `message-${index}`
    },
    role: 'user' as const,
    content: 'a',
  }))
  return { messages: messages as Message[], reads }
}

test('[SE125] sorting the messages of a client reads each a few times, however many there are', () => {
  const { messages, reads } = countedMessages(2_000)
  const view = new ThreadView('u', { showsReasoning: true, protocol: oldestProtocol })
  const { inputs } = sortMessages(view, messages, () => true)
  expect(inputs.length).toBe(2_000)
  expect(reads.count).toBeLessThan(20 * 2_000)
})

test('[SE125] following the events of a run reads no message of the client again', () => {
  const { messages, reads } = countedMessages(2_000)
  const copy = new ClientCopy(messages)
  for (let index = 0; index < 2_000; index++) copy.append(`answer-${index}`, 'assistant')
  expect([copy.has('message-7'), copy.has('answer-7'), copy.has('message-2000')]).toEqual([true, true, false])
  expect(reads.count).toBeLessThan(20 * 2_000)
})
