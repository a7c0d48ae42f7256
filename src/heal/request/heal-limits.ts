import type { Codec } from '../../codecs/codec.ts'
import { isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { equal } from '../../core/json/equal.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import type { Resize } from '../../core/media/resize.ts'
import type { Report } from '../../core/report.ts'
import { copyOf, type MutableFields } from '../../core/request/body-draft.ts'
import { surveyRequest } from '../../core/request/survey.ts'
import { LimitDraft, type LimitRule } from '../../core/rules/limit-rule.ts'
import { limitRules } from '../../core/rules/limit-rules.ts'
import { isWellFormed } from '../../core/rules/request/broken-character.ts'
import type { HealPlan } from '../plan.ts'

/**
 * Repairs what exceeds the limits of the provider in a request: media, cache marks, fields and tools. Undefined if nothing does; then
 * nothing was copied.
 */
export function healLimits(
  body: Readonly<MutableFields>,
  { codec, dialect, facts, choices }: HealPlan,
  { renameTools = false, resize }: { readonly renameTools?: boolean; readonly resize?: Resize | undefined },
): (Report & { readonly body: MutableFields; readonly renamedTools: ReadonlyMap<string, string> }) | undefined {
  const rules = rulesFor(facts, codec.id)
  if (rules.length === 0 || probe(body, rules, { codec, dialect, facts }).remaining.length === 0) return undefined
  if (isTooDeep(body)) return undefined
  const draft = new LimitDraft(copyOf(body) as MutableFields, codec.id, dialect, choices.allow, {
    renamesTools: renameTools,
    resize,
  })
  for (const rule of rules) draft.run(rule, facts)
  const { repairs, remaining, changed, renamedTools } = draft
  return { body: changed ? draft.body : body, changed, repairs, remaining, renamedTools }
}

/** Whether a request is certain to be within the limits, even if long strings were left out of it. */
export function surelyKeepsLimits(body: Readonly<MutableFields>, plan: HealPlan): boolean {
  const rules = rulesFor(plan.facts, plan.codec.id)
  if (rules.length === 0) return true
  const { survey, remaining } = probe(body, rules, plan)
  return survey.media.length === 0 && remaining.length === 0
}

/**
 * Repairs what exceeds the limits of the provider in messages from which a library makes the request: media and characters. Undefined if
 * nothing does. Messages that need no repair are the same objects as before. `plain` caches which messages have no media; those must not
 * change later.
 */
export function healMessageLimits(
  messages: readonly unknown[],
  { codec, dialect, facts, choices }: HealPlan,
  plain: WeakSet<object> = new WeakSet(),
  resize?: Resize,
): (Report & { readonly messages: readonly unknown[] }) | undefined {
  const rules = messageRulesFor(facts, codec.id)
  if (countPlain(messages, { codec, facts }, plain) === messages.length) return undefined
  const { root } = codec.format
  const sent = messages.map(message => readMessage(codec, message))
  const body = { [root]: sent }
  if (isTooDeep(body) || probe(body, rules, { codec, dialect, facts }).remaining.length === 0) return undefined
  const draft = new LimitDraft(copyOf(body) as MutableFields, codec.id, dialect, choices.allow, { root, resize })
  for (const rule of rules) draft.run(rule, facts)
  const { repairs, remaining, changed } = draft
  if (!changed) return { messages, changed, repairs, remaining }
  const healed = draft.history.map((after, index) => {
    const before = messages[index]
    if (equal(sent[index], after) || !isRecord(before) || !isRecord(after)) return before
    return codec.plain ? codec.plain.write(before, after) : { ...before, ...after }
  })
  return { messages: healed, changed, repairs, remaining }
}

/** How many messages come before the first one that a limit may concern. The first `from` are known to come before it. */
export function countPlain(
  messages: readonly unknown[],
  { codec, facts }: Pick<HealPlan, 'codec' | 'facts'>,
  plain: WeakSet<object>,
  from = 0,
): number {
  if (messageRulesFor(facts, codec.id).length === 0) return messages.length
  for (let index = from; index < messages.length; index++) {
    const message = messages[index]
    if (isRecord(message) && !plain.has(message) && !isPlain(message, readMessage(codec, message), plain)) return index
  }
  return messages.length
}

const readMessage = (codec: Codec, message: unknown): unknown =>
  codec.plain && isRecord(message) ? codec.plain.read(message) : message

/** Joins the reports of two repairs, of which the second was made after the first. */
export const joinReports = (first: Report | undefined, second: Report): Report =>
  first
    ? {
        changed: first.changed || second.changed,
        repairs: [...first.repairs, ...second.repairs],
        remaining: [...first.remaining, ...second.remaining],
      }
    : second

/** Whether no rule about messages can concern a message: it has no media, and its characters are whole. */
function isPlain(message: object, read: unknown, plain: WeakSet<object>): boolean {
  // A value that contains itself would be walked through without end.
  if (!isTooDeep(read) && (surveyRequest([read], '').media.length > 0 || !isWellFormed(read))) return false
  plain.add(message)
  return true
}

/** Finds what exceeds the limits. No class of edit is allowed, so nothing is changed. */
function probe(
  body: Readonly<MutableFields>,
  rules: readonly LimitRule[],
  { codec, dialect, facts }: Pick<HealPlan, 'codec' | 'dialect' | 'facts'>,
): LimitDraft {
  const draft = new LimitDraft(body, codec.id, dialect, [], { root: codec.format.root })
  for (const rule of rules) draft.run(rule, facts)
  return draft
}

/** The formats that requests are sent in, and those that libraries make requests from. */
const requestFormats: ReadonlySet<string> = new Set([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
])
const libraryFormats: ReadonlySet<string> = new Set(['ai-sdk', 'langchain'])

const rulesFor = (facts: Facts, format: Codec['id']): readonly LimitRule[] =>
  requestFormats.has(format) ? applicable(facts) : []

function messageRulesFor(facts: Facts, format: Codec['id']): readonly LimitRule[] {
  if (!requestFormats.has(format) && !libraryFormats.has(format)) return []
  const wanted = ofMessages.get(facts) ?? applicable(facts).filter(rule => rule.ofMessages)
  ofMessages.set(facts, wanted)
  return wanted
}

function applicable(facts: Facts): readonly LimitRule[] {
  const wanted = known.get(facts) ?? limitRules.filter(rule => rule.appliesTo(facts))
  known.set(facts, wanted)
  return wanted
}

/** Cached: facts never change. */
const known = new WeakMap<Facts, readonly LimitRule[]>()
const ofMessages = new WeakMap<Facts, readonly LimitRule[]>()
