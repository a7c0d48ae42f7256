import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { whyOf } from '../../src/doctor/store-rules.ts'
import { messageProvider } from '../../src/doctor/systems/opencode/provider.ts'
import { files, root } from '../repository.ts'

describe('messages of the doctor', () => {
  test('[DD35] every rule of a store has a reason', () => {
    const named = /(?:rule: |Rule = |fault\(\s*)'([a-z]+(?:-[a-z]+)+)'/g
    const rules = new Set(
      files('src/doctor/**/*.ts').flatMap(file =>
        [...readFileSync(`${root}/${file}`, 'utf8').matchAll(named)].map(([, rule]) => rule),
      ),
    )
    expect(rules.size).toBeGreaterThan(15)
    expect([...rules].filter(rule => whyOf(rule) === '')).toEqual([])
  })

  test('[DD35] a session of opencode quotes the error message of the provider it was sent to', () => {
    const provider = (providerID: string, modelID: string): string =>
      messageProvider({ id: 'm', text: '', value: { providerID, modelID }, parts: [] })
    expect(provider('anthropic', 'claude-x')).toBe('anthropic')
    expect(provider('amazon-bedrock', 'claude-x')).toBe('bedrock')
    expect(provider('my-gateway', 'claude-x')).toBe('anthropic')
    expect(provider('google', 'gemini-x')).toBe('gemini')
    expect(provider('my-gateway', 'other')).toBe('openai')
  })
})
