import { createHash } from 'node:crypto'
import { isRecord } from '../../../core/conversation.ts'
import { briefly } from '../../script.ts'

/** What healing needs to know of an event; its text stays in its file. */
export interface StoredEvent {
  /** The file that it was read from; absent on one that was made up. */
  readonly file?: string
  readonly id: string
  readonly kind: string
  readonly time: string
  /** The event before it on its branch, if it says so; else that is the one with the number before. */
  readonly parent?: string
  /** Whose words it holds. Asides are seen by no model. */
  readonly role: 'system' | 'user' | 'agent' | 'action' | 'result' | 'aside'
  readonly text?: string
  readonly call?: StoredCall
  readonly result?: StoredResult
  readonly condensation?: Condensation
  /** What a made-up event says beyond what all events do. */
  readonly made?: Readonly<Record<string, unknown>>
}

export interface StoredCall {
  readonly id: string
  readonly name: string
  /** The arguments, or what tells them apart. */
  readonly input: string
  /** Calls of one response were made together. */
  readonly response: string
  /** Without an action it could not be run. */
  readonly isRun: boolean
  readonly hasThought: boolean
}

export interface StoredResult {
  readonly id: string
  /** The words of an error, by which a placeholder is known. */
  readonly text: string
  /** What tells its words from those of another result; a placeholder is never read into it. */
  readonly mark: string
  /** Said by the program in the place of the tool. */
  readonly isError: boolean
  /** The event of the action that it answers, if it says so. */
  readonly action?: string
}

export interface Condensation {
  readonly forgotten: readonly string[]
  /** Where in what is left the summary stands, if there is one. */
  readonly offset?: number
}

/** Not nodes of the tree: they hang on the head without becoming it. */
export const isArtefact = ({ kind }: StoredEvent): boolean => kind === 'ConversationStateUpdateEvent'

/** An event as its users know it: by the number in the name of its file. */
export const shortName = (event: Pick<StoredEvent, 'file'> | undefined): string =>
  /^event-\d+/.exec(event?.file ?? '')?.[0] ?? 'a new event'

/** The words for "no event in front", where the number before would be one. */
export const rootId = '__root__'

/** Reads an event. `nameId` is the id that its file is named by. */
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

type Saying = Pick<StoredEvent, 'role' | 'text' | 'call' | 'result' | 'condensation'>

const readers: Readonly<Record<string, (value: Readonly<Record<string, unknown>>) => Saying>> = {
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
        input: told(textOf(call.arguments)),
        response: textOf(value.llm_response_id),
        isRun: isRecord(value.action),
        hasThought: Array.isArray(value.thought) && value.thought.length > 0,
      },
    }
  },
  ObservationEvent: value => ({
    role: 'result',
    result: { ...resultOf(value), text: '', mark: markOf(value.observation), isError: false },
  }),
  UserRejectObservation: value => ({
    role: 'result',
    result: { ...resultOf(value), text: '', mark: markOf(value.rejection_reason), isError: false },
  }),
  AgentErrorEvent: value => ({
    role: 'result',
    result: { ...resultOf(value), text: briefly(textOf(value.error)), mark: markOf(value.error), isError: true },
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

const markOf = (words: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(words) ?? '')
    .digest('base64')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Words, or what tells long ones apart. */
const told = (text: string): string =>
  text.length <= 600 ? text : `${text.slice(0, 64)} ${createHash('sha256').update(text).digest('hex')}`

function wordsOf(content: unknown): string {
  if (!Array.isArray(content)) return told(textOf(content))
  return told(JSON.stringify(content.map(part => (isRecord(part) ? (part.text ?? part.image_urls) : part))))
}
