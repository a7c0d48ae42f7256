import { chatRequest, type FrameworkMessage, isFields, responsesRequest } from './framework.ts'
import { loadHistory, prepare } from './history-request.ts'
import { normalize } from './snapshot-request.ts'

/** What the framework sends when a conversation continues, and what it had to do on the way. */
export interface Sent {
  chat: unknown[]
  responses: unknown[]
  /** Calls that it answered itself, because the store has no result for them and none is expected. */
  invented: string[]
  /** Calls that a leftover approval runs (again). */
  approved: string[]
}

/** The next request of a conversation in one of the framework's two stores. */
export function requestOf(path: string, bytes: Buffer): Sent {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (path.endsWith('.jsonl')) return sent({ ...prepare(loadHistory(text)), invented: [] })
  const snapshot: unknown = JSON.parse(text)
  if (!isFields(snapshot) || !Array.isArray(snapshot.messages)) throw new Error('it is no snapshot')
  const made = normalize([...snapshot.messages, { id: 'next', role: 'user', content: 'go on' }])
  const waiting = JSON.stringify(snapshot.interrupt ?? [])
  const isLeft = (id: string): boolean => !waiting.includes(JSON.stringify(id))
  return sent({ ...made, invented: made.invented.filter(isLeft), approved: made.approved.filter(isLeft) })
}

const sent = (made: { messages: FrameworkMessage[]; invented: string[]; approved: string[] }): Sent => ({
  chat: chatRequest(made.messages),
  responses: responsesRequest(made.messages),
  invented: made.invented,
  approved: made.approved,
})
