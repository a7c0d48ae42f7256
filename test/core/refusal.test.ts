import { expect, test } from 'vitest'
import { anthropic, bedrock } from '../../src/core/rules/example-messages.ts'
import { check, type HealOptions } from '../../src/index.ts'

const hello = anthropic.user('Find me a flight.')
const call = anthropic.assistantBlocks(anthropic.toolUse('a', 'search', {}))
const result = anthropic.userBlocks(anthropic.toolResult('a', 'TP 1351'))
const unanswered =
  'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

/** The message that the provider names is the one with the calls, or the one after it, and not where the diagnostic is. */
test.each<[rule: string, at: string, refusal: string, options: HealOptions, messages: unknown[]]>([
  [
    'split-results',
    'messages[4].content[0]',
    'Expected toolResult blocks at messages.3.content for the following Ids: b',
    { format: 'bedrock', for: 'bedrock' },
    [
      bedrock.user(bedrock.text('Hello.')),
      bedrock.assistant(bedrock.text('Hello. What can I do?')),
      bedrock.assistant(bedrock.toolUse('a', 'search', {}), bedrock.toolUse('b', 'search', {})),
      bedrock.user(bedrock.toolResult('a', { text: 'TP 1351' })),
      bedrock.user(bedrock.toolResult('b', { text: 'TP 1352' })),
    ],
  ],
  [
    'misplaced-result',
    'messages[4].content[0]',
    unanswered,
    { format: 'anthropic', for: 'anthropic' },
    [hello, call, anthropic.user('Well?'), anthropic.assistant('One moment.'), result],
  ],
  [
    'interleaved-message',
    'messages[2]',
    unanswered,
    { format: 'anthropic', for: 'anthropic' },
    [hello, call, anthropic.user('Well?'), result],
  ],
])(
  '[R7] %s quotes the error of the provider with the message that the provider names',
  (rule, at, refusal, options, messages) => {
    const found = check(messages, options).filter(diagnostic => diagnostic.rule === rule)
    expect(found).toMatchObject([{ at, refusal }])
  },
)
