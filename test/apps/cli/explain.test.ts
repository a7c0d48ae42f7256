import { describe, expect, test } from 'vitest'
import * as examples from '../../../src/apps/cli/examples.ts'
import { rules as historyRules } from '../../../src/core/rules/index.ts'
import { limitRules } from '../../../src/core/rules/limit-rules.ts'
import { pages } from '../../../src/core/rules/pages.ts'
import { antiphon, lines } from './program.ts'

const rules = [...historyRules, ...limitRules]

describe.concurrent('explain', () => {
  test('[C22] a rule: what, why, how it is repaired, who refuses it in which words, and an example', async () => {
    const { code, stdout } = await antiphon(['explain', 'unanswered-call'])
    expect(code).toBe(0)
    expect(stdout).toContain('error[unanswered-call]: A call has no result.\n   = why: The next request is rejected')
    expect(stdout).toMatch(/\n {2}anthropic +rejected as: messages\.<n>: `tool_use` ids were found without/)
    expect(stdout).toMatch(/\nExample: .* \(openai-chat, for openai\)\n {2}\{"role":"user"/)
    expect(stdout).toMatch(/\nbecomes\n(.*\n)* {2}\{"role":"tool",.*No result of this call was recorded/)
  })

  test('[C22] without a rule it lists them all', async () => {
    const { code, stdout } = await antiphon(['explain'])
    expect(code).toBe(0)
    expect(lines(stdout).map(line => line.split(' ')[0])).toEqual(rules.map(({ id }) => id))
    for (const { id } of rules) expect(stdout).toContain(pages[id].summary)
  })

  test('[C22] every rule has its examples, for programs too', async () => {
    expect(Object.keys(examples).sort()).toEqual(rules.map(({ id }) => id).sort())
    const { stdout } = await antiphon(['explain', '--json', 'orphan-result'])
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'orphan-result',
      severity: 'error',
      example: { format: 'openai-chat' },
    })
  })

  test('[C22] a rule about a whole request is explained as well', async () => {
    const { code, stdout } = await antiphon(['explain', 'too-many-media'])
    expect(code).toBe(0)
    expect(stdout).toContain('error[too-many-media]: ')
    expect(stdout).toMatch(/\n {2}bedrock +rejected as: You can't include more than 5 documents/)
    expect(stdout).toContain('Example: six documents: the oldest (bedrock, for bedrock)')
  })

  test('[C23] a rule that is none is one line with the nearest names', async () => {
    const [near, far] = await Promise.all([
      antiphon(['explain', 'unanswerd-cal']),
      antiphon(['explain', 'weather-forecast']),
    ])
    expect(near.stderr).toBe('antiphon: unknown rule "unanswerd-cal" (did you mean unanswered-call?)\n')
    expect(far.stderr).toBe('antiphon: unknown rule "weather-forecast" (`antiphon explain` lists them)\n')
    expect([near.code, far.code]).toEqual([2, 2])
  })
})
