import type { ReasoningPart, TextPart } from './conversation.ts'
import type { IdForm, NameForm } from './ids.ts'
import type { Limits } from './limits.ts'

/**
 * What a provider requires, as facts. A rule checks facts and never a provider; a dialect is data and never code. Calls
 * and results that do not pair, or are not adjacent, are repaired in every dialect.
 */
export interface Dialect {
  readonly id: string
  readonly title: string
  /** The format that this provider uses natively. */
  readonly codec: string
  readonly facts: Facts
  /** Facts that differ by model family; the first match counts. */
  readonly models?: readonly { readonly match: RegExp; readonly facts: Partial<Facts> }[]
  /**
   * Facts known from third parties only, or inferred. They have no effect until the provider rejects a history or the
   * caller asks to be cautious.
   */
  readonly doubtful?: Partial<Facts>
  /**
   * The provider's error message for a rejection, by rule. `{id}`, `{item}`, `{name}`, `{n}` and `{k}` are placeholders
   * for ids, names and indexes, `{n+1}` for the next index.
   */
  readonly refusals: Readonly<Record<string, string>>
  /** The rules that it needs where a format is healed alone, beyond those of the provider whose format it is. */
  readonly rules?: readonly { readonly id: string }[]
}

type Acceptance = 'accept' | 'refuse'

export interface Facts extends Limits {
  readonly ids: IdForm
  /** The scope in which a call id must be unique. */
  readonly uniqueIds: 'step' | 'history'
  readonly names?: NameForm
  /**
   * The form of ids of calls that the provider runs with its own tools (`callKind` is `server`). Other ids come from elsewhere
   * and are rejected.
   */
  readonly serverIds?: IdForm
  /** The providers whose own calls can be sent back, where a format accepts those of many; all by default. */
  readonly hosts?: readonly string[]
  /** An SDK sends the results of those calls only from the message that has the call. */
  readonly hostedResults?: 'inside'
  /** Calls that are sent although they are not in the list of their message, by their place in it; all by default. */
  readonly sentCalls?: readonly string[]
  /** The arguments of a call are sent as in its copy in the content. */
  readonly sentCopies?: true
  /**
   * Files that can be sent, all by default; an SDK fails on others. It omits all files if they are `ignored`, and also
   * a message with nothing else if they are `skipped`.
   */
  readonly files?: 'none' | 'data' | 'web' | 'ignored' | 'skipped'
  /** The providers whose ids of stored files an SDK sends; all by default. It fails on others. */
  readonly fileStores?: readonly string[]
  /** The same for the files in results. */
  readonly resultFileStores?: readonly string[]
  /** The types of content blocks that an SDK sends; all by default. */
  readonly sentBlocks?: RegExp
  /** The fields that an SDK sends even if the content is empty. */
  readonly sentFields?: readonly string[]
  /** An SDK sends a result that is a list of blocks once for each text in it. */
  readonly contentResults?: 'one-text'
  /** Results in LangChain's standard blocks: an SDK does not send them as results. */
  readonly standardResults?: 'unsent'
  /**
   * A user message of which an SDK sends only the role: rejected always, or only if the SDK does not join it with a
   * neighbour.
   */
  readonly roleOnlyUser?: 'refuse' | 'refuse-alone'
  /**
   * Parts that an SDK omits from assistant messages unless one of `hosts` signed them: reasoning, or parts without
   * text.
   */
  readonly unsignedParts?: 'reasoning' | 'wordless'
  /** Ids of items, in addition to call ids. */
  readonly itemIds: 'any' | 'strict'
  /** Input of a call that is not a JSON object. */
  readonly malformedInput: Acceptance
  /** Content of a result in a form that the format does not allow. */
  readonly malformedResult: Acceptance
  /** Several calls in one assistant message. */
  readonly parallelCalls: Acceptance
  /** The most calls in one assistant message, where there is a limit above one. */
  readonly callsMax?: number
  /**
   * Text after a call in the same assistant message: `refuse` if no result follows, `refuse-answered` in any case.
   * Items always count as both.
   */
  readonly textAfterCall: Acceptance | 'refuse-answered'
  /**
   * In formats of items: a result that does not directly follow its call, or that comes in a later request although the
   * call allows that. `accept-in-turn`: accepted unless a user message is in between.
   */
  readonly lateResults: Acceptance | 'accept-in-turn'
  /** The results of one step in several messages, in formats where they can share one. */
  readonly splitResults: Acceptance
  /** User content in the message that holds results, in formats where it can be there. */
  readonly textBesideResults: Acceptance
  /** User content in a separate message directly after the one that holds results, in formats where it can be in it. */
  readonly textAfterResults: Acceptance
  /** An empty `tool_calls` list. */
  readonly emptyCalls: Acceptance
  /** The emptiest content that a message without calls may have. */
  readonly emptyMessage: 'accept' | 'refuse-null' | 'refuse-empty' | 'refuse-blank'
  /** An empty final assistant message that the model is to fill, where other messages must have text. */
  readonly emptyLast: Acceptance
  /** Empty text blocks next to other content. */
  readonly blankText: 'accept' | 'refuse-empty' | 'refuse-blank'
  /** The value of the content key in a message with calls and no text. */
  readonly contentBesideCalls: 'any' | 'null-or-text' | 'text' | 'nothing-or-words'
  /** Results without text. `refuse-blank`: empty text blocks, and errors without content. `refuse-failed`: errors without content. */
  readonly emptyResult: Acceptance | 'refuse-blank' | 'refuse-failed'
  /** The final assistant message ends in white space. */
  readonly trailingSpace: Acceptance
  readonly system: 'anywhere' | 'first' | 'not-after-assistant' | 'after-user'
  /** System messages in a format whose list has none. */
  readonly systemRole: 'refuse' | 'after-user'
  readonly systems: 'many' | 'one'
  readonly developer: Acceptance
  /** Role names: any, all but those of other formats, or only those of the format. */
  readonly roleNames: 'any' | 'tolerated' | 'own'
  readonly consecutiveUsers: Acceptance
  /** Consecutive assistant messages; some providers reject them only if a later one has calls. */
  readonly consecutiveAssistants: Acceptance | 'refuse-calls'
  /** A user message directly after a result. */
  readonly userAfterResult: Acceptance
  /**
   * An assistant message at the beginning; some providers reject it only if it has calls, some even after system
   * messages.
   */
  readonly firstAssistant: Acceptance | 'refuse-calls' | 'refuse-leading-calls'
  readonly lastAssistant: Acceptance
  /** A history without a user message; `refuse-system-only`: one that has system messages only. */
  readonly noUser: Acceptance | 'refuse-system-only'
  /**
   * Reasoning in blocks: without a signature (`refuse-all`: all reasoning); after a call without a result, or after any
   * call; at the end of the last message.
   */
  readonly unsignedThinking: Acceptance | 'refuse-all'
  readonly thinkingAfterCall: Acceptance | 'refuse-answered'
  readonly trailingThinking: Acceptance
  /** A reasoning item without the item that it led to; `refuse-named`: only with its id, so it stays without the id. */
  readonly loneReasoning: Acceptance | 'refuse-named'
  /** Items whose reasoning is missing: those that had reasoning according to the history (`refuse-shown`), or all. */
  readonly callWithoutReasoning: Acceptance | 'refuse-shown'
  /** Assistant messages with calls that are sent back without their reasoning. */
  readonly missingReasoning: Acceptance
  /** The first call of each step must carry a signature; this value replaces a lost one. */
  readonly signature?: string
  /** With thinking enabled the open step must begin with thinking; with thinking disabled it must have none. */
  readonly thinkingSetting: 'free' | 'strict' | 'strict-if-set'
  /** Calls in a request that declares no tools. */
  readonly undeclaredTools: Acceptance
  /** The same item id twice. */
  readonly repeatedItem: Acceptance
  /** Text in an assistant message that calls. */
  readonly textBesideCalls: Acceptance
  /** Calls in the deprecated field `function_call`, and results with the role `function`. */
  readonly legacyCalls: Acceptance
  /** The text of a refusal of the model in a field or block of its own, which few providers read. */
  readonly refusalField: Acceptance
}

/** Accepts everything except broken pairing and fields that only one provider has; each dialect overrides what differs. */
export const lenientFacts: Facts = {
  ids: { lengthMax: Number.MAX_SAFE_INTEGER },
  uniqueIds: 'step',
  itemIds: 'any',
  malformedInput: 'accept',
  malformedResult: 'accept',
  parallelCalls: 'accept',
  textAfterCall: 'accept',
  lateResults: 'refuse',
  splitResults: 'refuse',
  textBesideResults: 'accept',
  textAfterResults: 'accept',
  emptyCalls: 'accept',
  emptyMessage: 'accept',
  emptyLast: 'accept',
  blankText: 'accept',
  contentBesideCalls: 'any',
  emptyResult: 'accept',
  trailingSpace: 'accept',
  system: 'anywhere',
  systemRole: 'refuse',
  systems: 'many',
  developer: 'accept',
  roleNames: 'any',
  consecutiveUsers: 'accept',
  consecutiveAssistants: 'accept',
  userAfterResult: 'accept',
  firstAssistant: 'accept',
  lastAssistant: 'accept',
  noUser: 'accept',
  unsignedThinking: 'accept',
  thinkingAfterCall: 'accept',
  trailingThinking: 'accept',
  loneReasoning: 'accept',
  callWithoutReasoning: 'accept',
  missingReasoning: 'accept',
  thinkingSetting: 'free',
  undeclaredTools: 'accept',
  repeatedItem: 'accept',
  textBesideCalls: 'accept',
  legacyCalls: 'accept',
  refusalField: 'refuse',
}

/** The facts for a model, including those of its family; with `cautious` the doubtful facts too. */
export function factsFor(dialect: Dialect, model?: string, cautious = false): Facts {
  const family = model === undefined ? undefined : dialect.models?.find(({ match }) => match.test(model))
  const doubtful = cautious ? dialect.doubtful : undefined
  return family || doubtful ? { ...dialect.facts, ...family?.facts, ...doubtful } : dialect.facts
}

type Signed = Pick<TextPart | ReasoningPart, 'text' | 'signedBy'>

/** Whether an SDK omits reasoning because it lacks the signature of its provider. */
export const isUnsigned = (part: Signed, facts: Facts): boolean =>
  !isSigned(part, facts) && (facts.unsignedParts === 'wordless' ? part.text === '' : facts.unsignedParts !== undefined)

/** Whether an SDK sends an empty text because it carries the signature of its provider. */
export const isSentForSignature = (part: Signed, facts: Facts): boolean =>
  facts.unsignedParts === 'wordless' && isSigned(part, facts)

const isSigned = ({ signedBy }: Signed, { hosts }: Facts): boolean =>
  signedBy !== undefined && hosts?.includes(signedBy) === true
