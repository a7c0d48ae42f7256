import type { Examples } from '../example.ts'
import { anthropic, chat, gemini, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a block with text before a call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Run the tests.'),
        anthropic.assistantBlocks(
          anthropic.text('I run them.'),
          anthropic.toolUse('toolu_1', 'run', { command: 'npm test' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '12 passed')),
      ],
    },
    {
      name: 'white space, where the provider rejects only empty text',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Run the tests.'),
        responses.call('call_1', 'run', '{"command":"npm test"}'),
        responses.output('call_1', '12 passed'),
        responses.user([
          { type: 'input_text', text: ' ' },
          { type: 'input_text', text: 'And the linter.' },
        ]),
      ],
    },
  ],
  invalid: [
    {
      name: 'an empty content of an interaction, after a rejection',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      options: { cautious: true },
      messages: [
        {
          type: 'user_input',
          content: [
            { type: 'text', text: 'Is it raining?' },
            { type: 'text', text: '' },
          ],
        },
      ],
      finds: ['input[0].content[1]'],
      after: [{ type: 'user_input', content: [{ type: 'text', text: 'Is it raining?' }] }],
    },
    {
      name: 'an empty block before a call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Run the tests.'),
        anthropic.assistantBlocks(anthropic.text(''), anthropic.toolUse('toolu_1', 'run', { command: 'npm test' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '12 passed')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Run the tests.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'npm test' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '12 passed')),
      ],
    },
    {
      name: 'a block of line breaks',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Run the tests.'),
        anthropic.assistantBlocks(anthropic.text('\n\n'), anthropic.toolUse('toolu_1', 'run', { command: 'npm test' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '12 passed')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Run the tests.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'run', { command: 'npm test' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '12 passed')),
      ],
    },
    {
      name: 'an empty block beside an image',
      format: 'openai-chat',
      dialect: 'minimax',
      messages: [
        chat.user([
          { type: 'image_url', image_url: { url: 'https://example.com/error.png' } },
          { type: 'text', text: '' },
        ]),
      ],
      finds: ['messages[0].content[1]'],
      after: [chat.user([{ type: 'image_url', image_url: { url: 'https://example.com/error.png' } }])],
    },
    {
      name: 'an empty answer beside a call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Run the tests.'),
        responses.message('assistant', [{ type: 'output_text', text: '', annotations: [] }]),
        responses.call('call_1', 'run', '{"command":"npm test"}'),
        responses.output('call_1', '12 passed'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Run the tests.'),
        responses.call('call_1', 'run', '{"command":"npm test"}'),
        responses.output('call_1', '12 passed'),
      ],
    },
    {
      name: 'a part with nothing under its keys',
      format: 'gemini',
      dialect: 'gemini',
      messages: [gemini.user(gemini.text('Weather in Lisbon?'), gemini.text([]))],
      finds: ['contents[0].parts[1]'],
      after: [gemini.user(gemini.text('Weather in Lisbon?'))],
    },
  ],
}
