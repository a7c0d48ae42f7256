import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'every message has a known role',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'system', content: 'You book flights.' },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: 'For which day?' },
      ],
    },
    {
      name: 'items beside the turns',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { type: 'additional_tools', role: 'developer', tools: [] },
        { role: 'user', content: 'Find me a flight to Lisbon.' },
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
        { role: 'user', content: 'Find me a flight to Lisbon.' },
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
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'narrator', content: 'The agent looks around.' },
        { role: 'assistant', content: 'For which day?' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'narrator', content: 'The agent looks around.' },
        { role: 'assistant', content: 'For which day?' },
      ],
    },
    {
      name: 'a message that the store lost',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        null,
        { role: 'assistant', content: [{ type: 'text', text: 'For which day?' }] },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        null,
        { role: 'assistant', content: [{ type: 'text', text: 'For which day?' }] },
      ],
    },
    {
      name: 'content that is neither text nor blocks',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: { text: 'For which day?' } },
        { role: 'user', content: 'On Friday.' },
      ],
      finds: ['messages[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { role: 'assistant', content: { text: 'For which day?' } },
        { role: 'user', content: 'On Friday.' },
      ],
    },
    {
      name: 'an item of an unknown type',
      format: 'openai-responses',
      dialect: 'openai-responses',
      messages: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'hologram', id: 'hg_1' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
      ],
      finds: ['input[1]'],
      after: [
        { role: 'user', content: 'Find me a flight to Lisbon.' },
        { type: 'hologram', id: 'hg_1' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'For which day?', annotations: [] }],
        },
      ],
    },
  ],
}
