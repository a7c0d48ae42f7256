import type { Conversation, Format } from '../conversation.ts'
import type { Dialect, Facts } from '../dialect.ts'
import { withCountedKeys } from '../json/equal.ts'
import type { Defect, Rule, RuleContext } from './rule.ts'

/** A defect that a rule found, at a place. */
export interface Diagnostic {
  readonly rule: string
  readonly severity: 'error' | 'warning'
  /** A path in the caller's history, like `messages[14].content[1]`. */
  readonly at: string
  readonly callId?: string
  readonly message: string
  /** What repairs it. */
  readonly help: string
  /** The provider's error message for it, where it is known. */
  readonly refusal?: string
}

/** The rules to check, and the dialect whose error messages are quoted. */
export interface RuleSet {
  readonly rules: readonly Rule[]
  readonly dialect: Dialect
}

/** The rules that apply to the dialect and the format. */
export function rulesFor({ facts, format }: RuleContext, rules: readonly Rule[]): readonly Rule[] {
  const byFacts = known.get(rules) ?? new WeakMap<Facts, WeakMap<Format, readonly Rule[]>>()
  const byFormat = byFacts.get(facts) ?? new WeakMap<Format, readonly Rule[]>()
  const wanted = byFormat.get(format) ?? rules.filter(rule => rule.appliesTo(facts, format))
  known.set(rules, byFacts.set(facts, byFormat.set(format, wanted)))
  return wanted
}

/** Cached: facts never change. */
const known = new WeakMap<readonly Rule[], WeakMap<Facts, WeakMap<Format, readonly Rule[]>>>()

/** All diagnostics, in the order of the history. */
export function checkRules(context: RuleContext, { rules, dialect }: RuleSet): Diagnostic[] {
  const found: { rule: Rule; defect: Defect }[] = []
  withCountedKeys(() => {
    for (const rule of rulesFor(context, rules)) rule.check(context, defect => found.push({ rule, defect }))
  })
  return sortByPosition(found, context).map(({ rule, defect }) => toDiagnostic(rule, defect, dialect, context.format))
}

/** Defects in the order of their messages; those of one message stay in the order of the rules. */
export function sortByPosition<T extends { readonly defect: Defect }>(
  found: readonly T[],
  conversation: Pick<Conversation, 'messages'>,
): T[] {
  if (found.length < 2) return [...found]
  const place = new Map(conversation.messages.map((message, position) => [message.key, position]))
  const at = ({ defect }: T): number => (defect.message ? (place.get(defect.message.key) ?? -1) : -1)
  return found
    .map((entry, order) => ({ entry, order, position: at(entry) }))
    .sort((a, b) => a.position - b.position || a.order - b.order)
    .map(({ entry }) => entry)
}

export function toDiagnostic(rule: Rule, defect: Defect, dialect: Dialect, format: Format): Diagnostic {
  const { message, part, callId } = defect
  const template = dialect.refusals[rule.id]
  return {
    rule: rule.id,
    severity: rule.severity,
    at: message ? format.locate(message, part) : '',
    ...(callId === undefined ? {} : { callId }),
    message: defect.text,
    help: defect.fix ? `${defect.fix.title} (${defect.fix.class})` : (defect.help ?? ''),
    ...(template === undefined ? {} : { refusal: fillTemplate(template, defect, format) }),
  }
}

function fillTemplate(template: string, defect: Defect, format: Format): string {
  if (!template.includes('{')) return template
  return template.replace(templateFields, (_, place: string | undefined, next: string | undefined, name: string) =>
    place === undefined ? nameFor(name, defect) : String(indexFor(place, defect, format) + (next ? 1 : 0)),
  )
}

/**
 * Fields of the error messages that dialects quote: `{n}` is the index of the message (in OpenAI Responses, of the item), `{k}` that of
 * the part in it, `{n+1}` and `{k+1}` are the same counted from one, and the others are names.
 */
const templateFields = /\{(?:([nk])(\+1)?|(id|item|role|name))\}/g

function indexFor(place: string, { message, refused, part }: Defect, format: Format): number {
  if (place === 'k') return part?.slot ?? 0
  const isItem = format.reasoning === 'items' && message?.role === 'assistant' && part?.slot !== undefined
  return isItem ? part.slot : ((refused ?? message)?.origin ?? 0)
}

function nameFor(name: string, { message, part, callId }: Defect): string {
  if (name === 'role') return message?.role ?? ''
  if (name === 'id') return (callId ?? '').slice(0, 120)
  if (name === 'item') return (part?.itemId ?? message?.itemId ?? '').slice(0, 120)
  return (part?.kind === 'call' ? part.name : '').slice(0, 120)
}
