import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'all results in one message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_use', id: 'toolu_2', name: 'search_hotels', input: { city: 'Lisbon' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
          ],
        },
      ],
    },
    {
      name: 'one message a result, which Anthropic combines',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_use', id: 'toolu_2', name: 'search_hotels', input: { city: 'Lisbon' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
            { type: 'text', text: 'Which one?' },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'one message a result, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_use', id: 'toolu_2', name: 'search_hotels', input: { city: 'Lisbon' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
            { type: 'text', text: 'Which one?' },
          ],
        },
      ],
      finds: ['messages[3].content[0]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } },
            { type: 'tool_use', id: 'toolu_2', name: 'search_hotels', input: { city: 'Lisbon' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
            { type: 'text', text: 'Which one?' },
          ],
        },
      ],
    },
  ],
}
