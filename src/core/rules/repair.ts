import type { EditClass } from '../choices.ts'
import type { Message } from '../conversation.ts'
import { Draft, type Edit, front } from '../edit.ts'
import { comparing, equal } from '../json/equal.ts'
import type { Settings } from '../settings.ts'
import { type Demands, type Diagnostic, diagnose, rulesFor } from './check.ts'
import type { Finding, Rule, Scene } from './rule.ts'

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
 * can spare the last round: it says so only of messages without any finding. A round that comes to nothing is not told, and
 * the last one to mend anything. Made-up messages get keys from `fresh` on.
 */
export const repair = (
  scene: Scene,
  demands: Demands,
  isHealthy: (messages: readonly Message[]) => boolean,
  fresh?: number,
): Repaired => comparing(() => inRounds(scene, demands, isHealthy, fresh))

function inRounds(
  scene: Scene,
  { rules, dialect }: Demands,
  isHealthy: (messages: readonly Message[]) => boolean,
  fresh: number | undefined,
): Repaired {
  const draft = new Draft(scene.messages, scene.cutBefore ? scene.messages[0].key - 1 : front, fresh, scene.settings)
  const wanted = rulesFor(scene, rules)
  const repairs: Repair[] = []
  let now = scene
  for (let round = 1; ; round++) {
    const { messages, settings } = now
    const found: { rule: Rule; finding: Finding; edits: readonly Edit[] }[] = []
    for (const rule of wanted) {
      const first = draft.edits.length
      const findings: Finding[] = []
      rule.check(now, finding => findings.push(finding))
      for (const finding of findings) {
        const { fix } = finding
        const from = draft.edits.length
        if (fix && round < roundsMax && scene.choices.allow.has(fix.class)) fix.apply(draft)
        found.push({ rule, finding, edits: draft.edits.slice(from) })
      }
      if (draft.edits.length > first) now = now.with(draft)
    }
    const last = found.findLast(({ edits }) => edits.length > 0)
    if (scene.wire.reasoning === 'items' && last) {
      const from = draft.edits.length
      joinNeighbours(draft)
      last.edits = [...last.edits, ...draft.edits.slice(from)]
      now = now.with(draft)
    }
    if (!last) {
      const remaining = found.map(({ rule, finding }) => diagnose(rule, finding, dialect, scene.wire))
      return { messages: now.messages, repairs, remaining, ...settingsOf(draft) }
    }
    if (now.settings === settings && isSame(now.messages, messages)) {
      round = roundsMax
      continue
    }
    for (const { rule, finding, edits } of found) {
      const { fix } = finding
      if (fix && edits.length > 0)
        repairs.push({ ...diagnose(rule, finding, dialect, scene.wire), class: fix.class, edits })
    }
    if (isHealthy(now.messages)) return { messages: now.messages, repairs, remaining: [], ...settingsOf(draft) }
  }
}

/** Whether a round came to nothing: what it divided, say, was joined again. */
const isSame = (messages: readonly Message[], before: readonly Message[]): boolean =>
  messages.length === before.length &&
  messages.every((message, at) => message === before[at] || equal(message, before[at]))

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
