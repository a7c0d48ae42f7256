import { AntiphonError } from '../../core/errors.ts'
import { minimize } from '../../core/minimize.ts'
import { checkRules, type Diagnostic } from '../../core/rules/check.ts'
import { rules } from '../../core/rules/index.ts'
import { type Defect, type Rule, RuleContext } from '../../core/rules/rule.ts'
import { detectFormat } from '../detect.ts'
import { decodeHistory } from '../heal.ts'
import { type HealOptions, type HealPlan, planFor } from '../options.ts'
import { redact } from './redact.ts'

export interface ShrinkOptions extends HealOptions {
  /** The rule whose first diagnostic is shown; by default the first error, else the first warning. */
  readonly rule?: string
  /** Hides content: letters become x, digits 0. */
  readonly redact?: boolean
}

export interface Shrunk {
  readonly messages: readonly unknown[]
  /** The diagnostic of the messages, with its path among them. */
  readonly diagnostic: Diagnostic
  /** Paths of texts that were not hidden, because the diagnostic depends on them. */
  readonly kept: readonly string[]
}

/**
 * The fewest messages that still show one diagnostic of a history: the same defect of the same message, in a list that
 * is still detected as the same format. Undefined if the history has no such diagnostic.
 */
export function shrink(history: readonly unknown[], options: ShrinkOptions = {}): Shrunk | undefined {
  const plan = planFor(history, options)
  const target = findTarget(history, plan, options.rule)
  if (!target) return undefined
  const { rule, diagnostic, index } = target
  const shows = (list: readonly unknown[], at: number | undefined): boolean =>
    showsAt(list, at, rule, diagnostic.callId, plan) &&
    (options.format !== undefined || detectFormat(list, options.for && plan.dialect.codec) === plan.codec.id)

  const message = index === undefined ? undefined : history[index]
  const few = minimize(history, list => {
    const at = index === undefined ? undefined : list.indexOf(message)
    return at !== -1 && shows(list, at)
  })
  const place = index === undefined ? undefined : few.indexOf(message)
  const { messages, kept } = options.redact
    ? hideTexts(few, plan.codec.format.root, list => shows(list, place))
    : { messages: few, kept: [] }
  const shown = checkRules(new RuleContext(decodeHistory(messages, plan), plan), plan).find(
    found => found.rule === rule.id && found.callId === diagnostic.callId && indexOf(found.at) === place,
  )
  return { messages, diagnostic: shown ?? diagnostic, kept }
}

interface Target {
  readonly rule: Rule
  readonly diagnostic: Diagnostic
  /** The message it was found in, if it was found in one. */
  readonly index: number | undefined
}

function findTarget(history: readonly unknown[], plan: HealPlan, id: string | undefined): Target | undefined {
  if (id !== undefined && !rules.some(rule => rule.id === id))
    throw new AntiphonError('unknown-rule', `unknown rule "${id}"`, {
      hint: `one of: ${rules.map(rule => rule.id).join(', ')}`,
    })
  const all = checkRules(new RuleContext(decodeHistory(history, plan), plan), plan)
  const diagnostic =
    id === undefined ? (all.find(found => found.severity === 'error') ?? all[0]) : all.find(found => found.rule === id)
  const rule = rules.find(({ id }) => id === diagnostic?.rule)
  return diagnostic && rule && { rule, diagnostic, index: indexOf(diagnostic.at) }
}

/** Runs only this rule, since this is done for every candidate. */
function showsAt(
  list: readonly unknown[],
  index: number | undefined,
  rule: Rule,
  callId: string | undefined,
  plan: HealPlan,
): boolean {
  const context = new RuleContext(decodeHistory(list, plan), plan)
  const isSame = ({ message, part, callId: id }: Defect): boolean =>
    id === callId && (message ? indexOf(plan.codec.format.locate(message, part)) : undefined) === index
  let found = false
  rule.check(context, defect => {
    found ||= isSame(defect)
  })
  return found
}

/** The index of the message in a path. */
function indexOf(at: string): number | undefined {
  const index = /\[(\d+)\]/.exec(at)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** Hides all texts; or, if the diagnostic disappears, each text that it does not depend on. */
function hideTexts(
  few: readonly unknown[],
  root: string,
  shows: (list: readonly unknown[]) => boolean,
): { messages: readonly unknown[]; kept: readonly string[] } {
  const paths: string[] = []
  const hidden = redact(few, root, path => {
    paths.push(path)
    return false
  })
  if (shows(hidden)) return { messages: hidden, kept: [] }
  const visible = new Set(paths)
  const withVisible = (): unknown[] => redact(few, root, path => visible.has(path))
  for (const path of paths) {
    visible.delete(path)
    if (!shows(withVisible())) visible.add(path)
  }
  return { messages: withVisible(), kept: [...visible] }
}
