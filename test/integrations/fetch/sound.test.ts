import { expect, test } from 'vitest'
import { isSurelyHealthy } from '../../../src/integrations/fetch/check/surely-healthy.ts'
import { findEndpoint } from '../../../src/integrations/fetch/endpoint.ts'
import { healRequestText } from '../../../src/integrations/fetch/heal-request-text.ts'
import { history } from '../../laws/history.ts'
import type { Codec } from '../../laws/plan.ts'
import { Random } from '../../laws/random.ts'

const places: [path: string, codec: Codec, key: string][] = [
  ['/v1/chat/completions', 'openai-chat', 'messages'],
  ['/mistral/v1/chat/completions', 'openai-chat', 'messages'],
  ['/v1/responses', 'openai-responses', 'input'],
  ['/v1/messages', 'anthropic', 'messages'],
  ['/api/chat', 'ollama', 'messages'],
  ['/v1beta/interactions', 'gemini-interactions', 'input'],
  ['/v1beta/models/gemini-3-pro:generateContent', 'gemini', 'contents'],
  ['/model/anthropic.claude-opus-4-6-v1%3A0/converse', 'bedrock', 'messages'],
]

const trials = 150

test.each(places)(
  '[PX20] %s: healing leaves unchanged what is found surely healthy, whatever surrounds it',
  (path, codec, key) => {
    const endpoint = findEndpoint(new URL(`https://gateway.example${path}`))
    if (!endpoint) throw new Error(`no endpoint ${path}`)
    let passed = 0
    for (let seed = 1; seed <= trials; seed++) {
      const random = new Random(seed)
      const text = JSON.stringify({ [key]: history(codec, seed).messages })
      const whole = JSON.parse(healRequestText(text, endpoint, {})?.text ?? text)
      const request = { ...surroundings(random), ...whole }
      const isWrapped = codec === 'gemini' && random.chance(0.3)
      const body = isWrapped ? { [random.pick(['request', 'generateContentRequest'])]: request } : request
      if (!isSurelyHealthy(body, endpoint, {})) continue
      expect(healRequestText(JSON.stringify(body), endpoint, {})?.changed, `seed ${seed}`).not.toBe(true)
      passed++
    }
    expect(passed).toBeGreaterThan(trials / 20)
  },
)

/** What a request may say beside its history, other histories among it. */
function surroundings(random: Random): Record<string, unknown> {
  const fields: [name: string, values: unknown[]][] = [
    ['model', ['gpt-5', 'claude-opus-4-6', 'mistral-large-latest', 3]],
    ['modelId', ['claude-opus-4-6', null]],
    ['system', ['Be kind.', '', [{ type: 'text', text: 'Be kind.' }], null]],
    ['tools', [[], [{ name: 'run' }], null]],
    ['toolConfig', [{ tools: [] }, { tools: [{ toolSpec: { name: 'run' } }] }]],
    ['thinking', [{ type: 'enabled', budget_tokens: 2000 }, { type: 'disabled' }]],
    ['previous_response_id', ['resp_1', '']],
    ['messages', [[], 'Go on.', [{ role: 'tool', tool_call_id: 'call_1', content: 'lost' }]]],
    ['input', [[], 'Go on.', [{ type: 'function_call_output', call_id: 'call_1', output: 'lost' }]]],
    ['contents', [[], 'Go on.', [{ role: 'user', parts: [{ functionResponse: { name: 'run', response: {} } }] }]]],
  ]
  return Object.fromEntries(
    fields.filter(() => random.chance(0.15)).map(([name, values]) => [name, random.pick(values)]),
  )
}
