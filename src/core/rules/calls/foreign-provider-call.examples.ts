import type { Examples } from '../example.ts'
import { anthropic } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a search that the provider itself ran',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' }),
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          anthropic.text('I found nothing.'),
        ),
        anthropic.user('Look again.'),
      ],
    },
    {
      name: 'a connector call, whose ids have another form',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'weather', server_name: 'sky', input: { city: 'Lisbon' } },
          { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] },
          anthropic.text('I found nothing.'),
        ),
        anthropic.user('Look again.'),
      ],
    },
    {
      name: 'a provider that is not known to reject it',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('What is on this picture?'),
        anthropic.assistantBlocks(
          anthropic.serverToolUse('call_5f46', 'analyze_image', { image: 1 }),
          { type: 'analyze_image_tool_result', tool_use_id: 'call_5f46', content: 'a cat' },
          anthropic.text('A cat.'),
        ),
        anthropic.user('Which breed?'),
      ],
    },
  ],
  invalid: [
    {
      name: 'a switch of the model within the conversation',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('What is on this picture?'),
        anthropic.assistantBlocks(
          anthropic.serverToolUse('call_5f46', 'analyze_image', { image: 1 }),
          { type: 'analyze_image_tool_result', tool_use_id: 'call_5f46', content: 'a cat' },
          anthropic.text('A cat.'),
        ),
        anthropic.user('Which breed?'),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('What is on this picture?'),
        anthropic.assistantBlocks(anthropic.text('A cat.')),
        anthropic.user('Which breed?'),
      ],
    },
    {
      name: 'the call and its result in two messages',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.text('I look it up.'),
          anthropic.serverToolUse('call_5f46', 'web_search', { query: 'weather in Lisbon' }),
        ),
        anthropic.assistantBlocks(
          { type: 'web_search_tool_result', tool_use_id: 'call_5f46', content: [] },
          anthropic.text('I found nothing.'),
        ),
        anthropic.user('Look again.'),
      ],
      finds: ['messages[1].content[1]', 'messages[2].content[0]'],
      after: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.text('I look it up.')),
        anthropic.assistantBlocks(anthropic.text('I found nothing.')),
        anthropic.user('Look again.'),
      ],
    },
  ],
}
