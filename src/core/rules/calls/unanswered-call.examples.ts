import type { Examples } from '../example.ts'
import { agUi, aiSdk, anthropic, chat, interactions, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'every call has its result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Plan Lisbon.'),
        chat.calls(
          chat.call('call_1', 'search_flights', '{"to":"LIS"}'),
          chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}'),
        ),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.result('call_2', 'Hotel Tejo, 120 EUR'),
      ],
    },
    {
      name: 'a stored history whose last step waits',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep' },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
      ],
    },
    {
      name: 'a stored history whose last step waits for other results',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { pending: 'keep' },
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
      ],
    },
    {
      name: 'a stored history with a call that is known to run',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep', pendingCalls: ['call_1'] },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.user('Take your time.'),
      ],
    },
    {
      name: 'a run that was interrupted and waits for the call',
      format: 'ag-ui',
      dialect: 'lenient',
      options: { pendingCalls: ['call_2'] },
      messages: [
        agUi.user('m1', 'Find me a flight to Lisbon and book it.'),
        agUi.calls(
          'm2',
          agUi.call('call_1', 'search_flights', '{"to":"LIS"}'),
          agUi.call('call_2', 'book_flight', '{"flight":"TP 1351"}'),
        ),
        agUi.result('m3', 'call_1', 'TP 1351, 89 EUR'),
        { id: 'm4', role: 'activity', activityType: 'APPROVAL', content: { question: 'Book TP 1351?' } },
      ],
    },
    {
      name: 'a call that was approved and runs next',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        aiSdk.user('Book the flight.'),
        aiSdk.assistantParts(aiSdk.call('call_1', 'book_flight', { flight: 'TP 1351' }), {
          type: 'tool-approval-request',
          approvalId: 'approval_1',
          toolCallId: 'call_1',
        }),
        aiSdk.tool({ type: 'tool-approval-response', approvalId: 'approval_1', approved: true }),
      ],
    },
    {
      name: 'an asynchronous call, whose result comes in a later request',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        responses.assistant('I am searching. When do you want to fly?'),
        responses.user('On Friday.'),
      ],
    },
  ],
  invalid: [
    {
      name: 'the process died while the tool ran',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.user('Are you there?'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
        chat.user('Are you there?'),
      ],
    },
    {
      name: 'one of two parallel calls',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'), anthropic.text('And the flight?')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: '[no result] No result of this call was recorded. Whether it ran is not known.',
            is_error: true,
          },
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
          anthropic.text('And the flight?'),
        ),
      ],
    },
    {
      name: 'the last call of the history',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'search_flights', '{"to":"LIS"}'),
        responses.output('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
      ],
    },
    {
      name: 'a patch that was never applied',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        responses.user('Stop.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Rename it.'),
        { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' },
        {
          type: 'custom_tool_call_output',
          call_id: 'call_1',
          output: '[no result] No result of this call was recorded. Whether it ran is not known.',
        },
        responses.user('Stop.'),
      ],
    },
    {
      name: 'a call that still runs',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pendingCalls: ['call_1'] },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.user('How far are you?'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', '[no result] This call is still running. Its result is not known yet.'),
        chat.user('How far are you?'),
      ],
    },
    {
      name: 'a stored history that continues after the call',
      format: 'openai-chat',
      dialect: 'openai',
      options: { pending: 'keep' },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.user('A hotel too.'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
        chat.user('A hotel too.'),
        chat.calls(chat.call('call_2', 'search_hotels', '{"city":"Lisbon"}')),
      ],
    },
    {
      name: 'a run that was interrupted, and the user continued',
      format: 'ag-ui',
      dialect: 'lenient',
      options: { pendingCalls: ['call_1'] },
      messages: [
        agUi.user('m1', 'Book the flight to Lisbon.'),
        agUi.calls('m2', agUi.call('call_1', 'book_flight', '{"flight":"TP 1351"}')),
        agUi.user('m3', 'A window seat, please.'),
      ],
      finds: ['messages[1].toolCalls[0]'],
      after: [
        agUi.user('m1', 'Book the flight to Lisbon.'),
        agUi.calls('m2', agUi.call('call_1', 'book_flight', '{"flight":"TP 1351"}')),
        {
          id: 'antiphon-ZkiqWc7FQ8',
          role: 'tool',
          toolCallId: 'call_1',
          content: '[no result] This call is still running. Its result is not known yet.',
          error: '[no result] This call is still running. Its result is not known yet.',
        },
        agUi.user('m3', 'A window seat, please.'),
      ],
    },
    {
      name: 'a call that a person denied',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        aiSdk.user('Book the flight.'),
        aiSdk.assistantParts(aiSdk.call('call_1', 'book_flight', { flight: 'TP 1351' }), {
          type: 'tool-approval-request',
          approvalId: 'approval_1',
          toolCallId: 'call_1',
        }),
        aiSdk.tool({ type: 'tool-approval-response', approvalId: 'approval_1', approved: false }),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        aiSdk.user('Book the flight.'),
        aiSdk.assistantParts(aiSdk.call('call_1', 'book_flight', { flight: 'TP 1351' }), {
          type: 'tool-approval-request',
          approvalId: 'approval_1',
          toolCallId: 'call_1',
        }),
        aiSdk.tool(
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'book_flight',
            output: { type: 'execution-denied', reason: '[no result] This call was denied and did not run.' },
          },
          { type: 'tool-approval-response', approvalId: 'approval_1', approved: false },
        ),
      ],
    },
    {
      name: 'an approval request that the user did not answer',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        aiSdk.user('Book the flight.'),
        aiSdk.assistantParts(aiSdk.call('call_1', 'book_flight', { flight: 'TP 1351' }), {
          type: 'tool-approval-request',
          approvalId: 'approval_1',
          toolCallId: 'call_1',
        }),
        aiSdk.user('What about the train?'),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        aiSdk.user('Book the flight.'),
        aiSdk.assistantParts(aiSdk.call('call_1', 'book_flight', { flight: 'TP 1351' }), {
          type: 'tool-approval-request',
          approvalId: 'approval_1',
          toolCallId: 'call_1',
        }),
        aiSdk.tool({
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'book_flight',
          output: {
            type: 'error-text',
            value: '[no result] This call waited for an approval that expired. It did not run.',
          },
        }),
        aiSdk.user('What about the train?'),
      ],
    },
    {
      name: 'an asynchronous call, for a provider that has none',
      format: 'openai-responses',
      dialect: 'openai',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        responses.user('On Friday.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'function_call', call_id: 'call_1', name: 'search_flights', arguments: '{"to":"LIS"}', async: true },
        responses.output('call_1', '[no result] No result of this call was recorded. Whether it ran is not known.'),
        responses.user('On Friday.'),
      ],
    },
    {
      name: 'an interaction whose function never returned',
      format: 'gemini-interactions',
      dialect: 'gemini-interactions',
      messages: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        interactions.user('Are you there?'),
      ],
      finds: ['input[1]'],
      after: [
        interactions.user('Is it raining in Lisbon?'),
        interactions.call('a1', 'get_weather', { city: 'Lisbon' }),
        {
          ...interactions.result(
            'a1',
            'get_weather',
            '[no result] No result of this call was recorded. Whether it ran is not known.',
          ),
          is_error: true,
        },
        interactions.user('Are you there?'),
      ],
    },
    {
      name: 'a call of Pydantic AI whose tool never returned',
      format: 'pydantic-ai',
      dialect: 'openai',
      messages: [
        { kind: 'request', parts: [{ content: 'Find me a flight.', part_kind: 'user-prompt' }] },
        {
          kind: 'response',
          parts: [
            { tool_name: 'search_flights', args: '{"to":"LIS"}', tool_call_id: 'call_1', part_kind: 'tool-call' },
          ],
        },
        { kind: 'request', parts: [{ content: 'Are you there?', part_kind: 'user-prompt' }] },
      ],
      finds: ['messages[1].parts[0]'],
      after: [
        { kind: 'request', parts: [{ content: 'Find me a flight.', part_kind: 'user-prompt' }] },
        {
          kind: 'response',
          parts: [
            { tool_name: 'search_flights', args: '{"to":"LIS"}', tool_call_id: 'call_1', part_kind: 'tool-call' },
          ],
        },
        {
          kind: 'request',
          parts: [
            {
              tool_name: 'search_flights',
              content: '[no result] No result of this call was recorded. Whether it ran is not known.',
              tool_call_id: 'call_1',
              outcome: 'failed',
              part_kind: 'tool-return',
            },
          ],
        },
        { kind: 'request', parts: [{ content: 'Are you there?', part_kind: 'user-prompt' }] },
      ],
    },
  ],
}
