import type { Settings } from './settings.ts'

/**
 * The model that all formats are decoded to: a list of messages, each with a role and parts. A result is always a
 * message of its own (role `tool`, one part); formats that put several results into one message merge them again when
 * they encode. Messages and parts are immutable. A codec recognises unchanged values by object identity, so a rule that
 * changes something makes a new object and leaves every other one alone.
 */
export interface Conversation {
  readonly format: Format
  readonly messages: readonly Message[]
  /** The provider stores part of the conversation, so a result without a visible call is not an orphan. */
  readonly continues: boolean
  /** Indexes of source messages that are not part of the conversation. They keep their positions. */
  readonly asides?: readonly number[]
  /** The settings of the request, if they are known. */
  readonly settings?: Settings
  /** Only a segment of whole turns is given: healthy turns come before it (`cutBefore`) or after it (`cutAfter`). */
  readonly cutBefore?: boolean
  readonly cutAfter?: boolean
  /** Why the value is not a history; `messages` is then empty. */
  readonly unreadable?: string
}

/** `other` is what the codec cannot read: it stays unchanged, at its position. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'other'

export interface Message {
  /** Identity during a repair. A decoded message has its index as its key; keys of made-up messages continue the count. */
  readonly key: number
  readonly role: Role
  readonly parts: readonly Part[]
  /** The index of the source message; absent on made-up messages. */
  readonly origin?: number
  /** The field of the source message that wraps all others, where the format has such an envelope. */
  readonly within?: string
  /** The source messages that were merged into this one, so that their unknown fields survive. */
  readonly merged?: readonly number[]
  /** Encoded into the same source message as the message before it (`together`), or never (`apart`). */
  readonly sharing?: 'together' | 'apart'
  /** The id of the message itself, where the format gives items ids and the message is one item. */
  readonly itemId?: string
  /** How the source writes missing content. */
  readonly blank?: Blank
  /** Text in fields that the codec does not read, if the message has no content and no calls. */
  readonly unreadFields?: Readonly<Record<string, unknown>>
  /** The content is a string where the format wants a list of blocks. */
  readonly bare?: true
  /** The content has a form that the format does not allow. Without this mark it is encoded in an allowed form. */
  readonly malformed?: true
  /** The source has `tool_calls: []`. */
  readonly emptyCalls?: true
  /** A system message with the role name `developer`. */
  readonly developer?: true
  /** The role has the name that another format uses for it, or an old or missing name, which some providers tolerate. */
  readonly roleName?: 'foreign' | 'tolerated'
  /** It has no text but changes a setting for the messages after it. */
  readonly directive?: true
  /** Its blocks are entries of the list themselves, with no message around them. */
  readonly listed?: true
  /** A final assistant message that the model is asked to continue. */
  readonly prefix?: true
}

export type Blank = 'missing' | 'null' | 'empty'

export type Part = TextPart | CallPart | ResultPart | ReasoningPart | OtherPart

interface AnyPart {
  /** The value in the source, kept so that unknown fields survive an edit. */
  readonly raw?: unknown
  /** The index in the list of the source, for paths in diagnostics. */
  readonly slot?: number
  /** The id of the item itself, where the format gives items ids in addition to call ids. */
  readonly itemId?: string
  /** The provider whose signature it carries, where the format accepts signatures of many providers. */
  readonly signedBy?: string
  /** The type of its block, where an SDK omits unknown types. */
  readonly block?: string
}

export interface TextPart extends AnyPart {
  readonly kind: 'text'
  readonly text: string
}

export interface CallPart extends AnyPart {
  readonly kind: 'call'
  /** The call id in the source; empty if it has none. */
  readonly id: string
  /** The id before a repair renamed it: callers know the call by this id. */
  readonly was?: string
  /** The id is a number in the source. */
  readonly numeric?: true
  readonly name: string
  /** As in the source: JSON text or a value. */
  readonly input: unknown
  /** The kind of call: `function` unless the format has others. */
  readonly callKind: string
  readonly by: 'client' | 'provider'
  /** Its result may come in a later request, while the assistant goes on. */
  readonly async?: true
  /** Its arguments could not be parsed, so it never ran. */
  readonly neverRan?: true
  /**
   * Whether a person was asked to approve it, and the answer. `forwarded`: the provider asked and has received the
   * answer.
   */
  readonly approval?: 'requested' | 'granted' | 'denied' | 'forwarded'
  /** The ids of its approval requests, where those are separate parts. */
  readonly requests?: readonly string[]
  /** The signature of the call, where the format has one. */
  readonly signature?: string
  /** A provider ran it, although the format shows it as a call of the client: only an existing result can answer it. */
  readonly providerRun?: true
  /** Which provider ran it, where the format accepts calls of many providers. */
  readonly host?: string
  /**
   * Where the message has it, if that is not the list of calls that an SDK sends: the types of its content blocks, or `extras` for the
   * provider's own fields. A call with `unsent` is sent by no SDK.
   */
  readonly unlisted?: readonly string[]
  /** Its arguments in a copy of the call in the same message. */
  readonly copy?: unknown
  /** The arguments in that copy have a form that cannot be sent. */
  readonly brokenCopy?: true
  /** The field of the message that holds it, where the format has more than one. */
  readonly field?: string
}

export interface ResultPart extends AnyPart {
  readonly kind: 'result'
  readonly id: string
  readonly numeric?: true
  readonly name?: string
  readonly content: unknown
  readonly error?: true
  /** The result itself announces that another result of its call follows. */
  readonly interim?: true
  /** A person denied the call, and it did not run. */
  readonly denied?: true
  /** What only the application reads, next to the content. */
  readonly extra?: unknown
  /** Content in another field of the result, if `content` is empty. */
  readonly copy?: unknown
  /** Its content without the files that an SDK fails on, where it has some. */
  readonly sendable?: unknown
  /** The content has a form that the format does not allow. Without this mark it is encoded in an allowed form. */
  readonly malformed?: true
  /** Its message says that its content consists of LangChain's standard blocks. */
  readonly standard?: true
  /** The kind of call that it answers. */
  readonly callKind: string
  readonly by: 'client' | 'provider'
  readonly host?: string
}

export interface ReasoningPart extends AnyPart {
  readonly kind: 'reasoning'
  readonly text: string
  /** Carries the signature that its provider demands. */
  readonly signed: boolean
}

/** Images, files, items of server-side tools: content that no rule needs to understand. */
export interface OtherPart extends AnyPart {
  readonly kind: 'other'
  /** It names an item that the provider holds, by its id alone. */
  readonly reference?: true
  /** The field of the message that holds it, if that is not its content. */
  readonly field?: string
  /** It summarises the turns before it, so a history can begin with it. */
  readonly summary?: true
  /** The format does not define it, and SDKs fail on it. */
  readonly unreadable?: true
  /** An SDK does not send it: an unfinished call, or content that only the client displays. */
  readonly unsent?: 'call' | 'aside'
  /** The provider that it is for, where an SDK omits it for others. */
  readonly host?: string
  /** A file, where an SDK cannot send all kinds: a web URL, the data itself, or neither. */
  readonly file?: 'url' | 'data' | 'neither'
  /**
   * A file that is given by the ids under which providers store it: their names, and the same part without the ids if
   * it has the file in another way too.
   */
  readonly stored?: { readonly by: readonly string[]; readonly without?: unknown }
  /**
   * It requests the approval of a call (`lost` if that call does not exist), or answers such a request. The
   * message of an answer has the role `tool` and no other part.
   */
  readonly approval?: { readonly id: string; readonly kind: 'request' | 'lost' | 'answer' }
}

/** What a format can and cannot express. */
export interface Format {
  /** The name of the list in a request: `messages`, `input`. */
  readonly root: string
  /** Whether the list can contain system messages. */
  readonly system: 'message' | 'none'
  /** Whether the input of a call is JSON text or a JSON value. */
  readonly input: 'text' | 'value'
  /** Whether content is a key that can be null or missing in a message with calls. */
  readonly contentKey: boolean
  /** Whether results and user content can share a message, and results with each other. */
  readonly shares: boolean
  /** Whether the order of text and calls inside a message is visible. */
  readonly ordered: boolean
  /** How reasoning is written: a field of the message, items with ids, or signed blocks. */
  readonly reasoning: 'field' | 'items' | 'blocks'
  /** Reasoning can carry the id of the item that the provider stores. */
  readonly namesItems?: true
  /** Calls and results need no ids: without ids they pair by name and order. */
  readonly idless?: true
  /** A result must have the name of its tool. */
  readonly namesResults?: true
  /** The format itself prescribes the form of result content, for every provider. */
  readonly formsResults?: true
  /** A result is a string or a list of blocks, in which text has this type. */
  readonly resultText?: string
  /** The content of a result with a text in place of each file that none of these providers stores. */
  replaceStoredFiles?(content: unknown, stores: readonly string[]): unknown
  /** Content is always a string, never a list of blocks. */
  readonly writesText?: true
  /** Content is always a list of blocks, never a string. */
  readonly listsContent?: true
  /** Calls have a list of their own, and may appear in the content too. */
  readonly listsCalls?: true
  /** A call can be in the field `function_call`, with a result of the role `function`: their `callKind` is `legacy`. */
  readonly legacyCalls?: true
  /** Calls can wait for an approval. */
  readonly approvals?: true
  /** A result can be marked as an error. */
  readonly marksErrors?: true
  /** A call can carry a signature. */
  readonly signsCalls?: true
  /** Reasoning items carry signatures. */
  readonly signsItems?: true
  /** A call id identifies the same call everywhere in the history. */
  readonly callsOnce?: true
  /** Calls with unparsable arguments are stored separately and never sent: their `callKind` is `invalid`. */
  readonly marksInvalid?: true
  /** Text that was split off its calls stays a separate message. */
  readonly keepsText?: true
  /** The source records which calls were made together, so adjacent assistant messages are separate steps. */
  readonly marksSteps?: true
  /** A run can stop and wait for calls without a trace in the messages: the caller names those calls. */
  readonly interrupts?: true
  /** One program wrote all ids, so a result never answers a call with another id. */
  readonly exactIds?: true
  /** A call and its result are one part, so which belongs to which is never in doubt. */
  readonly fused?: true
  /** The path of a message or a part in the caller's history, as in `messages[14].content[1]`. */
  locate(message: Message, part?: Part): string
}

/** The fields of a value whose type is not known. */
export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is a record, else an empty record. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Whether the caller named the call as still running. */
export const isPending = ({ id, was }: CallPart, pendingCalls: ReadonlySet<string>): boolean =>
  pendingCalls.has(id) || (was !== undefined && pendingCalls.has(was))

export const clientCalls = (message: Message): CallPart[] =>
  message.parts.filter((part): part is CallPart => part.kind === 'call' && part.by === 'client')

export function hasClientCall(message: Message): boolean {
  for (const part of message.parts) if (part.kind === 'call' && part.by === 'client') return true
  return false
}

/** Content that only the client displays: no SDK sends it. */
export const isAside = (part: Part): boolean => part.kind === 'other' && part.unsent === 'aside'

/** Whether a user message has only content that the client displays: an SDK still sends its role. */
export const isRoleOnly = ({ role, parts }: Message): boolean =>
  role === 'user' && parts.length > 0 && parts.every(isAside)

/** Whether an SDK gives the content of the next message to a user message that is only a role. */
export const joinsUser = (next: Message | undefined): boolean =>
  next !== undefined && (next.role === 'user' || next.role === 'tool') && !isRoleOnly(next)

/** How missing content is written, or undefined if there is content. */
export function blankOf(message: Message): Blank | undefined {
  for (const part of message.parts) {
    if (part.kind === 'text' || part.kind === 'result') return undefined
    if (part.kind === 'other' && (part.field === undefined || part.field === 'content')) return undefined
  }
  return message.blank ?? 'null'
}

/** The result in a tool message. */
export function resultOf(message: Message): ResultPart | undefined {
  const part = message.parts[0]
  return message.role === 'tool' && part?.kind === 'result' ? part : undefined
}

/** The text of a result: a string, the texts of its blocks, or the value under a key that formats use for it. */
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
    for (const value of [block.text, block.stdout, block.stderr]) if (typeof value === 'string') text += value
  }
  return text
}

/** Kinds of calls whose results are not text. */
export const callKindsWithoutText: ReadonlySet<string> = new Set(['computer', 'tool-search'])

/** Kinds of results for which a made-up call is a `function` call. */
const plainCallKinds: ReadonlySet<string> = new Set(['legacy', 'chat'])

/** A made-up call, for a result that needs one. */
export const madeUpCall = (format: Format, result: ResultPart, id: string): CallPart => ({
  kind: 'call',
  id,
  name: result.name || 'unknown_tool',
  input: format.input === 'text' ? '{}' : {},
  callKind: plainCallKinds.has(result.callKind) ? 'function' : result.callKind,
  by: 'client',
})

/** Whether a message directly follows a user or tool message, with the assistant or nothing after it. */
export function followsUser(messages: readonly Message[], position: number): boolean {
  const before = messages[position - 1]?.role
  const after = messages[position + 1]?.role
  return (before === 'user' || before === 'tool') && (after === undefined || after === 'assistant')
}

/** The text of a message, without its other content. */
export const messageText = (message: Message): string =>
  message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('\n\n')
