import type { Examples } from '../example.ts'
import { responses } from '../example-messages.ts'

const search = { toolCallId: 'ws_1', toolName: 'web_search' }
const searched = [
  { type: 'tool-call', ...search, input: { query: 'flights' }, providerExecuted: true },
  { type: 'tool-result', ...search, output: { type: 'text', value: 'TP 1351, 89 EUR' } },
]

const stored = { openai: { itemId: 'msg_1' } }
const asks = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const shown = (id: string, ...parts: object[]) => ({ id, role: 'assistant', parts })
const ran = { type: 'tool-web_search', ...{ toolCallId: 'ws_1', state: 'output-available', providerExecuted: true } }
const found = { ...ran, input: { query: 'flights' }, output: 'TP 1351, 89 EUR' }

const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAAB' }

export const examples: Examples = {
  valid: [
    {
      name: 'every item has its own id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'a compaction that was stored twice',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [compaction, compaction, responses.user('Book it.')],
      finds: ['input[1]'],
      after: [compaction, responses.user('Book it.')],
    },
    {
      name: 'two references to one item',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'item_reference', id: 'msg_1' },
        { type: 'item_reference', id: 'msg_1' },
        responses.user('Book it.'),
      ],
      finds: ['input[1]'],
      after: [{ type: 'item_reference', id: 'msg_1' }, responses.user('Book it.')],
    },
    {
      name: 'a search of the provider that was stored twice',
      format: 'ai-sdk',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [...searched, ...searched, { type: 'text', text: 'TP 1351.' }] },
      ],
      finds: ['messages[1].content[2]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [...searched, { type: 'text', text: 'TP 1351.' }] },
      ],
    },
    {
      name: 'an answer that OpenAI stores and a later message repeats',
      format: 'ai-sdk',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [{ type: 'text', text: 'TP 1351 costs 89 EUR.', providerOptions: stored }] },
        { role: 'user', content: 'Book it.' },
        { role: 'assistant', content: [{ type: 'text', text: 'TP 1351 costs 89 EUR.', providerOptions: stored }] },
        { role: 'user', content: 'Please.' },
      ],
      finds: ['messages[3].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [{ type: 'text', text: 'TP 1351 costs 89 EUR.', providerOptions: stored }] },
        { role: 'user', content: 'Book it.' },
        { role: 'user', content: 'Please.' },
      ],
    },
    {
      name: 'an answer that OpenAI stores and a later message repeats, in a chat',
      format: 'ai-sdk-ui',
      dialect: 'openai-responses',
      messages: [
        asks('m1', 'Find me a flight to Lisbon.'),
        shown('m2', { type: 'text', text: 'TP 1351 costs 89 EUR.', providerMetadata: stored }),
        asks('m3', 'Book it.'),
        shown('m4', { type: 'text', text: 'TP 1351 costs 89 EUR.', providerMetadata: stored }),
        asks('m5', 'Please.'),
      ],
      finds: ['messages[3].parts[0]'],
      after: [
        asks('m1', 'Find me a flight to Lisbon.'),
        shown('m2', { type: 'text', text: 'TP 1351 costs 89 EUR.', providerMetadata: stored }),
        asks('m3', 'Book it.'),
        asks('m5', 'Please.'),
      ],
    },
    {
      name: 'a search of the provider that a later message repeats',
      format: 'ai-sdk-ui',
      dialect: 'openai-responses',
      messages: [
        asks('m1', 'Find me a flight to Lisbon.'),
        shown('m2', found, { type: 'text', text: 'TP 1351 costs 89 EUR.' }),
        asks('m3', 'Book it.'),
        shown('m4', found, { type: 'text', text: 'For which day?' }),
        asks('m5', 'On Friday.'),
      ],
      finds: ['messages[3].parts[0]'],
      after: [
        asks('m1', 'Find me a flight to Lisbon.'),
        shown('m2', found, { type: 'text', text: 'TP 1351 costs 89 EUR.' }),
        asks('m3', 'Book it.'),
        shown('m4', { type: 'text', text: 'For which day?' }),
        asks('m5', 'On Friday.'),
      ],
    },
    {
      name: 'a step that was appended twice',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'an answer that appears again in the next turn',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
        responses.user('Book it.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
        responses.user('Please.'),
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
        responses.user('Book it.'),
        responses.user('Please.'),
      ],
    },
    {
      name: 'an answer that was edited under the same id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 98 EUR.', annotations: [] }],
        },
        responses.user('Book it.'),
      ],
      finds: ['input[2]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'TP 1351 costs 89 EUR.', annotations: [] }],
        },
        responses.message('assistant', [{ type: 'output_text', text: 'TP 1351 costs 98 EUR.', annotations: [] }]),
        responses.user('Book it.'),
      ],
    },
    {
      name: 'a result that copied the id of its call',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"to":"LIS"}' },
        { type: 'function_call_output', id: 'fc_1', call_id: 'call_1', output: 'TP 1351' },
      ],
      finds: ['input[3]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.reasoning('rs_1'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'search', arguments: '{"to":"LIS"}' },
        responses.output('call_1', 'TP 1351'),
      ],
    },
    {
      name: 'a user message that was appended twice',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: 'To Lisbon.' }] },
        responses.message('assistant', 'For which day?'),
        { type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: 'To Lisbon.' }] },
        responses.user('On Friday.'),
      ],
      finds: ['input[2]'],
      after: [
        { type: 'message', id: 'msg_1', role: 'user', content: [{ type: 'input_text', text: 'To Lisbon.' }] },
        responses.message('assistant', 'For which day?'),
        responses.user('On Friday.'),
      ],
    },
    {
      name: 'another user message under the same id',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'message', id: 'msg_1', role: 'user', content: 'To Lisbon.' },
        responses.message('assistant', 'For which day?'),
        { type: 'message', id: 'msg_1', role: 'user', content: 'On Friday.' },
      ],
      finds: ['input[2]'],
      after: [
        { type: 'message', id: 'msg_1', role: 'user', content: 'To Lisbon.' },
        responses.message('assistant', 'For which day?'),
        responses.message('user', 'On Friday.'),
      ],
    },
  ],
}
