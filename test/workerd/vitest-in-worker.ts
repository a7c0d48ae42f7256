import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  chai,
  customMatchers,
  type ExpectStatic,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect'
import { fn, restoreAllMocks, spyOn } from '@vitest/spy'

/** What contract suites use of the test runner, in a worker: it collects the tests, and they are run one at a time from outside. */

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(ChaiStyleAssertions)
chai.use(JestAsymmetricMatchers)

export const expect = ((value: unknown, message?: string) => chai.expect(value, message)) as unknown as ExpectStatic
Object.assign(expect, chai.expect, (globalThis as Record<symbol, unknown>)[ASYMMETRIC_MATCHERS_OBJECT])
expect.getState = () => getState(expect)
expect.setState = state => setState(state, expect)
setState({ assertionCalls: 0, isExpectingAssertions: false }, expect)
chai.expect.extend(expect, customMatchers)

export const vi = { spyOn, fn, restoreAllMocks }

type Work = (...values: never[]) => unknown

/** The hooks of a suite, and of those around it. */
interface Suite {
  readonly title: string
  readonly parent: Suite | undefined
  readonly before: Work[]
  readonly after: Work[]
}

interface Collected {
  readonly title: string
  readonly suite: Suite
  readonly work: () => unknown
}

const outermost: Suite = { title: '', parent: undefined, before: [], after: [] }
let suite = outermost
export const collected: Collected[] = []

export function describe(title: string, collect: () => void): void {
  suite = { title, parent: suite, before: [], after: [] }
  collect()
  suite = suite.parent ?? outermost
}

export const beforeEach = (work: Work): unknown => suite.before.push(work)
export const afterEach = (work: Work): unknown => suite.after.push(work)

export function test(title: string, work: Work): void {
  const full = pathOf(suite).concat(title).join(' > ')
  collected.push({ title: `${collected.length} ${full}`, suite, work: () => work() })
}

test.each = (cases: readonly unknown[]) => (title: string, work: Work) => {
  for (const [index, given] of cases.entries()) {
    const values = Array.isArray(given) ? given : [given]
    test(`${title} (${index})`, () => work(...(values as never[])))
  }
}

test.for = (cases: readonly unknown[]) => (title: string, work: Work) => {
  for (const [index, given] of cases.entries()) test(`${title} (${index})`, () => work(given as never))
}

const pathOf = ({ title, parent }: Suite): string[] => (parent ? [...pathOf(parent), title] : [])

/** Runs a test. Throws what it throws. */
export async function runCollected(index: number): Promise<void> {
  const { suite, work } = collected[index]
  const suites: Suite[] = []
  for (let at: Suite | undefined = suite; at; at = at.parent) suites.unshift(at)
  for (const { before } of suites) for (const hook of before) await hook()
  try {
    await work()
  } finally {
    restoreAllMocks()
    for (const { after } of suites.reverse()) for (const hook of after) await hook()
  }
}
