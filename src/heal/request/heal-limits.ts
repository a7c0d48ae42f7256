import type { Facts } from '../../core/dialect.ts'
import type { Report } from '../../core/report.ts'
import { copyOf, type Fields, isTooDeep } from '../../core/request/body-draft.ts'
import { LimitDraft, type LimitRule } from '../../core/rules/limit-rule.ts'
import { limitRules } from '../../core/rules/limit-rules.ts'
import type { HealPlan } from '../plan.ts'

/**
 * Repairs what a request has beyond the limits of the provider: media, cache marks, fields and tools. Undefined if it keeps to them; then
 * nothing was copied.
 */
export function healLimits(
  body: Readonly<Fields>,
  { codec, dialect, facts, choices }: HealPlan,
): (Report & { readonly body: Fields }) | undefined {
  const rules = rulesFor(facts, codec.id)
  if (rules.length === 0 || probe(body, rules, { codec, dialect, facts }).remaining.length === 0) return undefined
  if (isTooDeep(body)) return undefined
  const draft = new LimitDraft(copyOf(body) as Fields, codec.id, dialect, choices.allow)
  for (const rule of rules) draft.run(rule, facts)
  const { repairs, remaining, changed } = draft
  return { body: changed ? draft.body : body, changed, repairs, remaining }
}

/** Whether a request surely keeps to the limits, also if long strings in it are not known. */
export function surelyKeepsLimits(body: Readonly<Fields>, plan: HealPlan): boolean {
  const rules = rulesFor(plan.facts, plan.codec.id)
  if (rules.length === 0) return true
  const { survey, remaining } = probe(body, rules, plan)
  return survey.media.length === 0 && remaining.length === 0
}

/** Finds what is beyond the limits. Nothing is allowed, so that nothing changes. */
function probe(
  body: Readonly<Fields>,
  rules: readonly LimitRule[],
  { codec, dialect, facts }: Pick<HealPlan, 'codec' | 'dialect' | 'facts'>,
): LimitDraft {
  const draft = new LimitDraft(body, codec.id, dialect, [])
  for (const rule of rules) draft.run(rule, facts)
  return draft
}

/** The formats that requests are sent in. */
const wireFormats: ReadonlySet<string> = new Set(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock'])

function rulesFor(facts: Facts, format: string): readonly LimitRule[] {
  if (!wireFormats.has(format)) return []
  const wanted = known.get(facts) ?? limitRules.filter(rule => rule.appliesTo(facts))
  known.set(facts, wanted)
  return wanted
}

/** Cached: facts never change. */
const known = new WeakMap<Facts, readonly LimitRule[]>()
