import type { Part } from '../../../core/conversation.ts'
import type { PairedCall, PairedResult } from '../../../core/pairing/paired-calls.ts'
import { findPlacement } from '../../../core/pairing/placement.ts'
import { unansweredCall } from '../../../core/rules/calls/unanswered-call.ts'
import { orphanResult } from '../../../core/rules/results/orphan-result.ts'
import type { Rule, RuleContext } from '../../../core/rules/rule.ts'
import type { Arc, ArcKind } from '../desk.ts'

/**
 * The arcs of a sheet, in the order of their calls, and then the orphans. Nothing is decided here: the pairing says what
 * belongs together, the seating what stands elsewhere, and two rules what is missing.
 */
export function arcsOf(scene: RuleContext): Arc[] {
  const { calls, results } = scene.pairing
  const kindOf = kindsIn(scene)
  const open = partsFound(unansweredCall, scene)
  const orphans = partsFound(orphanResult, scene)
  const arcs: Arc[] = []
  for (const call of calls) {
    if (!call.answer) arcs.push(arcFrom(call, open.has(call.part) ? 'open' : 'waiting'))
    for (const result of call.results) arcs.push({ ...arcFrom(call, kindOf(result)), to: result.position })
  }
  for (const result of results) {
    const isOrphan = orphans.has(result.part) || (!scene.continues && result.message.role !== 'tool')
    if (!result.call && isOrphan) arcs.push(orphanArc(result))
  }
  return arcs
}

/** Results that stand elsewhere, also behind text that was split off from their calls. */
function unseatedIn(scene: RuleContext): Set<PairedResult> {
  const { outOfPlace: unseated, split } = findPlacement(scene)
  const results = new Set(unseated.map(({ result }) => result))
  for (const { step, texts } of split) {
    const text = scene.messages.indexOf(texts[0], step.position)
    for (const { answer } of step.calls) if (answer && answer.position > text) results.add(answer)
  }
  return results
}

function kindsIn(scene: RuleContext): (result: PairedResult) => ArcKind {
  const unseated = unseatedIn(scene)
  return result => {
    const { call, message, part } = result
    if (call?.answer !== result) return 'duplicate'
    // One part of the wire holds both, so nothing comes between, in whatever order an edit has left the messages.
    const isFused = scene.format.fused === true && part.raw !== undefined && part.raw === call.part.raw
    // A result in a message of the assistant's is on the wrong side, wherever that stands.
    return (unseated.has(result) && !isFused) || message.role !== 'tool' ? 'misplaced' : 'seated'
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

/** The parts that a rule finds fault with. */
function partsFound(rule: Rule, scene: RuleContext): Set<Part | undefined> {
  const parts = new Set<Part | undefined>()
  rule.check(scene, ({ part }) => parts.add(part))
  return parts
}
