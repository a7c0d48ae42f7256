import type { Examples } from '../example.ts'
import { anthropic } from '../example-messages.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'all results in one message',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
        ),
      ],
    },
    {
      name: 'one message a result, which Anthropic combines',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'), anthropic.text('Which one?')),
      ],
    },
  ],
  invalid: [
    {
      name: 'one message a result, after a rejection',
      format: 'anthropic',
      dialect: 'anthropic',
      options: { cautious: true },
      messages: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR')),
        anthropic.userBlocks(anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'), anthropic.text('Which one?')),
      ],
      finds: ['messages[3].content[0]'],
      after: [
        anthropic.user('Plan Lisbon.'),
        anthropic.assistantBlocks(
          anthropic.toolUse('toolu_1', 'search_flights', { to: 'LIS' }),
          anthropic.toolUse('toolu_2', 'search_hotels', { city: 'Lisbon' }),
        ),
        anthropic.userBlocks(
          anthropic.toolResult('toolu_1', 'TP 1351, 89 EUR'),
          anthropic.toolResult('toolu_2', 'Hotel Tejo, 120 EUR'),
          anthropic.text('Which one?'),
        ),
      ],
    },
  ],
}
