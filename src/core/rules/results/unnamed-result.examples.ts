import type { Examples } from '../example.ts'
import { interactions } from '../example-messages.ts'

const question = { role: 'user', parts: [{ text: 'Is it raining in Lisbon?' }] }
const call = { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: { city: 'Lisbon' } } }] }

export const examples: Examples = {
  valid: [
    {
      name: 'a result with the name of its call',
      format: 'gemini',
      dialect: 'gemini',
      messages: [
        question,
        call,
        { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { output: 'No.' } } }] },
      ],
    },
    {
      name: 'where results have no names',
      format: 'anthropic',
      dialect: 'gemini',
      messages: [
        { role: 'user', content: 'Is it raining in Lisbon?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: 'No.' }] },
      ],
    },
  ],
  invalid: [
    {
      name: 'a result with the id of its call and no name',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      messages: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        { type: 'function_result', call_id: 'a1', result: 'No.' },
      ],
      finds: ['input[2]'],
      after: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
    },
    {
      name: 'a result that lost its name in another format',
      format: 'gemini',
      dialect: 'gemini',
      messages: [question, call, { role: 'user', parts: [{ functionResponse: { response: { output: 'No.' } } }] }],
      finds: ['contents[2].parts[0]'],
      after: [
        question,
        call,
        { role: 'user', parts: [{ functionResponse: { response: { output: 'No.' }, name: 'get_weather' } }] },
      ],
    },
    {
      name: 'empty names, matched by id',
      format: 'gemini',
      dialect: 'vertex',
      messages: [
        question,
        {
          role: 'model',
          parts: [
            { function_call: { id: 'a1', name: 'get_weather', args: { city: 'Lisbon' } } },
            { function_call: { id: 'b2', name: 'get_tides', args: { city: 'Lisbon' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { function_response: { id: 'b2', name: '', response: { output: 'High at noon.' } } },
            { function_response: { id: 'a1', name: '', response: { output: 'No.' } } },
          ],
        },
      ],
      finds: ['contents[2].parts[0]', 'contents[2].parts[1]'],
      after: [
        question,
        {
          role: 'model',
          parts: [
            { function_call: { id: 'a1', name: 'get_weather', args: { city: 'Lisbon' } } },
            { function_call: { id: 'b2', name: 'get_tides', args: { city: 'Lisbon' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { function_response: { id: 'b2', name: 'get_tides', response: { output: 'High at noon.' } } },
            { function_response: { id: 'a1', name: 'get_weather', response: { output: 'No.' } } },
          ],
        },
      ],
    },
  ],
}
