import { createHash } from 'node:crypto'
import { isRecord } from '../../../core/conversation.ts'
import { shortContent } from '../../record-format.ts'

/** The properties of an event that the repair needs; its text stays in its file. */
export interface StoredEvent {
  /** The file that it was read from; absent for a new event. */
  readonly file?: string
  readonly id: string
  readonly kind: string
  readonly time: string
  /** The event before it on its branch, if it names one; otherwise the one with the previous number. */
  readonly parent?: string
  /** Its author. Asides are not sent to a model. */
  readonly role: 'system' | 'user' | 'agent' | 'action' | 'result' | 'aside'
  readonly text?: string
  readonly call?: StoredCall
  readonly result?: StoredResult
  readonly condensation?: Condensation
  /** The fields of a new event beyond those that all events have. */
  readonly made?: Readonly<Record<string, unknown>>
}

export interface StoredCall {
  readonly id: string
  readonly name: string
  /** The arguments, or a hash of them. */
  readonly input: string
  /** Calls of one response were made together. */
  readonly response: string
  /** Without an action it could not be run. */
  readonly isRun: boolean
  readonly hasThought: boolean
}

export interface StoredResult {
  readonly id: string
  /** The text of an error, by which a placeholder is recognised. */
  readonly text: string
  /** A hash of its content, which differs for other results and is never taken for a placeholder. */
  readonly contentHash: string
  /** Written by the program in place of the tool. */
  readonly isError: boolean
  /** The event of the action that it answers, if it names one. */
  readonly action?: string
}

export interface Condensation {
  readonly forgotten: readonly string[]
  /** The index of the summary in what is left, if there is one. */
  readonly offset?: number
}

/** Not nodes of the tree: they are attached to the head without becoming it. */
export const isArtefact = ({ kind }: StoredEvent): boolean => kind === 'ConversationStateUpdateEvent'

/** An event as its users know it: by the number in its file name. */
export const shortName = (event: Pick<StoredEvent, 'file'> | undefined): string =>
  /^event-\d+/.exec(event?.file ?? '')?.[0] ?? 'a new event'

/** The marker for "no previous event", where the previous number would be one. */
export const rootId = '__root__'

/** Reads an event. `nameId` is the id in its file name. */
export function eventOf(value: Readonly<Record<string, unknown>>, file: string, nameId: string): StoredEvent {
  const { parent_id: parent, timestamp } = value
  const kind = textOf(value.kind)
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  return {
    file,
    id: textOf(value.id) || nameId,
    kind,
    time: textOf(timestamp),
    ...(typeof parent === 'string' ? { parent } : {}),
    ...(read?.(value) ?? { role: 'aside' }),
  }
}

type EventContent = Pick<StoredEvent, 'role' | 'text' | 'call' | 'result' | 'condensation'>

const readers: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => EventContent>> = {
  SystemPromptEvent: () => ({ role: 'system' }),
  MessageEvent: ({ llm_message: message }) => {
    const { role, content } = isRecord(message) ? message : {}
    const text = wordsOf(content)
    return { role: role === 'user' ? 'user' : role === 'system' ? 'system' : 'agent', text }
  },
  ActionEvent: value => {
    const call = isRecord(value.tool_call) ? value.tool_call : {}
    return {
      role: 'action',
      call: {
        id: textOf(value.tool_call_id),
        name: textOf(value.tool_name),
        input: shortText(textOf(call.arguments)),
        response: textOf(value.llm_response_id),
        isRun: isRecord(value.action),
        hasThought: Array.isArray(value.thought) && value.thought.length > 0,
      },
    }
  },
  ObservationEvent: value => ({
    role: 'result',
    result: { ...resultOf(value), text: '', contentHash: hashOf(value.observation), isError: false },
  }),
  UserRejectObservation: value => ({
    role: 'result',
    result: { ...resultOf(value), text: '', contentHash: hashOf(value.rejection_reason), isError: false },
  }),
  AgentErrorEvent: value => ({
    role: 'result',
    result: {
      ...resultOf(value),
      text: shortContent(textOf(value.error)),
      contentHash: hashOf(value.error),
      isError: true,
    },
  }),
  Condensation: ({ forgotten_event_ids: ids, summary, summary_offset: offset }) => ({
    role: 'aside',
    condensation: {
      forgotten: Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [],
      ...(typeof summary === 'string' && typeof offset === 'number' ? { offset } : {}),
    },
  }),
}

function resultOf(value: Readonly<Record<string, unknown>>): Pick<StoredResult, 'id' | 'action'> {
  const action = value.action_id
  return { id: textOf(value.tool_call_id), ...(typeof action === 'string' ? { action } : {}) }
}

const hashOf = (words: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(words) ?? '')
    .digest('base64')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text, or a hash of a long one. */
const shortText = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 64)} ${createHash('sha256').update(text).digest('hex')}`

function wordsOf(content: unknown): string {
  if (!Array.isArray(content)) return shortText(textOf(content))
  return shortText(JSON.stringify(content.map(part => (isRecord(part) ? (part.text ?? part.image_urls) : part))))
}
