import type { Examples } from '../example.ts'
import { anthropic, chat, gemini } from '../example-messages.ts'

const search = { toolCallId: 'srvtoolu_1', toolName: 'web_search' }
const searched = { type: 'tool-call', ...search, input: { query: 'Lisbon' }, providerExecuted: true }
const found = { type: 'tool-result', ...search, output: { type: 'json', value: [{ title: 'A new tram' }] } }

export const examples: Examples = {
  valid: [
    {
      name: 'the assistant calls, the user answers',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
  ],
  invalid: [
    {
      name: 'a result in the middle of an assistant message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('What is the weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'weather', { city: 'Lisbon' }),
          anthropic.toolResult('toolu_1', '24 degrees'),
          anthropic.text('It is 24 degrees.'),
        ),
        anthropic.user('Thanks.'),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('What is the weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'weather', { city: 'Lisbon' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', '24 degrees')),
        anthropic.assistantBlocks(anthropic.text('It is 24 degrees.')),
        anthropic.user('Thanks.'),
      ],
    },
    {
      name: 'a result in an assistant message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.assistantBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
    },
    {
      name: 'a result in an assistant message, without its call',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.text('I found one.'), anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.text('I found one.')),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'unknown_tool', {})),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
    },
    {
      name: 'a call in a user message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.userBlocks(
          anthropic.text('Find me a flight to Lisbon.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[0].content[1]'],
      after: [
        anthropic.userBlocks(anthropic.text('Find me a flight to Lisbon.')),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'a call in a user message, and its result in an assistant message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.userBlocks(
          anthropic.text('Find me a flight to Lisbon.'),
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
        ),
        anthropic.assistantBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[0].content[1]', 'messages[1].content[0]'],
      after: [
        anthropic.userBlocks(anthropic.text('Find me a flight to Lisbon.')),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'a result under the role assistant',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        { role: 'assistant', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        chat.user('Book it.'),
      ],
      finds: ['messages[2]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.user('Book it.'),
      ],
    },
    {
      name: 'a call in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        { role: 'system', content: [anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })] },
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'a call and its result in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        {
          role: 'system',
          content: [
            anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
            anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          ],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'a result in a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        { role: 'system', content: [anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')] },
        anthropic.user('Book it.'),
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Book it.'),
      ],
    },
    {
      name: 'a result in the middle of a system message',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { model: 'claude-opus-4-8' },
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        {
          role: 'system',
          content: [anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'), anthropic.text('Prices are in euros.')],
        },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        { role: 'system', content: [anthropic.text('Prices are in euros.')] },
      ],
    },
    {
      name: 'results in an assistant message, one of them without a call',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        gemini.user(gemini.text('Plan Lisbon.')),
        gemini.model(gemini.call('search_flights', { to: 'LIS' }), gemini.call('search_hotels', { city: 'Lisbon' })),
        gemini.model(
          { functionResponse: { name: 'search_flights', response: { result: 'TP 1351, 89 EUR' } } },
          { functionResponse: { name: 'search_cars', response: { result: 'Fiat 500' } } },
          { functionResponse: { name: 'search_hotels', response: { result: 'Hotel Tejo, 120 EUR' } } },
        ),
      ],
      finds: ['contents[2].parts[0]'],
      after: [
        gemini.user(gemini.text('Plan Lisbon.')),
        gemini.model(gemini.call('search_flights', { to: 'LIS' }), gemini.call('search_hotels', { city: 'Lisbon' })),
        gemini.user(
          { functionResponse: { name: 'search_flights', response: { result: 'TP 1351, 89 EUR' } } },
          { functionResponse: { name: 'search_hotels', response: { result: 'Hotel Tejo, 120 EUR' } } },
        ),
        gemini.model(gemini.call('search_cars', {})),
        gemini.user({ functionResponse: { name: 'search_cars', response: { result: 'Fiat 500' } } }),
      ],
    },
    {
      name: 'the result of a call that the provider ran, in a tool message',
      format: 'ai-sdk',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'What is new in Lisbon?' },
        { role: 'assistant', content: [searched] },
        { role: 'tool', content: [found] },
        { role: 'assistant', content: 'A new tram.' },
      ],
      finds: ['messages[2].content[0]'],
      after: [
        { role: 'user', content: 'What is new in Lisbon?' },
        { role: 'assistant', content: [searched, found] },
        { role: 'assistant', content: 'A new tram.' },
      ],
    },
  ],
}
