import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentFramework } from '../../../../src/doctor/systems/agent-framework/index.ts'
import { healSample } from '../../contract.ts'
import { refusals } from './subject.ts'

const sample = (name: string): string => join(import.meta.dirname, 'samples', name)
const textOf = (path: string): string => readFileSync(path, 'utf8')

describe('samples of the Agent Framework', () => {
  test.each([
    ['broken.json', 'healed.json', ['misplaced-result at messages[4]']],
    ['approval-broken.json', 'approval-healed.json', ['unanswered-call at messages[1].toolCalls[1]']],
    ['confirm-broken.json', 'confirm-healed.json', ['unanswered-call at messages[1].tool_calls[1]']],
    [
      'history-broken.jsonl',
      'history-healed.jsonl',
      ['torn-record at line 9', 'misplaced-result at line 5', 'unanswered-call at line 8'],
    ],
  ])('[DF1] %s is diagnosed, and repaired to %s', async (before, after, rules) => {
    expect(refusals(sample(before))).not.toEqual([])
    await healSample(agentFramework, sample(before), (path, [{ examination }]) => {
      expect(examination.state).toBe('broken')
      expect(examination.repairs.map(({ rule, at }) => `${rule} at ${at}`)).toEqual(rules)
      expect(textOf(path)).toBe(textOf(sample(after)))
      expect(refusals(path)).toEqual([])
    })
  })

  test.each([
    ['healthy.json', 'healthy'],
    ['healed.json', 'healthy'],
    ['pending.json', 'pending'],
    ['history-healthy.jsonl', 'healthy'],
    ['history-healed.jsonl', 'healthy'],
    ['history-pending.jsonl', 'pending'],
  ])('[DF2] %s is %s, and is restored byte for byte', async (name, state) => {
    await healSample(agentFramework, sample(name), (path, [{ examination }]) => {
      expect(examination.state).toBe(state)
      expect(readFileSync(path).equals(readFileSync(sample(name)))).toBe(true)
    })
  })
})
