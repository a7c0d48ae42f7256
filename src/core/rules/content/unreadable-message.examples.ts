import type { Examples } from '../example.ts'
import { anthropic, chat, responses } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'every message has a known role',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.system('You book flights.'),
        chat.user('Find me a flight to Lisbon.'),
        chat.assistant('For which day?'),
      ],
    },
    {
      name: 'items beside the turns',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'additional_tools', role: 'developer', tools: [] },
        responses.user('Find me a flight to Lisbon.'),
        { type: 'mcp_approval_request', id: 'mcpr_1', name: 'book', server_label: 'travel', arguments: '{}' },
        { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        { type: 'compaction_trigger' },
      ],
    },
    {
      name: 'an item that changes the configuration',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'configuration_update', reasoning: { effort: 'high' } },
      ],
    },
  ],
  invalid: [
    {
      name: 'an unknown role',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'narrator', content: 'The agent looks around.' },
        chat.assistant('For which day?'),
      ],
      finds: ['messages[1]'],
      after: [
        chat.user('Find me a flight to Lisbon.'),
        { role: 'narrator', content: 'The agent looks around.' },
        chat.assistant('For which day?'),
      ],
    },
    {
      name: 'a message that the store lost',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        null,
        anthropic.assistantBlocks(anthropic.text('For which day?')),
      ],
      finds: ['messages[1]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        null,
        anthropic.assistantBlocks(anthropic.text('For which day?')),
      ],
    },
    {
      name: 'content that is neither text nor blocks',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistant({ text: 'For which day?' }),
        anthropic.user('On Friday.'),
      ],
      finds: ['messages[1]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistant({ text: 'For which day?' }),
        anthropic.user('On Friday.'),
      ],
    },
    {
      name: 'an item of an unknown type',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'hologram', id: 'hg_1' },
        responses.message('assistant', [{ type: 'output_text', text: 'For which day?', annotations: [] }]),
      ],
      finds: ['input[1]'],
      after: [
        responses.user('Find me a flight to Lisbon.'),
        { type: 'hologram', id: 'hg_1' },
        responses.message('assistant', [{ type: 'output_text', text: 'For which day?', annotations: [] }]),
      ],
    },
  ],
}
