import type { ContentPart, Event, RunAgentInput, RunFinishedEvent, TokenUsage, UserMessage } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import { EventType } from './event-type.ts'

/** What a client can read. */
export interface ClientProtocol {
  /** The event with what the client knows of it. */
  event(event: Event): Event
  /** A user message with the parts that the client knows. */
  message(message: UserMessage): UserMessage
}

/** The version that is spoken with clients that name one. */
export const protocolVersion = '1.0'

/**
 * The protocol of a client. A client says its version with its input since 1.0. One that says nothing is older, as those of CopilotKit are:
 * it ends a run with an error when it gets an outcome or a part that its version does not have.
 */
export const protocolOf = (input: RunAgentInput): ClientProtocol => (saysVersion(input) ? current : oldestProtocol)

const saysVersion = ({ protocolVersion }: { protocolVersion?: unknown }): boolean =>
  typeof protocolVersion === 'string' && Number.parseInt(protocolVersion, 10) >= 1

const current: ClientProtocol = {
  event: event => event,
  message: message => withParts(message, part => (part.type === 'binary' ? currentPart(part) : part)),
}

/** Versions 0.0.45 to 0.0.59. */
export const oldestProtocol: ClientProtocol = {
  event(event) {
    if (event.type === EventType.RUN_STARTED) {
      const { protocolVersion: _, ...started } = event
      return started
    }
    return event.type === EventType.RUN_FINISHED ? finishedBefore1(event) : event
  },
  message: message => withParts(message, part => (isKnownBefore1(part) ? part : undefined)),
}

/** Before 1.0 a stopped run had no outcome, and a success had no `pendingToolCallIds`: the client finds its open calls in its messages. */
function finishedBefore1({ outcome, usage, ...event }: RunFinishedEvent): Event {
  const known = outcome?.type === 'success' ? { type: outcome.type } : outcome
  return {
    ...event,
    ...(known && known.type !== 'cancelled' ? { outcome: known } : {}),
    ...(usage && { usage: usage.map(usageBefore1) }),
  }
}

const usageBefore1 = ({ cacheWriteInputTokens: _, ...usage }: TokenUsage): TokenUsage => usage

type Part = Readonly<Record<string, unknown>>

/** The same message if all of its parts are known. */
function withParts(message: UserMessage, known: (part: Part) => unknown): UserMessage {
  if (!Array.isArray(message.content)) return message
  const parts = message.content.map(part => (isRecord(part) ? known(part) : undefined))
  if (parts.every((part, index) => part === message.content[index])) return message
  return { ...message, content: parts.filter(part => part !== undefined) as ContentPart[] }
}

function isKnownBefore1({ type, source }: Part): boolean {
  return type === 'text' || type === 'binary' || (isRecord(source) && (source.type === 'data' || source.type === 'url'))
}

/** Translates a `binary` part, which clients before 1.0 may send for any media, to a part of 1.0. */
function currentPart({ mimeType, data, url, id, filename }: Part): unknown {
  const [kind = ''] = typeof mimeType === 'string' ? mimeType.split('/') : []
  const source = [
    { type: 'data', value: data },
    { type: 'url', value: url },
    { type: 'file', value: id },
  ].find(({ value }) => typeof value === 'string' && value !== '')
  if (!source) return undefined
  return {
    type: ['image', 'audio', 'video'].includes(kind) ? kind : 'document',
    source: { ...source, mimeType },
    ...(typeof filename === 'string' ? { metadata: { filename } } : {}),
  }
}
