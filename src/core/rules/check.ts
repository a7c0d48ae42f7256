import type { Conversation, Wire } from '../conversation.ts'
import type { Dialect, Facts } from '../dialect.ts'
import { comparing } from '../json/equal.ts'
import type { Finding, Rule, Scene } from './rule.ts'

/** A rule found broken, at a place. */
export interface Diagnostic {
  readonly rule: string
  readonly severity: 'error' | 'warning'
  /** A path in the caller's own wire, like `messages[14].content[1]`. */
  readonly at: string
  readonly callId?: string
  readonly message: string
  /** What mends it. */
  readonly help: string
  /** The reader's own words for the refusal, where they are known. */
  readonly refusal?: string
}

/** What a history is held to, and the words in which its reader refuses it. */
export interface Demands {
  readonly rules: readonly Rule[]
  readonly dialect: Dialect
}

/** Those of the rules that a reader insists on. */
export function rulesFor({ facts, wire }: Scene, rules: readonly Rule[]): readonly Rule[] {
  const byFacts = known.get(rules) ?? new WeakMap<Facts, WeakMap<Wire, readonly Rule[]>>()
  const byWire = byFacts.get(facts) ?? new WeakMap<Wire, readonly Rule[]>()
  const wanted = byWire.get(wire) ?? rules.filter(rule => rule.appliesTo(facts, wire))
  known.set(rules, byFacts.set(facts, byWire.set(wire, wanted)))
  return wanted
}

/** The same reader is asked for again and again, and its facts never change. */
const known = new WeakMap<readonly Rule[], WeakMap<Facts, WeakMap<Wire, readonly Rule[]>>>()

/** Everything a reader would refuse, in the order of the history. */
export function check(scene: Scene, { rules, dialect }: Demands): Diagnostic[] {
  const found: { rule: Rule; finding: Finding }[] = []
  comparing(() => {
    for (const rule of rulesFor(scene, rules)) rule.check(scene, finding => found.push({ rule, finding }))
  })
  return inOrder(found, scene).map(({ rule, finding }) => diagnose(rule, finding, dialect, scene.wire))
}

/** Findings in the order of their messages; those of one message stay in the order of the rules. */
export function inOrder<T extends { readonly finding: Finding }>(
  found: readonly T[],
  conversation: Pick<Conversation, 'messages'>,
): T[] {
  if (found.length < 2) return [...found]
  const place = new Map(conversation.messages.map((message, position) => [message.key, position]))
  const at = ({ finding }: T): number => (finding.message ? (place.get(finding.message.key) ?? -1) : -1)
  return found
    .map((entry, order) => ({ entry, order, position: at(entry) }))
    .sort((a, b) => a.position - b.position || a.order - b.order)
    .map(({ entry }) => entry)
}

export function diagnose(rule: Rule, finding: Finding, dialect: Dialect, wire: Wire): Diagnostic {
  const { message, part, callId } = finding
  const words = dialect.refusals[rule.id]
  return {
    rule: rule.id,
    severity: rule.severity,
    at: message ? wire.locate(message, part) : '',
    ...(callId === undefined ? {} : { callId }),
    message: finding.text,
    help: finding.fix ? `${finding.fix.title} (${finding.fix.class})` : (finding.help ?? ''),
    ...(words === undefined ? {} : { refusal: quote(words, finding, wire) }),
  }
}

function quote(words: string, finding: Finding, wire: Wire): string {
  if (!words.includes('{')) return words
  return words.replace(blanks, (_, place: string | undefined, next: string | undefined, name: string) =>
    place === undefined ? wordFor(name, finding) : String(placeFor(place, finding, wire) + (next ? 1 : 0)),
  )
}

/** What is filled in: `{n}` and `{k}`, also counted from one, and names. */
const blanks = /\{(?:([nk])(\+1)?|(id|item|role|name))\}/g

function placeFor(place: string, { message, refused, part }: Finding, wire: Wire): number {
  if (place === 'k') return part?.slot ?? 0
  const isItem = wire.reasoning === 'items' && message?.role === 'assistant' && part?.slot !== undefined
  return isItem ? part.slot : ((refused ?? message)?.origin ?? 0)
}

function wordFor(name: string, { message, part, callId }: Finding): string {
  if (name === 'role') return message?.role ?? ''
  if (name === 'id') return (callId ?? '').slice(0, 120)
  if (name === 'item') return (part?.itemId ?? message?.itemId ?? '').slice(0, 120)
  return (part?.kind === 'call' ? part.name : '').slice(0, 120)
}
