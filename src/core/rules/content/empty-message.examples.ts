import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'null beside calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"command":"npm test"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '12 passed' },
      ],
    },
    {
      name: 'an empty text where only null is refused',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'an empty message of the assistant at the end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '' },
      ],
    },
  ],
  invalid: [
    {
      name: 'null without calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: null },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'reasoning and no answer',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: null, reasoning_content: 'They want npm test.' },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '', reasoning_content: 'They want npm test.' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'an empty answer',
      format: 'openai-chat',
      dialect: 'moonshot',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'reasoning and an empty answer',
      format: 'openai-chat',
      dialect: 'moonshot',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '', reasoning_content: 'They want npm test.' },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'an answer of white space',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '\n' },
        { role: 'user', content: 'Well?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'user', content: 'Well?' },
      ],
    },
    {
      name: 'the only message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [{ role: 'user', content: '' }],
      finds: ['messages[0]'],
      after: [{ role: 'user', content: '(continue)' }],
    },
    {
      name: 'white space at the end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: '\n' },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Run the tests.' }],
    },
    {
      name: 'an empty block at the end',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Run the tests.' },
        { role: 'assistant', content: [{ type: 'text', text: '' }] },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Run the tests.' }],
    },
    {
      name: 'the only message, of the assistant',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [{ role: 'assistant', content: null, refusal: null }],
      finds: ['messages[0]'],
      after: [{ role: 'user', content: '(continue)' }],
    },
    {
      name: 'the only message, of the system',
      format: 'openai-chat',
      dialect: 'mistral',
      messages: [{ role: 'system', content: '' }],
      finds: ['messages[0]'],
      after: [{ role: 'user', content: '(continue)' }],
    },
    {
      name: 'no message with content',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: '' },
        { role: 'assistant', content: '' },
      ],
      finds: ['input[0]', 'input[1]'],
      after: [{ role: 'user', content: '(continue)' }],
    },
    {
      name: 'the last one, where even that must have text',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Are you there?' }] },
        { role: 'assistant', content: [] },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: [{ text: 'Are you there?' }] }],
    },
    {
      name: 'nothing but a mark for the cache',
      format: 'bedrock',
      dialect: 'bedrock',
      messages: [
        { role: 'user', content: [{ text: 'Are you there?' }] },
        { role: 'assistant', content: [{ text: 'I am.' }] },
        { role: 'user', content: [{ cachePoint: { type: 'default' } }] },
        { role: 'assistant', content: [{ text: 'Still.' }] },
      ],
      finds: ['messages[2]'],
      after: [
        { role: 'user', content: [{ text: 'Are you there?' }] },
        { role: 'assistant', content: [{ text: 'I am.' }, { text: 'Still.' }] },
      ],
    },
  ],
}
