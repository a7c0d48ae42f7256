import type { Examples } from '../example.ts'
import { anthropic, chat } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a search and its result',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' }),
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [
              {
                type: 'web_search_result',
                url: 'https://example.com/lisbon',
                title: 'Lisbon',
                encrypted_content: 'EqgfCioIARgB',
              },
            ],
          },
          anthropic.text('Sunny.'),
        ),
        anthropic.user('Thanks.'),
      ],
    },
    {
      name: 'a turn that is paused',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.text('I look it up.'),
          anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' }),
        ),
      ],
    },
  ],
  invalid: [
    {
      name: 'a search that was stopped',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.text('I look it up.'),
          anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' }),
        ),
        anthropic.user('Never mind.'),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.text('I look it up.')),
        anthropic.user('Never mind.'),
      ],
    },
    {
      name: 'the result of a search, without the search',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [
              {
                type: 'web_search_result',
                url: 'https://example.com/lisbon',
                title: 'Lisbon',
                encrypted_content: 'EqgfCioIARgB',
              },
            ],
          },
          anthropic.text('Sunny.'),
        ),
        anthropic.user('Thanks.'),
      ],
      finds: ['messages[1].content[0]'],
      after: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.text('Sunny.')),
        anthropic.user('Thanks.'),
      ],
    },
    {
      name: "a search in the form of a client's call",
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        chat.user('Weather in Lisbon?'),
        chat.textAndCalls('I look it up.', chat.call('srvtoolu_1', 'web_search', '{"query":"weather in Lisbon"}')),
        chat.user('Never mind.'),
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [chat.user('Weather in Lisbon?'), chat.assistant('I look it up.'), chat.user('Never mind.')],
    },
    {
      name: 'the result of a connector instead of the result of the search',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(
          anthropic.serverToolUse('srvtoolu_1', 'web_search', { query: 'weather in Lisbon' }),
          { type: 'mcp_tool_result', tool_use_id: 'srvtoolu_1', is_error: false, content: [] },
          anthropic.text('Sunny.'),
        ),
        anthropic.user('Thanks.'),
      ],
      finds: ['messages[1].content[1]'],
      after: [
        anthropic.user('Weather in Lisbon?'),
        anthropic.assistantBlocks(anthropic.text('Sunny.')),
        anthropic.user('Thanks.'),
      ],
    },
  ],
}
