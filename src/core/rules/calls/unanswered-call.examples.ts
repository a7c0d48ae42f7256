import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'every call has its result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Plan Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'TP 1351, 89 EUR' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Hotel Tejo, 120 EUR' },
      ],
    },
    {
      name: 'a stored history whose last step waits',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
      ],
    },
    {
      name: 'a stored history whose last step waits for the rest',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { pending: 'keep' },
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
      ],
    },
    {
      name: 'a stored history with a call that is known to run',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep', pendingCalls: ['call_1'] },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'user', content: 'Take your time.' },
      ],
    },
    {
      name: 'a run that was interrupted and waits for the call',
      format: 'ag-ui',
      dialect: 'lenient',
      options: { pendingCalls: ['call_2'] },
      messages: [
        { id: 'm1', role: 'user', content: 'Find me a flight to Lisbon and book it.' },
        {
          id: 'm2',
          role: 'assistant',
          toolCalls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
            { id: 'call_2', type: 'function', function: { name: 'book_flight', arguments: '{"flight":"TP 1351"}' } },
          ],
        },
        { id: 'm3', role: 'tool', toolCallId: 'call_1', content: 'TP 1351, 89 EUR' },
        { id: 'm4', role: 'activity', activityType: 'APPROVAL', content: { question: 'Book TP 1351?' } },
      ],
    },
    {
      name: 'a call that was approved and runs next',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Book the flight.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'book_flight', input: { flight: 'TP 1351' } },
            { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'approval_1', approved: true }] },
      ],
    },
    {
      name: 'an asynchronous call, whose result comes in a later request',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        { role: 'assistant', content: 'I am searching. When do you want to fly?' },
        { role: 'user', content: 'On Friday.' },
      ],
    },
  ],
  invalid: [
    {
      name: 'the process died while the tool ran',
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
        { role: 'user', content: 'Are you there?' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
        { role: 'user', content: 'Are you there?' },
      ],
    },
    {
      name: 'one of two parallel calls',
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
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
            { type: 'text', text: 'And the flight?' },
          ],
        },
      ],
      finds: ['messages[1].content[0]'],
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
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: '[no result] No result of this call was recorded. Whether it ran is not known.',
              is_error: true,
            },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Hotel Tejo, 120 EUR' },
            { type: 'text', text: 'And the flight?' },
          ],
        },
      ],
    },
    {
      name: 'the last call of the history',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
      ],
    },
    {
      name: 'a patch that was never applied',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Rename it.' },
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        { role: 'user', content: 'Stop.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Rename it.' },
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        {
          type: 'custom_tool_call_output',
          call_id: 'call_1',
          output: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
        { role: 'user', content: 'Stop.' },
      ],
    },
    {
      name: 'a call that still runs',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pendingCalls: ['call_1'] },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'user', content: 'How far are you?' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[no result] This call is still running. Its result is not known yet.',
        },
        { role: 'user', content: 'How far are you?' },
      ],
    },
    {
      name: 'a stored history that went on',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep' },
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        { role: 'user', content: 'A hotel too.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
        { role: 'user', content: 'A hotel too.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_2', type: 'function', function: { name: 'search_hotels', arguments: '{"city":"Lisbon"}' } },
          ],
        },
      ],
    },
    {
      name: 'a run that was interrupted, and the user went on',
      format: 'ag-ui',
      dialect: 'lenient',
      options: { pendingCalls: ['call_1'] },
      messages: [
        { id: 'm1', role: 'user', content: 'Book the flight to Lisbon.' },
        {
          id: 'm2',
          role: 'assistant',
          toolCalls: [
            { id: 'call_1', type: 'function', function: { name: 'book_flight', arguments: '{"flight":"TP 1351"}' } },
          ],
        },
        { id: 'm3', role: 'user', content: 'A window seat, please.' },
      ],
      finds: ['messages[1].toolCalls[0]'],
      after: [
        { id: 'm1', role: 'user', content: 'Book the flight to Lisbon.' },
        {
          id: 'm2',
          role: 'assistant',
          toolCalls: [
            { id: 'call_1', type: 'function', function: { name: 'book_flight', arguments: '{"flight":"TP 1351"}' } },
          ],
        },
        {
          id: 'antiphon-ZkiqWc7FQ8',
          role: 'tool',
          toolCallId: 'call_1',
          content: '[no result] This call is still running. Its result is not known yet.',
          error: '[no result] This call is still running. Its result is not known yet.',
        },
        { id: 'm3', role: 'user', content: 'A window seat, please.' },
      ],
    },
    {
      name: 'a person denied it',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Book the flight.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'book_flight', input: { flight: 'TP 1351' } },
            { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'approval_1', approved: false }] },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Book the flight.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'book_flight', input: { flight: 'TP 1351' } },
            { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'book_flight',
              output: { type: 'execution-denied', reason: '[no result] This call was denied and did not run.' },
            },
            { type: 'tool-approval-response', approvalId: 'approval_1', approved: false },
          ],
        },
      ],
    },
    {
      name: 'a request that the user passed over',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Book the flight.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'book_flight', input: { flight: 'TP 1351' } },
            { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' },
          ],
        },
        { role: 'user', content: 'What about the train?' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Book the flight.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'call_1', toolName: 'book_flight', input: { flight: 'TP 1351' } },
            { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'book_flight',
              output: {
                type: 'error-text',
                value: '[no result] This call waited for an approval that expired. It did not run.',
              },
            },
          ],
        },
        { role: 'user', content: 'What about the train?' },
      ],
    },
    {
      name: 'an asynchronous call, for a provider that knows none',
      format: 'openai-responses',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        { role: 'user', content: 'On Friday.' },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
        { role: 'user', content: 'On Friday.' },
      ],
    },
  ],
}
