import { type Demands, type Diagnostic, diagnose, rulesFor } from './check.ts'
import type { EditClass } from './choices.ts'
import type { Message } from './conversation.ts'
import { Draft, type Edit, front } from './edit.ts'
import type { Finding, Rule, Scene } from './rule.ts'
import type { Settings } from './settings.ts'

/** One mended diagnostic: what was wrong and the edits that mended it. */
export interface Repair extends Diagnostic {
  readonly class: EditClass
  readonly edits: readonly Edit[]
}

export interface Repaired {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly settings?: Settings
}

/**
 * Runs the rules in their order, and again until a round changes nothing; what that last round finds remains. The order
 * is such that the second round is the last one on all but contrived histories; the bound holds for those. `isHealthy`
 * can spare the last round: it says so only of messages without any finding. Made-up messages get keys from `fresh` on.
 */
export function repair(
  scene: Scene,
  { rules, dialect }: Demands,
  isHealthy: (messages: readonly Message[]) => boolean,
  fresh?: number,
): Repaired {
  const draft = new Draft(scene.messages, scene.cutBefore ? scene.messages[0].key - 1 : front, fresh, scene.settings)
  const wanted = rulesFor(scene, rules)
  const repairs: Repair[] = []
  let now = scene
  for (let round = 1; ; round++) {
    const before = draft.edits.length
    const remaining: { rule: Rule; finding: Finding }[] = []
    for (const rule of wanted) {
      const start = draft.edits.length
      const findings: Finding[] = []
      rule.check(now, finding => findings.push(finding))
      for (const finding of findings) {
        const { fix } = finding
        const from = draft.edits.length
        if (fix && round < roundsMax && scene.choices.allow.has(fix.class)) fix.apply(draft)
        if (fix && draft.edits.length > from) {
          const edits = draft.edits.slice(from)
          repairs.push({ ...diagnose(rule, finding, dialect, scene.wire), class: fix.class, edits })
        } else remaining.push({ rule, finding })
      }
      if (draft.edits.length > start) now = now.with(draft)
    }
    if (scene.wire.reasoning === 'items' && draft.edits.length > before) {
      const from = draft.edits.length
      joinNeighbours(draft)
      const last = repairs[repairs.length - 1]
      repairs[repairs.length - 1] = { ...last, edits: [...last.edits, ...draft.edits.slice(from)] }
      now = now.with(draft)
    }
    const { messages } = draft
    if (draft.edits.length === before) {
      const left = remaining.map(({ rule, finding }) => diagnose(rule, finding, dialect, scene.wire))
      return { messages, repairs, remaining: left, ...settingsOf(draft) }
    }
    if (isHealthy(messages)) return { messages, repairs, remaining: [], ...settingsOf(draft) }
  }
}

const roundsMax = 8

const settingsOf = ({ settings }: Draft): { settings?: Settings } => (settings === undefined ? {} : { settings })

/** Items of the assistant that have come to stand together are one message, as they will be when they are read again. */
function joinNeighbours(draft: Draft): void {
  const { messages } = draft
  for (let start = 0; start < messages.length; start++) {
    let end = start
    while (messages[start].role === 'assistant' && messages[end + 1]?.role === 'assistant') end++
    if (end === start) continue
    const run = messages.slice(start, end + 1)
    draft.update(run[0].key, message => ({ ...message, parts: run.flatMap(({ parts }) => parts) }))
    for (const { key } of run.slice(1)) draft.remove(key)
    start = end
  }
}
