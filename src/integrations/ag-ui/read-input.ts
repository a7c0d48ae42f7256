import type { RunAgentInput } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'

/** Validates the input of a run. Unknown fields are kept. */
export function readRunInput(body: unknown): RunAgentInput {
  if (!isRecord(body)) throw notAnInput('it is not a JSON object')
  for (const field of ['threadId', 'runId'])
    if (typeof body[field] !== 'string' || body[field] === '') throw notAnInput(`${field} must be a non-empty string`)
  const { messages } = body
  if (!Array.isArray(messages)) throw notAnInput('messages must be a list')
  for (const [index, message] of messages.entries())
    if (!isRecord(message) || typeof message.id !== 'string' || message.id === '' || typeof message.role !== 'string')
      throw notAnInput(`messages[${index}] must have an id and a role`)
  for (const [index, tool] of listOf(body, 'tools').entries())
    if (!isRecord(tool) || typeof tool.name !== 'string') throw notAnInput(`tools[${index}] must have a name`)
  listOf(body, 'context')
  for (const [index, entry] of listOf(body, 'resume').entries())
    if (!isRecord(entry) || typeof entry.interruptId !== 'string' || !statuses.has(entry.status))
      throw notAnInput(`resume[${index}] must have an interruptId, and a status that is resolved or cancelled`)
  const known = { ...body, tools: body.tools ?? [], context: body.context ?? [] }
  return known as unknown as RunAgentInput
}

const statuses = new Set<unknown>(['resolved', 'cancelled'])

function listOf(body: Record<string, unknown>, field: string): unknown[] {
  const value = body[field] ?? []
  if (!Array.isArray(value)) throw notAnInput(`${field} must be a list`)
  return value
}

const notAnInput = (why: string): AntiphonError =>
  new AntiphonError('invalid-input', `this is not the input of a run: ${why}`, {
    hint: 'send a RunAgentInput of the AG-UI protocol as JSON',
  })
