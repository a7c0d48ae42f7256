import type { Examples } from '../example.ts'
import { chat, langchain, ui } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'parts of unknown types',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        ui.user('m1', ui.text('Weather in Lisbon?')),
        ui.assistant('m2', { type: 'data-progress', data: { done: 1 } }, ui.text('Sunny.')),
      ],
    },
  ],
  invalid: [
    {
      name: 'a null among the parts of a message',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        ui.user('m1', ui.text('Weather in Lisbon?')),
        ui.assistant('m2', { type: 'step-start' }, null, ui.text('Sunny.')),
      ],
      finds: ['messages[1].parts[1]'],
      after: [
        ui.user('m1', ui.text('Weather in Lisbon?')),
        ui.assistant('m2', { type: 'step-start' }, ui.text('Sunny.')),
      ],
    },
    {
      name: 'a message that has only an incomplete part',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        ui.user('m1', ui.text('Weather in Lisbon?')),
        ui.assistant('m2', { type: 'text', state: 'streaming' }),
        ui.user('m3', ui.text('Hello?')),
      ],
      finds: ['messages[1].parts[0]'],
      after: [ui.user('m1', ui.text('Weather in Lisbon?')), ui.user('m3', ui.text('Hello?'))],
    },
    {
      name: 'a block with a type and no content',
      format: 'langchain',
      dialect: 'anthropic',
      messages: [
        langchain.human([{ type: 'text', text: 'What is this?' }, { type: 'image_url' }]),
        { type: 'ai', content: 'I see no picture.' },
        langchain.human('Hello?'),
      ],
      finds: ['messages[0].content[1]'],
      after: [
        langchain.human([{ type: 'text', text: 'What is this?' }]),
        { type: 'ai', content: 'I see no picture.' },
        langchain.human('Hello?'),
      ],
    },
    {
      name: 'files that another provider stores',
      format: 'ai-sdk-ui',
      dialect: 'anthropic',
      messages: [
        ui.user('m1', ui.text('What is in these?'), {
          ...{ type: 'file', mediaType: 'application/pdf', url: '' },
          providerReference: { openai: 'file-1' },
        }),
      ],
      finds: ['messages[0].parts[1]'],
      after: [ui.user('m1', ui.text('What is in these?'), ui.text('[file left out: it is stored at openai]'))],
    },
    {
      name: 'a string among the calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Weather in Lisbon?'), chat.textAndCalls('I look it up.', 'weather'), chat.user('Hello?')],
      finds: ['messages[1].tool_calls'],
      after: [chat.user('Weather in Lisbon?'), chat.assistant('I look it up.'), chat.user('Hello?')],
    },
  ],
}
