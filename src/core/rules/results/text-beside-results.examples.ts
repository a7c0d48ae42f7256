import type { Examples } from '../example.ts'
import { anthropic, bedrock } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'text in the next message',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.user('Only direct flights.'),
      ],
    },
    {
      name: 'text next to results where the provider accepts it',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.text('Only direct flights.'),
        ),
      ],
    },
  ],
  invalid: [
    {
      name: 'text beside a result',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.text('Only direct flights.'),
        ),
      ],
      finds: ['messages[2]'],
      after: [
        anthropic.user('Find me a flight to Lisbon.'),
        anthropic.assistantBlocks(anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' })),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.userBlocks(anthropic.text('Only direct flights.')),
      ],
    },
    {
      name: 'text beside a result, where an assistant message must follow the results',
      format: 'bedrock',
      dialect: 'bedrock',
      options: { model: 'us.meta.llama4-maverick-17b-instruct-v1:0' },
      messages: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'search_flights', { to: 'LIS' })),
        bedrock.user(
          bedrock.toolResult('tooluse_1', bedrock.text('TP 1351, 89 EUR')),
          bedrock.text('Only direct flights.'),
        ),
      ],
      finds: ['messages[2]'],
      after: [
        bedrock.user(bedrock.text('Find me a flight to Lisbon.')),
        bedrock.assistant(bedrock.toolUse('tooluse_1', 'search_flights', { to: 'LIS' })),
        bedrock.user(bedrock.toolResult('tooluse_1', bedrock.text('TP 1351, 89 EUR'))),
        bedrock.assistant(bedrock.text('(no reply was recorded)')),
        bedrock.user(bedrock.text('Only direct flights.')),
      ],
    },
  ],
}
