import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a result with its call',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
      ],
    },
    {
      name: 'a result whose call the provider holds',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { continues: true },
      messages: [
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a result beside a reference to stored items',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'item_reference', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a compaction that cut between call and result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Summary so far: flights to Lisbon were searched.' },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Summary so far: flights to Lisbon were searched.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'unknown_tool', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a result among others',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' },
            { type: 'tool_result', tool_use_id: 'toolu_9', content: 'Hotel Tejo, 120 EUR' },
          ],
        },
      ],
      finds: ['messages[2].content[1]'],
      after: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'search_flights', input: { to: 'LIS' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_9', name: 'unknown_tool', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'Hotel Tejo, 120 EUR' }] },
      ],
    },
    {
      name: 'a call that was never stored',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '89 EUR.', annotations: [] }] },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'unknown_tool', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '89 EUR.', annotations: [] }] },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a call that a compaction took in, but not its result',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAB' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['input[1]'],
      after: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAB' },
        { type: 'function_call', call_id: 'call_1', name: 'unknown_tool', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'a call made up for it',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ type: 'function', id: 'call_1', function: { name: 'search_flights', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
    },
    {
      name: 'a call made up where the name is not known',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'assistant', content: [{ type: 'text', text: '89 EUR.' }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'unknown_tool', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'TP 1351, 89 EUR' }] },
        { role: 'assistant', content: [{ type: 'text', text: '89 EUR.' }] },
      ],
    },
    {
      name: 'a call made up where the result has no id',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { type: 'function', id: 'call_zCs1JNWg1I', function: { name: 'search_flights', arguments: '{}' } },
          ],
        },
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'call_zCs1JNWg1I' },
        { role: 'assistant', content: '89 EUR.' },
      ],
    },
    {
      name: 'quoted as text',
      format: 'openai-chat',
      dialect: 'openai',
      options: { orphans: 'quote' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: '[result of the tool search_flights, quoted]\nTP 1351, 89 EUR' },
        { role: 'assistant', content: '89 EUR.' },
      ],
    },
    {
      name: 'quoted as text where the name is not known',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { orphans: 'quote' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'TP 1351, 89 EUR' }] },
            { type: 'text', text: 'Book it.' },
          ],
        },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'user', content: '[result of a tool, quoted]\nTP 1351, 89 EUR' },
        { role: 'user', content: [{ type: 'text', text: 'Book it.' }] },
      ],
    },
    {
      name: 'a result without an id, though the provider holds earlier turns',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'item_reference', id: 'msg_1' },
        { type: 'function_call_output', call_id: '', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
      finds: ['input[1]'],
      after: [
        { type: 'item_reference', id: 'msg_1' },
        { type: 'function_call', call_id: 'call_zCs1JNWg1I', name: 'unknown_tool', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_zCs1JNWg1I', output: 'TP 1351, 89 EUR' },
        { role: 'user', content: 'Book it.' },
      ],
    },
    {
      name: 'nothing but a result, and dropped',
      format: 'openai-chat',
      dialect: 'openai',
      options: { orphans: 'drop' },
      messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' }],
      finds: ['messages[0]'],
      after: [{ role: 'user', content: '(continue)' }],
    },
    {
      name: 'a placeholder, which adds nothing',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'tool', tool_call_id: 'call_1', content: 'Tool execution aborted' },
      ],
      finds: ['messages[1]'],
      after: [{ role: 'user', content: 'Find me a flight to Lisbon.' }],
    },
  ],
}
