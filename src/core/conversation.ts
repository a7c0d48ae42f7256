import type { Settings } from './settings.ts'

/**
 * The one model that everything speaks: a list of messages, each with a role and parts. A result is always a message of
 * its own (role `tool`, one part); wires that put several into one message share it again when they encode.
 *
 * Messages and parts are immutable. A codec recognises what was not touched by object identity, so a rule that changes
 * something makes a new object and leaves every other one alone.
 */
export interface Conversation {
  readonly wire: Wire
  readonly messages: readonly Message[]
  /** Part of the conversation is held by the provider: a result without a visible call is no orphan. */
  readonly continues: boolean
  /** The indexes of wire messages that are no part of the conversation: they stay where they stand. */
  readonly asides?: readonly number[]
  /** What the request around it says, if it is known. */
  readonly settings?: Settings
  /** Only a stretch of whole turns is shown: healthy ones stand in front of it, or behind it. */
  readonly cutBefore?: boolean
  readonly cutAfter?: boolean
  /** The value is no history at all; `messages` is empty then. */
  readonly foreign?: string
}

/** `other` is what the codec cannot read: it stays as it is and where it is. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'other'

export interface Message {
  /** Identity during a repair. Messages that were read have their index; made-up ones count on from there. */
  readonly key: number
  readonly role: Role
  readonly parts: readonly Part[]
  /** The index of the wire message it was read from; absent on made-up ones. */
  readonly origin?: number
  /** The field of the wire message that holds all others, where the wire has such an envelope. */
  readonly within?: string
  /** The wire messages that were merged into this one, so that their unknown fields survive. */
  readonly merged?: readonly number[]
  /** Shares its wire message with the message before it (`together`), or must not (`apart`). */
  readonly sharing?: 'together' | 'apart'
  /** An id of the message itself, where the wire gives items ids and the message is one item. */
  readonly itemId?: string
  /** What stands in the place of content on the wire when no part of content is there. */
  readonly blank?: Blank
  /** What it says in fields that are not read, where its content and its calls say nothing. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** The content is a bare text, where the wire wants a list of blocks. */
  readonly bare?: true
  /** The wire says `tool_calls: []`. */
  readonly emptyCalls?: true
  /** A system message under the name `developer`. */
  readonly developer?: true
  /** The role stands under another wire's name for it, or under an old one or none, which some readers tolerate. */
  readonly roleName?: 'foreign' | 'tolerated'
  /** It says nothing, but sets something for what follows. */
  readonly directive?: true
  /** A final assistant message that the model is asked to go on with. */
  readonly prefix?: true
}

export type Blank = 'missing' | 'null' | 'empty'

export type Part = TextPart | CallPart | ResultPart | ReasoningPart | OtherPart

interface AnyPart {
  /** The wire's own value, kept so that unknown fields survive an edit. */
  readonly raw?: unknown
  /** The index in the wire's own list, for places in diagnostics. */
  readonly slot?: number
  /** An id of the item itself, where the wire gives items ids beside call ids. */
  readonly itemId?: string
  /** The provider whose proof of origin it carries, where the format takes those of many providers. */
  readonly signedBy?: string
  /** The type of its block, where an SDK leaves out those that it does not know. */
  readonly block?: string
}

export interface TextPart extends AnyPart {
  readonly kind: 'text'
  readonly text: string
}

export interface CallPart extends AnyPart {
  readonly kind: 'call'
  /** The wire's call id; empty if it has none. */
  readonly id: string
  /** The id that it had before a repair gave it another: callers know it by that. */
  readonly was?: string
  /** The id is a number on the wire. */
  readonly numeric?: true
  readonly name: string
  /** As it stands on the wire: JSON text or a value. */
  readonly input: unknown
  /** What sort of call: `function` unless the wire has others. */
  readonly sort: string
  readonly by: 'client' | 'provider'
  /** Its result may come in a later request, while the assistant goes on. */
  readonly async?: true
  /** Its arguments could not be read, so nobody ran it. */
  readonly neverRan?: true
  /** A person was asked whether it may run, and what they said: `forwarded` if the provider asked, and it has the answer. */
  readonly approval?: 'requested' | 'granted' | 'denied' | 'forwarded'
  /** The ids of the requests for its approval, where those are parts of their own. */
  readonly requests?: readonly string[]
  /** The proof of origin that travels with a call, where the wire has one. */
  readonly signature?: string
  /** A provider ran it, although the wire shows it as a call of the client: only a result that is there can answer it. */
  readonly hosted?: true
  /** Which provider ran it, where the format takes the calls of many providers. */
  readonly host?: string
  /** The places in its message, if it is not in the list that an SDK sends: the type of its block, or `extras`. */
  readonly unlisted?: readonly string[]
  /** Its arguments, as a copy of it in the same message has them. */
  readonly copy?: unknown
  /** That copy has arguments in a form that cannot be sent. */
  readonly brokenCopy?: true
  /** The field of the message that it stands in, where the wire has more than one name for it. */
  readonly field?: string
}

export interface ResultPart extends AnyPart {
  readonly kind: 'result'
  readonly id: string
  readonly numeric?: true
  readonly name?: string
  readonly content: unknown
  readonly error?: true
  /** It says of itself that another result of its call follows. */
  readonly interim?: true
  /** A person denied the call, and it did not run. */
  readonly denied?: true
  /** What another field of it says, where its content says nothing. */
  readonly copy?: unknown
  /** The content has no form that the wire knows; without this mark it is written in one. */
  readonly malformed?: true
  readonly sort: string
  readonly by: 'client' | 'provider'
  readonly host?: string
}

export interface ReasoningPart extends AnyPart {
  readonly kind: 'reasoning'
  readonly text: string
  /** Carries the proof of origin that its provider demands. */
  readonly signed: boolean
}

/** Images, files, items of server-side tools: content that no rule needs to understand. */
export interface OtherPart extends AnyPart {
  readonly kind: 'other'
  /** The field of the message that it stands in, if that is not its content. */
  readonly field?: string
  /** It stands for the turns before it, so that a history can begin with it. */
  readonly summary?: true
  /** It is nothing that the wire knows, and a reader that comes to it fails. */
  readonly unreadable?: true
  /** An SDK does not send it: a call that was never finished, or what only a client shows. */
  readonly unsent?: 'call' | 'aside'
  /** It is a file, where an SDK cannot send all of them: a web address, the data itself, or something else in their place. */
  readonly file?: 'url' | 'data' | 'neither'
  /**
   * It asks for the approval of a call (`lost` if that call is not there), or answers such a request. An answer stands in
   * a message of the role `tool`, alone.
   */
  readonly approval?: { readonly id: string; readonly kind: 'request' | 'lost' | 'answer' }
}

/** What a wire shape can and cannot say. */
export interface Wire {
  /** The name of the list in a request: `messages`, `input`. */
  readonly root: string
  /** Whether system messages stand in the list at all. */
  readonly system: 'message' | 'none'
  /** Whether the input of a call is JSON text or a JSON value. */
  readonly input: 'text' | 'value'
  /** Whether content is a key that can be null or missing beside calls. */
  readonly contentKey: boolean
  /** Whether results and user content can share a message, and results with each other. */
  readonly shares: boolean
  /** Whether the order of text and calls inside a message is visible. */
  readonly ordered: boolean
  /** How reasoning travels: as a field of the message, as items with ids, as signed blocks. */
  readonly reasoning: 'field' | 'items' | 'blocks'
  /** Reasoning can name the item that a provider keeps of it. */
  readonly namesItems?: true
  /** Calls and results need no ids: what has none pairs by name and order. */
  readonly idless?: true
  /** A result must say the name of its tool. */
  readonly namesResults?: true
  /** The content of a result has a form of the wire's own, whoever reads it. */
  readonly formsResults?: true
  /** Content is a list of blocks, and never a bare text. */
  readonly listsContent?: true
  /** Calls are in a list of their own, and may be in the content too. */
  readonly listsCalls?: true
  /** A call can be in the field `function_call`, and its result have the role `function`: their sort is `legacy`. */
  readonly legacyCalls?: true
  /** Calls can wait for an approval. */
  readonly approvals?: true
  /** A result can be marked as an error. */
  readonly marksErrors?: true
  /** A call can carry a proof of its origin. */
  readonly signsCalls?: true
  /** A call id means one and the same call wherever it stands. */
  readonly callsOnce?: true
  /** Calls whose arguments could not be read are kept apart, and sent by nobody: their sort is `invalid`. */
  readonly marksInvalid?: true
  /** Text that was split off its calls stays a message of its own. */
  readonly keepsText?: true
  /** Which calls were made together is written down, so neighbours are steps of their own. */
  readonly tellsSteps?: true
  /** A run can stop and wait for calls without a word of it in the messages: the caller names them. */
  readonly interrupts?: true
  /** A call and its result are written as one part, so that which belongs to which is never in doubt. */
  readonly fused?: true
  /** The path of a message or a part in the caller's own wire, as in `messages[14].content[1]`. */
  locate(message: Message, part?: Part): string
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a record; an empty one if it is none. */
export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Whether a caller has named a call as one that still runs. */
export const isPending = ({ id, was }: CallPart, pendingCalls: ReadonlySet<string>): boolean =>
  pendingCalls.has(id) || (was !== undefined && pendingCalls.has(was))

export const clientCalls = (message: Message): CallPart[] =>
  message.parts.filter((part): part is CallPart => part.kind === 'call' && part.by === 'client')

export function hasClientCall(message: Message): boolean {
  for (const part of message.parts) if (part.kind === 'call' && part.by === 'client') return true
  return false
}

/** What stands in the place of content, or undefined if there is content. */
export function blankOf(message: Message): Blank | undefined {
  for (const part of message.parts) {
    if (part.kind === 'text' || part.kind === 'result') return undefined
    if (part.kind === 'other' && (part.field === undefined || part.field === 'content')) return undefined
  }
  return message.blank ?? 'null'
}

/** The result that a tool message holds. */
export function resultOf(message: Message): ResultPart | undefined {
  const part = message.parts[0]
  return message.role === 'tool' && part?.kind === 'result' ? part : undefined
}

/** The words of a result: its text, the texts of its blocks, or what stands under the keys that wires have for it. */
export function resultText(result: ResultPart): string {
  const { content } = result
  if (isRecord(content)) {
    for (const key of ['value', 'output', 'result', 'error', 'content', 'reason']) {
      if (key in content) return typeof content[key] === 'string' ? content[key] : blockText(content[key])
    }
  }
  return typeof content === 'string' ? content : blockText(content)
}

function blockText(blocks: unknown): string {
  if (!Array.isArray(blocks)) return ''
  let text = ''
  for (const block of blocks) {
    if (!isRecord(block)) continue
    for (const words of [block.text, block.stdout, block.stderr]) if (typeof words === 'string') text += words
  }
  return text
}

/** Sorts of calls whose results are no words. */
export const wordlessSorts: ReadonlySet<string> = new Set(['computer', 'tool-search'])

/** Sorts of results that a call of the sort `function` answers as well, and that a made-up call does not have. */
const plainSorts: ReadonlySet<string> = new Set(['legacy', 'chat'])

/** A call that nobody made, for a result that needs one. */
export const madeUpCall = (wire: Wire, result: ResultPart, id: string): CallPart => ({
  kind: 'call',
  id,
  name: result.name || 'unknown_tool',
  input: wire.input === 'text' ? '{}' : {},
  sort: plainSorts.has(result.sort) ? 'function' : result.sort,
  by: 'client',
})

/** Whether a message directly follows a user or tool message, with the assistant or nothing after it. */
export function followsUser(messages: readonly Message[], position: number): boolean {
  const before = messages[position - 1]?.role
  const after = messages[position + 1]?.role
  return (before === 'user' || before === 'tool') && (after === undefined || after === 'assistant')
}

/** The words of a message, without anything else it holds. */
export const textOf = (message: Message): string =>
  message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('\n\n')
