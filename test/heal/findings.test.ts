import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CodecId, DialectId, HealOptions } from '../../src/index.ts'
import { check, convert, heal, healRequest, repair, trim } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'
import { files, root } from '../repository.ts'

/**
 * Histories and requests that Antiphon once made worse, each with what it must make of them: `test/findings/*.json`.
 * `want` is the expected value, or "same" for the very same reference.
 */
interface Finding {
  id: string
  title: string
  kind: 'heal' | 'request' | 'convert' | 'trim'
  format: CodecId
  for: DialectId
  model?: string
  options?: object
  history?: unknown[]
  request?: object
  want: unknown
  /** Rules that the report must name, where the expectation is about the report. */
  wantRules?: string[]
  /** Why the expectation holds: a provider's documentation, an SDK's type, a report. */
  evidence: string
}

const findings = files('test/findings/*.json').map(path => {
  const finding = JSON.parse(readFileSync(join(root, path), 'utf8')) as Finding
  expect(finding.id).toBe(basename(path, '.json'))
  return finding
})

describe('a history that an earlier release made worse', () => {
  test.each(findings)('[NH1] becomes what it should: $id', finding => {
    const { input, output, rules } = run(finding)
    if (finding.want === 'same') expect(output).toBe(input)
    else expect(output).toEqual(finding.want)
    if (finding.wantRules) expect(rules).toEqual(finding.wantRules)
  })

  test.each(findings.filter(({ kind }) => kind === 'heal'))('[NH2] is accepted by its provider: $id', finding => {
    const options = optionsOf(finding)
    const { messages, remaining } = repair(finding.history, options)
    expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(
      judge(messages ?? [], finding.format, finding.for, finding.model).filter(({ pedantic }) => !pedantic),
    ).toEqual([])
    expect(heal(messages, options)).toBe(messages)
  })

  test.each(findings.filter(({ kind }) => kind === 'request'))('[NH3] stays as it is the second time: $id', finding => {
    const once = healRequest(finding.request, optionsOf(finding)).body
    expect(healRequest(once, optionsOf(finding)).body).toBe(once)
  })

  test.each(findings.filter(({ kind }) => kind === 'trim'))('[NH4] is healthy after a cut: $id', finding => {
    const { format, history = [] } = finding
    const cut = trim(history, { ...optionsOf(finding), format } as HealOptions)
    expect(check(cut, { format, for: finding.for })).toEqual([])
  })
})

const optionsOf = ({ format, for: dialect, model, options }: Finding): HealOptions => ({
  format,
  for: dialect,
  ...(model === undefined ? {} : { model }),
  ...options,
})

function run(finding: Finding): { input: unknown; output: unknown; rules: string[] } {
  const rules: string[] = []
  const onRepair = ({ repairs }: { repairs: readonly { rule: string }[] }) =>
    rules.push(...repairs.map(({ rule }) => rule))
  const options = { ...optionsOf(finding), onRepair }
  const { kind, history = [], request } = finding
  if (kind === 'request') return { input: request, output: healRequest(request, options).body, rules }
  if (kind === 'heal') return { input: history, output: heal(history, options), rules }
  if (kind === 'trim') return { input: history, output: trim(history, options), rules }
  const { format, options: more = {} } = finding
  return { input: history, output: convert(history, { from: format, ...more, onRepair } as never), rules }
}
