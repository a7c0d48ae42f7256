import type { Reader } from './version.ts'

/** A message of a chat, as both versions of the library have it. */
export interface ChatMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: ChatPart[]
}

type ChatPart = Text | { type: 'step-start' } | ToolPart

interface Text {
  type: 'text'
  text: string
}

interface Called {
  type: 'tool-run'
  toolCallId: string
  input: unknown
}

type ToolPart = Called &
  (
    | { state: 'input-available' }
    | { state: 'output-available'; output: unknown }
    | { state: 'output-error'; errorText: string }
    | { state: 'approval-requested'; approval: { id: string } }
    | { state: 'approval-responded'; approval: { id: string; approved: boolean; reason?: string } }
  )

const says = (role: ChatMessage['role'], ...parts: ChatPart[]): ChatMessage => ({
  id: `${role}-${parts.length}`,
  role,
  parts,
})
const text = (words: string): Text => ({ type: 'text', text: words })
const call: Called = { type: 'tool-run', toolCallId: 'call_1', input: {} }
const step = { type: 'step-start' } as const

/** The failures of the demo, as they are left behind in a chat; some the library refuses or repairs itself. */
export const chats: { name: string; reader: Reader; throws?: string; mendedBy?: string; chat: ChatMessage[] }[] = [
  {
    name: 'a call that was stopped',
    reader: 'openai',
    throws: 'AI_MissingToolResultsError',
    chat: [
      says('user', text('Run it.')),
      says('assistant', step, { ...call, state: 'input-available' }),
      says('user', text('Stop.')),
    ],
  },
  {
    name: 'an approval that the user passed over',
    reader: 'anthropic',
    throws: 'AI_MissingToolResultsError',
    mendedBy: 'ai 7',
    chat: [
      says('user', text('Run it.')),
      says('assistant', step, { ...call, state: 'approval-requested', approval: { id: 'approval_1' } }),
      says('user', text('Rather not.')),
    ],
  },
  {
    name: 'an approved call that never ran',
    reader: 'openai-responses',
    throws: 'AI_MissingToolResultsError',
    chat: [
      says('user', text('Run it.')),
      says('assistant', step, { ...call, state: 'approval-responded', approval: { id: 'approval_1', approved: true } }),
      says('user', text('Well?')),
    ],
  },
  {
    name: 'an error and an observation for one call',
    reader: 'anthropic',
    chat: [
      says('user', text('Charge the card.')),
      says(
        'assistant',
        step,
        { ...call, state: 'output-error', errorText: 'worker restarted' },
        { ...call, state: 'output-available', output: 'charged 89 EUR' },
      ),
      says('user', text('And?')),
    ],
  },
  {
    name: 'a system message that is no longer first',
    reader: 'qwen-template',
    chat: [
      says('user', text('Summary so far.')),
      says('system', text('You are a travel agent.')),
      says('user', text('Go on.')),
    ],
  },
]
