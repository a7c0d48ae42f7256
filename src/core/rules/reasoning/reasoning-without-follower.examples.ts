import type { Examples } from '../example.ts'
import { responses } from '../example-messages.ts'

const asked = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Find me a flight to Lisbon.' }] }
const looked = { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Let me look.' }] }
const stored = { providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAAAABm' } } }
const thought = [{ type: 'step-start' }, { type: 'reasoning', text: 'TP 1351?', ...stored }]
const askedAgain = { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Well?' }] }

export const examples: Examples = {
  valid: [
    {
      name: 'reasoning and the call it led to',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'reasoning before a reference',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'item_reference', id: 'fc_1' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'reasoning without an id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABo' },
        responses.user('Well?'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a response that was cut',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [responses.user('Find me a flight to Lisbon.'), responses.reasoning('rs_1')],
      finds: ['input[1]'],
      after: [responses.user('Find me a flight to Lisbon.')],
    },
    {
      name: 'an answer that was not stored',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        responses.reasoning('rs_1'),
        responses.user('Well?'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'I look for flights.', annotations: [] }],
        },
        responses.user('Well?'),
      ],
    },
    {
      name: 'a chat whose last step was cut off after the reasoning',
      format: 'ai-sdk-ui',
      dialect: 'openai-responses',
      messages: [asked, { ...looked, parts: [...looked.parts, ...thought] }, askedAgain],
      finds: ['messages[1].parts[3]'],
      after: [asked, looked, askedAgain],
    },
  ],
}
