import type { Examples } from '../example.ts'

const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'send_email', input: { to: 'ada@example.test' } }
const request = { type: 'tool-approval-request', approvalId: 'approval_1', toolCallId: 'call_1' }
const answer = { type: 'tool-approval-response', approvalId: 'approval_1', approved: true }
const result = {
  type: 'tool-result',
  toolCallId: 'call_1',
  toolName: 'send_email',
  output: { type: 'text', value: 'sent' },
}

export const examples: Examples = {
  valid: [
    {
      name: 'a call that was approved and ran',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        { role: 'tool', content: [answer] },
        { role: 'tool', content: [result] },
        { role: 'assistant', content: 'It is sent.' },
      ],
    },
    {
      name: 'a call that was approved and runs next',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        { role: 'tool', content: [answer] },
      ],
    },
  ],
  invalid: [
    {
      name: 'the message with the call was removed',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'tool', content: [answer] },
      ],
      finds: ['messages[1].content[0]'],
      after: [{ role: 'user', content: 'Send it.' }],
    },
    {
      name: 'an approval request without its call',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [{ type: 'text', text: 'May I?' }, request] },
        { role: 'tool', content: [answer] },
      ],
      finds: ['messages[1].content[1]', 'messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [{ type: 'text', text: 'May I?' }] },
      ],
    },
    {
      name: 'the user continued before the answer',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        { role: 'user', content: 'Wait, not yet.' },
        { role: 'tool', content: [answer] },
      ],
      finds: ['messages[3].content[0]'],
      after: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'call_1',
              toolName: 'send_email',
              output: {
                type: 'error-text',
                value: '[no result] This call waited for an approval that expired. It did not run.',
              },
            },
          ],
        },
        { role: 'user', content: 'Wait, not yet.' },
      ],
    },
    {
      name: 'an answer after the result would run the call again',
      format: 'ai-sdk',
      dialect: 'lenient',
      messages: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        { role: 'tool', content: [result] },
        { role: 'tool', content: [answer] },
      ],
      finds: ['messages[3].content[0]'],
      after: [
        { role: 'user', content: 'Send it.' },
        { role: 'assistant', content: [call, request] },
        { role: 'tool', content: [result] },
      ],
    },
  ],
}
