import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a result with its call',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls(chat.call('call_1', 'search_flights', '{"to":"LIS"}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
      ],
    },
    {
      name: 'a result whose call the provider stores',
      format: 'openai-responses',
      dialect: 'openai-responses',
      options: { continues: true },
      messages: [responses.output('call_1', 'TP 1351, 89 EUR'), responses.user('Book it.')],
    },
    {
      name: 'a result beside a reference to stored items',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [{ type: 'item_reference', id: 'fc_1' }, responses.output('call_1', 'TP 1351, 89 EUR')],
    },
  ],
  invalid: [
    {
      name: 'a compaction that cut between call and result',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Summary so far: flights to Lisbon were searched.'),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
        chat.user('Book it.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Summary so far: flights to Lisbon were searched.'),
        chat.calls(chat.call('call_1', 'unknown_tool', '{}')),
        chat.result('call_1', 'TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
        chat.user('Book it.'),
      ],
    },
    {
      name: 'a result among others',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_9', 'Hotel Tejo, 120 EUR'),
        ),
      ],
      finds: ['messages[2].content[1]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_9', 'unknown_tool', {})),
        anthropic.userBlocks(anthropic.toolResult('toolu_9', 'Hotel Tejo, 120 EUR')),
      ],
    },
    {
      name: 'a call that was never stored',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.message('assistant', [{ type: 'output_text', text: '89 EUR.', annotations: [] }]),
        responses.user('Book it.'),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        responses.call('call_1', 'unknown_tool', '{}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.message('assistant', [{ type: 'output_text', text: '89 EUR.', annotations: [] }]),
        responses.user('Book it.'),
      ],
    },
    {
      name: 'a compaction that removed a call but not its result',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAB' },
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('Book it.'),
      ],
      finds: ['input[1]'],
      after: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAB' },
        responses.call('call_1', 'unknown_tool', '{}'),
        responses.output('call_1', 'TP 1351, 89 EUR'),
        responses.user('Book it.'),
      ],
    },
    {
      name: 'a call made up for it',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({ type: 'function', id: 'call_1', function: { name: 'search_flights', arguments: '{}' } }),
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'a call made up for a result without a name',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.assistantBlocks(anthropic.text('89 EUR.')),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'unknown_tool', {})),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.assistantBlocks(anthropic.text('89 EUR.')),
      ],
    },
    {
      name: 'a call made up for a result without an id',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.calls({ type: 'function', id: 'call_zCs1JNWg1I', function: { name: 'search_flights', arguments: '{}' } }),
        { role: 'tool', name: 'search_flights', content: 'TP 1351, 89 EUR', tool_call_id: 'call_zCs1JNWg1I' },
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'quoted as text',
      format: 'openai-chat',
      dialect: 'openai',
      options: { orphans: 'quote' },
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'tool', tool_call_id: 'call_1', name: 'search_flights', content: 'TP 1351, 89 EUR' },
        chat.assistant('89 EUR.'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        chat.user('[result of the tool search_flights, quoted]\n> TP 1351, 89 EUR'),
        chat.assistant('89 EUR.'),
      ],
    },
    {
      name: 'quoted as text, without a name',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { orphans: 'quote' },
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', [anthropic.text('TP 1351, 89 EUR')]),
          anthropic.text('Book it.'),
        ),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.user('[result of a tool, quoted]\n> TP 1351, 89 EUR'),
        anthropic.userBlocks(anthropic.text('Book it.')),
      ],
    },
    {
      name: 'a result without an id, in a request that continues stored turns',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'item_reference', id: 'msg_1' },
        responses.output('', 'TP 1351, 89 EUR'),
        responses.user('Book it.'),
      ],
      finds: ['input[1]'],
      after: [
        { type: 'item_reference', id: 'msg_1' },
        responses.call('call_zCs1JNWg1I', 'unknown_tool', '{}'),
        responses.output('call_zCs1JNWg1I', 'TP 1351, 89 EUR'),
        responses.user('Book it.'),
      ],
    },
    {
      name: 'only a result, dropped by choice',
      format: 'openai-chat',
      dialect: 'openai',
      options: { orphans: 'drop' },
      messages: [chat.result('call_1', 'TP 1351, 89 EUR')],
      finds: ['messages[0]'],
      after: [chat.user('(continue)')],
    },
    {
      name: 'a placeholder, which adds nothing',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [chat.user('Find me a flight to Lisbon.'), chat.result('call_1', 'Tool execution aborted')],
      finds: ['messages[1]'],
      after: [chat.user('Find me a flight to Lisbon.')],
    },
  ],
}
