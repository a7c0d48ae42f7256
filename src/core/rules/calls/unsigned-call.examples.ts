import type { Examples } from '../example.ts'
import { interactions } from '../example-messages.ts'

const question = { role: 'user', parts: [{ text: 'Is it raining in Lisbon?' }] }
const answer = {
  role: 'user',
  parts: [{ functionResponse: { name: 'get_weather', response: { output: 'No.' } } }],
}
const getWeather = { name: 'get_weather', args: { city: 'Lisbon' } }
const getTides = { name: 'get_tides', args: { city: 'Lisbon' } }
const both = {
  role: 'user',
  parts: [...answer.parts, { functionResponse: { name: 'get_tides', response: { output: 'High at noon.' } } }],
}

export const examples: Examples = {
  valid: [
    {
      name: 'the first of several calls is signed',
      format: 'gemini',
      dialect: 'gemini',
      options: { model: 'gemini-3-pro-preview' },
      messages: [
        question,
        {
          role: 'model',
          parts: [{ functionCall: getWeather, thoughtSignature: 'CiIBcsjafJ0' }, { functionCall: getTides }],
        },
        both,
      ],
    },
    {
      name: 'a model that requires no signature',
      format: 'gemini',
      dialect: 'gemini',
      options: { model: 'gemini-2.5-flash' },
      messages: [question, { role: 'model', parts: [{ functionCall: getWeather }] }, answer],
    },
    {
      name: 'a thought with the signature of the call after it',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      options: { model: 'gemini-3-pro-preview' },
      messages: [
        interactions.user('Is it raining in Lisbon?'),
        { type: 'thought', signature: 'CiIBcsjafJ0' },
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a call whose thought was filtered out',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      options: { model: 'gemini-3-pro-preview' },
      messages: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.model('Let me look.'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
      finds: ['input[2]'],
      after: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.model('Let me look.'),
        { type: 'thought', signature: 'skip_thought_signature_validator' },
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.result('a1', 'get_weather', 'No.'),
      ],
    },
    {
      name: 'calls of another model',
      format: 'gemini',
      dialect: 'gemini',
      options: { model: 'gemini-3-pro-preview' },
      messages: [
        question,
        { role: 'model', parts: [{ text: 'Let me look.' }, { functionCall: getWeather }, { functionCall: getTides }] },
        both,
      ],
      finds: ['contents[1].parts[1]'],
      after: [
        question,
        {
          role: 'model',
          parts: [
            { text: 'Let me look.' },
            { functionCall: getWeather, thoughtSignature: 'skip_thought_signature_validator' },
            { functionCall: getTides },
          ],
        },
        both,
      ],
    },
    {
      name: 'a store that dropped the signature, in a later step',
      format: 'gemini',
      dialect: 'vertex',
      options: { model: 'gemini-3.1-flash' },
      messages: [
        question,
        { role: 'model', parts: [{ function_call: getWeather, thought_signature: 'CiIBcsjafJ0' }] },
        answer,
        { role: 'model', parts: [{ function_call: getWeather }] },
        answer,
      ],
      finds: ['contents[3].parts[0]'],
      after: [
        question,
        { role: 'model', parts: [{ function_call: getWeather, thought_signature: 'CiIBcsjafJ0' }] },
        answer,
        {
          role: 'model',
          parts: [{ function_call: getWeather, thought_signature: 'skip_thought_signature_validator' }],
        },
        answer,
      ],
    },
  ],
}
