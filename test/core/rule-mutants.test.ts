import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { type DialectId, dialects } from '../../src/core/dialects/index.ts'
import type { Examples } from '../../src/core/rules/example.ts'
import { rules } from '../../src/core/rules/index.ts'
import type { Defect, Rule } from '../../src/core/rules/rule.ts'
import { checkInvalid, checkValid, readExamples } from './check-examples.ts'

/** Rules that only report: nothing can be lost of their fix. */
const withoutFix = ['not-a-history', 'unreadable-message']

/** Rules that apply to every dialect and format: to invert that is the same as to report nothing. */
const applyAlways = [
  'not-a-history',
  'unreadable-message',
  'unreadable-part',
  'wrong-side',
  'duplicate-call-id',
  'malformed-id',
  'duplicate-result',
  'orphan-result',
  'unpaired-provider-call',
  'early-result',
  'interleaved-message',
  'misplaced-result',
  'unanswered-call',
  'system-role',
  'missing-user',
  'repeated-user-message',
]

/** What is broken in a rule, and in which rules it cannot be. */
const faults: { name: string; spoil: (rule: Rule) => Partial<Rule>; except?: readonly string[] }[] = [
  { name: 'reports nothing', spoil: () => ({ check() {} }) },
  {
    name: 'reports without its fix',
    spoil: ({ check }) => reporting(check, ({ fix: _, ...defect }) => defect),
    except: withoutFix,
  },
  {
    name: 'has a fix that does nothing',
    spoil: ({ check }) =>
      reporting(check, defect => (defect.fix ? { ...defect, fix: { ...defect.fix, apply() {} } } : defect)),
    except: withoutFix,
  },
  {
    name: 'applies where it should not, and nowhere else',
    spoil: ({ appliesTo }) => ({ appliesTo: (facts, format) => !appliesTo(facts, format) }),
    except: applyAlways,
  },
]

const reporting = (check: Rule['check'], change: (defect: Defect) => Defect): Partial<Rule> => ({
  check: (context, report) => check(context, defect => report(change(defect))),
})

const examples = new Map(await Promise.all(rules.map(async ({ id }) => [id, await readExamples(id)] as const)))

const mutants = faults.flatMap(({ name, spoil, except = [] }) =>
  rules.filter(({ id }) => !except.includes(id)).map(rule => ({ id: rule.id, name, rule, spoil })),
)

describe('a rule that is broken fails one of its own examples', () => {
  test.each(mutants)('[R6] $id $name', ({ id, rule, spoil }) => {
    expect(withFault(rule, spoil(rule), () => failing(id))).toBeDefined()
  })

  test('[R6] and all are tried, in every rule that can be broken so', () => {
    expect(rules.filter(({ id }) => failing(id) !== undefined)).toEqual([])
    expect(withoutFix).toEqual(rules.filter(rule => !isFixed(rule)).map(({ id }) => id))
    expect(applyAlways).toEqual(rules.filter(appliesAlways).map(({ id }) => id))
    expect(mutants).toHaveLength(4 * rules.length - 2 * withoutFix.length - applyAlways.length)
  })
})

/** The first example of a rule that does not hold. */
function failing(id: string): string | undefined {
  const { valid, invalid } = examples.get(id) as Examples
  const checks = [
    ...invalid.map(example => ({ name: example.name, run: () => checkInvalid(id, example) })),
    ...valid.map(example => ({ name: example.name, run: () => checkValid(id, example) })),
  ]
  return checks.find(({ run }) => throws(run))?.name
}

function throws(run: () => void): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}

/** Whether a rule repairs something in one of its examples. */
function isFixed(rule: Rule): boolean {
  let isFixed = false
  const seen = (defect: Defect): Defect => {
    isFixed ||= defect.fix !== undefined
    return defect
  }
  withFault(rule, reporting(rule.check, seen), () => failing(rule.id))
  return isFixed
}

/** Whether a rule applies to every dialect and format. */
const appliesAlways = (rule: Rule): boolean =>
  Object.values(dialects).every(({ facts }) =>
    Object.values(codecs).every(({ format }) => rule.appliesTo(facts, format)),
  )

/** Runs something while a rule is another. Which rules apply is remembered per dialect, so dialects are exchanged for copies. */
function withFault<T>(rule: Rule, fault: Partial<Rule>, run: () => T): T {
  const [sound, known] = [{ ...rule }, { ...dialects }]
  for (const id of Object.keys(known) as DialectId[])
    Object.assign(dialects, { [id]: { ...known[id], facts: { ...known[id].facts } } })
  try {
    Object.assign(rule, fault)
    return run()
  } finally {
    Object.assign(rule, sound)
    Object.assign(dialects, known)
  }
}
