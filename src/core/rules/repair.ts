import type { Choices, EditClass } from '../choices.ts'
import type { Message, Part } from '../conversation.ts'
import { Draft, type Edit, front, invertEdits } from '../edit.ts'
import { equal, withCountedKeys } from '../json/equal.ts'
import type { Settings } from '../settings.ts'
import { type Diagnostic, type RuleSet, rulesFor, toDiagnostic } from './check.ts'
import type { Defect, Rule, RuleContext } from './rule.ts'

/** One repaired diagnostic: what was wrong, and the edits that repaired it. */
export interface Repair extends Diagnostic {
  readonly class: EditClass
  readonly edits: readonly Edit[]
  /** Fields with text that the repaired history has no longer, by their paths: the format does not define them. */
  readonly lostFields?: Readonly<Record<string, unknown>>
}

export interface Repaired {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly settings?: Settings
}

/**
 * Runs the rules in order, in rounds, until a round changes nothing; what that last round finds remains. On all but
 * contrived histories the second round is the last; `roundsMax` bounds the others. `isHealthy` can skip the last round:
 * it returns true only for messages without any defect. A round without a net change adds no repairs and ends the
 * repair. Made-up messages get keys from `fresh` on.
 */
export const repairWithRules = (
  context: RuleContext,
  demands: RuleSet,
  isHealthy: (messages: readonly Message[]) => boolean,
  fresh?: number,
): Repaired => withCountedKeys(() => repairInRounds(context, demands, isHealthy, fresh))

function repairInRounds(
  context: RuleContext,
  { rules, dialect }: RuleSet,
  isHealthy: (messages: readonly Message[]) => boolean,
  fresh: number | undefined,
): Repaired {
  const [first] = context.messages
  const draft = new Draft(context.messages, context.cutBefore && first ? first.key - 1 : front, fresh, context.settings)
  const wanted = rulesFor(context, rules)
  const diagnosticOf = ({ rule, defect }: Found): Diagnostic => toDiagnostic(rule, defect, dialect, context.format)
  const repairs: Repair[] = []
  let now = context
  for (let round = 1; round < roundsMax; round++) {
    const { messages, settings } = now
    const found: Found[] = []
    for (const rule of wanted) {
      const defects = defectsOf(rule, now)
      if (!defects) continue
      const first = draft.edits.length
      for (const defect of defects) found.push({ rule, defect, edits: fixDefect(defect, now.choices, draft) })
      if (draft.edits.length > first) now = now.with(draft)
    }
    const last = found.findLast(({ edits }) => edits.length > 0)
    if (!last) return { messages: now.messages, repairs, remaining: found.map(diagnosticOf), ...settingsOf(draft) }
    if (context.format.reasoning === 'items') {
      const from = draft.edits.length
      joinNeighbours(draft)
      last.edits = [...last.edits, ...draft.edits.slice(from)]
      now = now.with(draft)
    }
    if (now.settings === settings && isSame(now.messages, messages)) break
    for (const one of found) {
      const { fix } = one.defect
      if (fix && one.edits.length > 0) repairs.push({ ...diagnosticOf(one), class: fix.class, edits: one.edits })
    }
    if (isHealthy(now.messages)) return { messages: now.messages, repairs, remaining: [], ...settingsOf(draft) }
  }
  const remaining = wanted.flatMap(rule =>
    (defectsOf(rule, now) ?? []).map(defect => diagnosticOf({ rule, defect, edits: [] })),
  )
  return { messages: now.messages, repairs, remaining, ...settingsOf(draft) }
}

interface Found {
  readonly rule: Rule
  readonly defect: Defect
  edits: readonly Edit[]
}

/** Repairs a defect as far as that is allowed, and returns the edits. */
function fixDefect({ fix }: Defect, { isFixed, allow }: Choices, draft: Draft): readonly Edit[] {
  const from = draft.edits.length
  if (fix && allow.has(fix.class)) fix.apply(draft)
  if (isFixed) undoIfFixed(draft, from, isFixed)
  return draft.edits.slice(from)
}

/** The defects that a rule finds; undefined if it finds none, as most rules do. */
function defectsOf(rule: Rule, context: RuleContext): Defect[] | undefined {
  let defects: Defect[] | undefined
  rule.check(context, defect => {
    if (defects) defects.push(defect)
    else defects = [defect]
  })
  return defects
}

/** Undoes the edits from an index on if one of them changes a part that must stay as it is. */
function undoIfFixed(draft: Draft, from: number, isFixed: (part: Part) => boolean): void {
  const edits = draft.edits.slice(from)
  if (!edits.some(edit => changedParts(edit, draft).some(isFixed))) return
  for (const edit of invertEdits(edits)) draft.apply(edit)
  draft.edits.length = from
}

/** The parts that an edit removes, rewrites or moves. */
function changedParts(edit: Edit, draft: Draft): readonly Part[] {
  switch (edit.kind) {
    case 'remove':
      return edit.message.parts
    case 'replace': {
      const stays = new Set(edit.after.parts)
      return edit.before.parts.filter(part => !stays.has(part))
    }
    case 'rewrite':
      return [edit.before]
    case 'move':
      return draft.get(edit.key)?.parts ?? []
    default:
      return []
  }
}

/** Whether a round had no net change, for example because it split and joined the same message. */
const isSame = (messages: readonly Message[], before: readonly Message[]): boolean =>
  messages.length === before.length &&
  messages.every((message, at) => message === before[at] || equal(message, before[at]))

const roundsMax = 8

const settingsOf = ({ settings }: Draft): { settings?: Settings } => (settings === undefined ? {} : { settings })

/** Adjacent assistant messages made of items become one message, as they will when they are decoded again. */
function joinNeighbours(draft: Draft): void {
  const { messages } = draft
  for (let start = 0; start < messages.length; start++) {
    const first = messages[start]
    let end = start
    while (first?.role === 'assistant' && messages[end + 1]?.role === 'assistant') end++
    if (!first || end === start) continue
    const run = messages.slice(start, end + 1)
    draft.update(first.key, message => ({ ...message, parts: run.flatMap(({ parts }) => parts) }))
    for (const { key } of run.slice(1)) draft.remove(key)
    start = end
  }
}
