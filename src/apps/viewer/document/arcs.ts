import type { Part } from '../../../core/conversation.ts'
import type { PairedCall, PairedResult } from '../../../core/pairing/paired-calls.ts'
import { findPlacement } from '../../../core/pairing/placement.ts'
import { unansweredCall } from '../../../core/rules/calls/unanswered-call.ts'
import { orphanResult } from '../../../core/rules/results/orphan-result.ts'
import type { Rule, RuleContext } from '../../../core/rules/rule.ts'
import type { Arc, ArcKind } from '../document-service.ts'

/**
 * The arcs of a history, in the order of their calls, and then the orphans. Nothing is decided here: the pairing says what belongs
 * together, the placement what is misplaced, and two rules what is missing.
 */
export function arcsOf(context: RuleContext): Arc[] {
  const { calls, results } = context.pairing
  const kindOf = kindsIn(context)
  const open = partsFound(unansweredCall, context)
  const orphans = partsFound(orphanResult, context)
  const arcs: Arc[] = []
  for (const call of calls) {
    if (!call.answer) arcs.push(arcFrom(call, open.has(call.part) ? 'open' : 'waiting'))
    for (const result of call.results) arcs.push({ ...arcFrom(call, kindOf(result)), to: result.position })
  }
  for (const result of results) {
    const isOrphan = orphans.has(result.part) || (!context.continues && result.message.role !== 'tool')
    if (!result.call && isOrphan) arcs.push(orphanArc(result))
  }
  return arcs
}

/** Misplaced results, including those after text that was split off from their calls. */
function misplacedIn(context: RuleContext): Set<PairedResult> {
  const { outOfPlace, split } = findPlacement(context)
  const results = new Set(outOfPlace.map(({ result }) => result))
  for (const {
    step,
    texts: [first],
  } of split) {
    const text = first ? context.messages.indexOf(first, step.position) : step.position
    for (const { answer } of step.calls) if (answer && answer.position > text) results.add(answer)
  }
  return results
}

function kindsIn(context: RuleContext): (result: PairedResult) => ArcKind {
  const misplaced = misplacedIn(context)
  return result => {
    const { call, message, part } = result
    if (call?.answer !== result) return 'duplicate'
    // Call and result are one part in this format, so nothing can be between them, whatever the order of the messages.
    const isFused = context.format.fused === true && part.raw !== undefined && part.raw === call.part.raw
    // A result in an assistant message is always misplaced.
    return (misplaced.has(result) && !isFused) || message.role !== 'tool' ? 'misplaced' : 'paired'
  }
}

const arcFrom = ({ part, step, index }: PairedCall, kind: ArcKind): Arc => ({
  kind,
  name: part.name,
  id: part.id,
  from: step.position,
  lane: index,
})

const orphanArc = ({ part, position }: PairedResult): Arc => ({
  kind: 'orphan',
  name: part.name ?? '',
  id: part.id,
  to: position,
  lane: 0,
})

/** The parts that violate a rule. */
function partsFound(rule: Rule, context: RuleContext): Set<Part | undefined> {
  const parts = new Set<Part | undefined>()
  rule.check(context, ({ part }) => parts.add(part))
  return parts
}
