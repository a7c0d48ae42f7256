import type { ReasoningPart, TextPart } from './conversation.ts'
import type { IdForm, NameForm } from './ids.ts'

/**
 * What a reader insists on, as facts. A rule asks for a fact and never for a provider; a dialect is data and never code.
 * Calls and results that do not pair, or do not stand together, are mended in every dialect.
 */
export interface Dialect {
  readonly id: string
  readonly title: string
  /** The codec whose shape this reader takes at home. */
  readonly codec: string
  readonly facts: Facts
  /** Facts that differ by model family; the first match counts. */
  readonly models?: readonly { readonly match: RegExp; readonly facts: Partial<Facts> }[]
  /** What is known from third parties only, or inferred. It changes nothing, until the provider rejects a history or a caller is cautious. */
  readonly doubtful?: Partial<Facts>
  /** The reader's own words for a refusal, by rule. `{id}`, `{item}`, `{name}`, `{n}` and `{k}` stand for ids, names and indexes, `{n+1}` for the next one. */
  readonly refusals: Readonly<Record<string, string>>
}

type Verdict = 'accept' | 'refuse'

export interface Facts {
  readonly ids: IdForm
  /** Where a call id must not come twice. */
  readonly uniqueIds: 'step' | 'history'
  readonly names?: NameForm
  /** The ids of calls that the reader runs by its own tools (sort `server`): any other was made elsewhere, and is refused. */
  readonly serverIds?: IdForm
  /** The providers whose own calls can be sent back, where a format takes those of many: by default all. */
  readonly hosts?: readonly string[]
  /** Calls that are sent though they are in no list of their message, by their place in it: by default all. */
  readonly sentCalls?: readonly string[]
  /** The arguments of a call are sent as its copy in the content has them. */
  readonly sentCopies?: true
  /**
   * Files that can be sent, by default all; an SDK fails on others. It leaves all of them out if they are `ignored`, and the
   * message too if nothing else is in it and they are `skipped`.
   */
  readonly files?: 'none' | 'data' | 'web' | 'ignored' | 'skipped'
  /** The blocks of content that an SDK sends, by their type: by default all. */
  readonly sentBlocks?: RegExp
  /** The fields that an SDK sends though the content says nothing. */
  readonly sentFields?: readonly string[]
  /** A user message of which an SDK sends nothing but the role, or only one that it does not join with a neighbour. */
  readonly unheardUser?: 'refuse' | 'refuse-alone'
  /** What an SDK leaves out of assistant messages unless one of `hosts` signed it: reasoning, or parts without words. */
  readonly unsignedParts?: 'reasoning' | 'wordless'
  /** Ids of items, beside call ids. */
  readonly itemIds: 'any' | 'strict'
  /** Input of a call that is not a JSON object. */
  readonly malformedInput: Verdict
  /** Content of a result in a form that the wire does not know. */
  readonly malformedResult: Verdict
  /** Several calls in one assistant message. */
  readonly parallelCalls: Verdict
  /** Text after a call in the same assistant message, if no result follows, or if one does too. Items always count as both. */
  readonly textAfterCall: Verdict | 'refuse-answered'
  /** On wires of items: a result that does not follow its call at once, or that comes in a later request if the call says so. */
  readonly lateResults: Verdict
  /** The results of one step in several messages, on wires where they can share one. */
  readonly splitResults: Verdict
  /** User content in the message that holds results, on wires where it can be. */
  readonly textBesideResults: Verdict
  /** User content in a message of its own directly behind the one that holds results, on wires where it can be in it. */
  readonly textBehindResults: Verdict
  /** A `tool_calls` key with nothing in it. */
  readonly emptyCalls: Verdict
  /** The emptiest content that a message without calls may have. */
  readonly emptyMessage: 'accept' | 'refuse-null' | 'refuse-empty' | 'refuse-blank'
  /** A final assistant message with nothing in it, which the model is to fill, where others must have words. */
  readonly emptyLast: Verdict
  /** Text blocks without words beside other content. */
  readonly blankText: 'accept' | 'refuse-empty' | 'refuse-blank'
  /** What the content key beside calls must be when there is no text. */
  readonly contentBesideCalls: 'any' | 'null-or-text' | 'text' | 'nothing-or-words'
  /** Results without words; `refuse-blank`: blocks of text without words in them, and errors without content. */
  readonly emptyResult: Verdict | 'refuse-blank'
  /** The final assistant message ends in white space. */
  readonly trailingSpace: Verdict
  readonly system: 'anywhere' | 'first' | 'not-after-assistant' | 'after-user'
  /** System messages in a wire that has no place for them. */
  readonly systemRole: 'refuse' | 'after-user'
  readonly systems: 'many' | 'one'
  readonly developer: Verdict
  /** Names of roles: any, all but those of other wires, or only the wire's own. */
  readonly roleNames: 'any' | 'tolerated' | 'own'
  readonly consecutiveUsers: Verdict
  /** Assistant messages in a row; some readers refuse them only if a later one calls. */
  readonly consecutiveAssistants: Verdict | 'refuse-calls'
  /** A user message directly behind a result. */
  readonly userAfterResult: Verdict
  /** An assistant message at the beginning; some providers reject it only if it calls, also after system messages or not. */
  readonly firstAssistant: Verdict | 'refuse-calls' | 'refuse-leading-calls'
  readonly lastAssistant: Verdict
  /** A history without a user message; `refuse-system-only`: one that has system messages only. */
  readonly noUser: Verdict | 'refuse-system-only'
  /** Reasoning in blocks: without a signature, or any at all; after a call that no result follows, or after any; at the end of the last message. */
  readonly unsignedThinking: Verdict | 'refuse-all'
  readonly thinkingAfterCall: Verdict | 'refuse-answered'
  readonly trailingThinking: Verdict
  /** Reasoning items: without the item they led to. */
  readonly loneReasoning: Verdict
  /** Items whose reasoning is gone: those that the history shows to have had some, or all that come without. */
  readonly callWithoutReasoning: Verdict | 'refuse-shown'
  /** Assistant messages with calls that come back without their reasoning. */
  readonly missingReasoning: Verdict
  /** The first call of each step must carry a proof of its origin; this stands in for one that is lost. */
  readonly signature?: string
  /** With thinking switched on, the open step must begin with it; switched off, it must have none. */
  readonly thinkingSetting: 'free' | 'strict' | 'strict-if-said'
  /** Calls of tools in a request that declares none. */
  readonly undeclaredTools: Verdict
  /** The same item id twice. */
  readonly repeatedItem: Verdict
  /** Text in an assistant message that calls. */
  readonly textBesideCalls: Verdict
  /** Calls in the deprecated field `function_call`, and results with the role `function`. */
  readonly legacyCalls: Verdict
  /** The words of a refusal in a field or a block of their own, which few providers read. */
  readonly refusalField: Verdict
}

/** Accepts everything that is not a matter of pairing, or a field that one provider alone has; each dialect says where it differs. */
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
  textBehindResults: 'accept',
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

/** The facts for a model, where its family differs; for the cautious also those that are in doubt. */
export function factsFor(dialect: Dialect, model?: string, cautious = false): Facts {
  const family = model === undefined ? undefined : dialect.models?.find(({ match }) => match.test(model))
  const doubtful = cautious ? dialect.doubtful : undefined
  return family || doubtful ? { ...dialect.facts, ...family?.facts, ...doubtful } : dialect.facts
}

type Signed = Pick<TextPart | ReasoningPart, 'text' | 'signedBy'>

/** Whether an SDK leaves reasoning out for want of its provider's signature. */
export const isUnsigned = (part: Signed, facts: Facts): boolean =>
  !isSigned(part, facts) && (facts.unsignedParts === 'wordless' ? part.text === '' : facts.unsignedParts !== undefined)

/** Whether an SDK sends a text without words for the sake of its provider's signature. */
export const isSentWordless = (part: Signed, facts: Facts): boolean =>
  facts.unsignedParts === 'wordless' && isSigned(part, facts)

const isSigned = ({ signedBy }: Signed, { hosts }: Facts): boolean =>
  signedBy !== undefined && hosts?.includes(signedBy) === true
