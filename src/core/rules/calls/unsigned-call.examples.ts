import type { Examples } from '../example.ts'

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
      name: 'a model that demands no signature',
      format: 'gemini',
      dialect: 'gemini',
      options: { model: 'gemini-2.5-flash' },
      messages: [question, { role: 'model', parts: [{ functionCall: getWeather }] }, answer],
    },
  ],
  invalid: [
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
      name: 'a store that dropped what it did not know, in a later step',
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
