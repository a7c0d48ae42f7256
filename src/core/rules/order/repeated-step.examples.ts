import type { Examples } from '../example.ts'

const open = {
  id: 'm2',
  role: 'assistant',
  content: 'Opening it.',
  toolCalls: [{ id: 'call_1', type: 'function', function: { name: 'open_panel', arguments: '{}' } }],
}
const opened = { id: 'm3', role: 'tool', toolCallId: 'call_1', content: 'opened' }

export const examples: Examples = {
  valid: [
    {
      name: 'the same call in a later turn',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        opened,
        { id: 'm4', role: 'user', content: 'It closed. Again, please.' },
        { ...open, id: 'm5' },
        { ...opened, id: 'm6' },
      ],
    },
    {
      name: 'the same id with other arguments is another call',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open both panels.' },
        {
          id: 'm2',
          role: 'assistant',
          toolCalls: [{ id: '0', type: 'function', function: { name: 'open_panel', arguments: '{"panel":"left"}' } }],
        },
        { id: 'm3', role: 'tool', toolCallId: '0', content: 'opened' },
        {
          id: 'm4',
          role: 'assistant',
          toolCalls: [{ id: '0', type: 'function', function: { name: 'open_panel', arguments: '{"panel":"right"}' } }],
        },
        { id: 'm5', role: 'tool', toolCallId: '0', content: 'opened' },
      ],
    },
    {
      name: 'the same call with another real result ran twice',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        { ...opened, content: 'It is stuck.', error: 'stuck' },
        { ...open, id: 'm4' },
        { ...opened, id: 'm5' },
      ],
    },
  ],
  invalid: [
    {
      name: 'a client sent a step twice',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        opened,
        { id: 'm4', role: 'assistant', content: 'It is open.' },
        open,
        { id: 'm5', role: 'activity', activityType: 'PANEL', content: { state: 'open' } },
        opened,
        { id: 'm6', role: 'user', content: 'Close it.' },
      ],
      finds: ['messages[4].toolCalls[0]'],
      after: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        opened,
        { id: 'm4', role: 'assistant', content: 'It is open.' },
        { id: 'm5', role: 'activity', activityType: 'PANEL', content: { state: 'open' } },
        { id: 'm6', role: 'user', content: 'Close it.' },
      ],
    },
    {
      name: 'one of two calls was sent twice, with different text',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open the panel and dim the light.' },
        open,
        opened,
        {
          id: 'm4',
          role: 'assistant',
          content: 'And the light.',
          toolCalls: [
            { id: 'call_1', type: 'function', function: { name: 'open_panel', arguments: '{}' } },
            { id: 'call_2', type: 'function', function: { name: 'dim_light', arguments: '{}' } },
          ],
        },
        { ...opened, id: 'm5' },
        { id: 'm6', role: 'tool', toolCallId: 'call_2', content: 'dimmed' },
      ],
      finds: ['messages[3].toolCalls[0]'],
      after: [
        { id: 'm1', role: 'user', content: 'Open the panel and dim the light.' },
        open,
        opened,
        {
          id: 'm4',
          role: 'assistant',
          content: 'And the light.',
          toolCalls: [{ id: 'call_2', type: 'function', function: { name: 'dim_light', arguments: '{}' } }],
        },
        { id: 'm6', role: 'tool', toolCallId: 'call_2', content: 'dimmed' },
      ],
    },
    {
      name: 'only the later copy has a real result',
      format: 'ag-ui',
      dialect: 'lenient',
      messages: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        { ...opened, content: 'Tool execution skipped - user provided follow-up message' },
        { id: 'm4', role: 'assistant', content: 'One moment.' },
        { ...open, id: 'm5' },
        { ...opened, id: 'm6' },
      ],
      finds: ['messages[4].toolCalls[0]'],
      after: [
        { id: 'm1', role: 'user', content: 'Open the panel.' },
        open,
        { ...opened, id: 'm6' },
        { id: 'm4', role: 'assistant', content: 'One moment.' },
      ],
    },
  ],
}
