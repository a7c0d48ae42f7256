import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'parts of unknown types',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Lisbon?' }] },
        {
          id: 'm2',
          role: 'assistant',
          parts: [
            { type: 'data-progress', data: { done: 1 } },
            { type: 'text', text: 'Sunny.' },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'a hole in the parts of a message',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Lisbon?' }] },
        { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, null, { type: 'text', text: 'Sunny.' }] },
      ],
      finds: ['messages[1].parts[1]'],
      after: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Lisbon?' }] },
        { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Sunny.' }] },
      ],
    },
    {
      name: 'a message that is nothing but half a part',
      format: 'ai-sdk-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Lisbon?' }] },
        { id: 'm2', role: 'assistant', parts: [{ type: 'text', state: 'streaming' }] },
        { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] },
      ],
      finds: ['messages[1].parts[0]'],
      after: [
        { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather in Lisbon?' }] },
        { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] },
      ],
    },
    {
      name: 'a block that names its type and holds nothing',
      format: 'langchain',
      dialect: 'anthropic',
      messages: [
        { type: 'human', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url' }] },
        { type: 'ai', content: 'I see no picture.' },
        { type: 'human', content: 'Hello?' },
      ],
      finds: ['messages[0].content[1]'],
      after: [
        { type: 'human', content: [{ type: 'text', text: 'What is this?' }] },
        { type: 'ai', content: 'I see no picture.' },
        { type: 'human', content: 'Hello?' },
      ],
    },
    {
      name: 'a string among the calls',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: 'I look it up.', tool_calls: ['weather'] },
        { role: 'user', content: 'Hello?' },
      ],
      finds: ['messages[1].tool_calls'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: 'I look it up.' },
        { role: 'user', content: 'Hello?' },
      ],
    },
  ],
}
