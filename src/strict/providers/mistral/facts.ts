import type { ProviderFact } from '../../facts/fact.ts'

/** It is open source, and the hosted API agrees with it. */
const validator =
  'https://github.com/mistralai/mistral-common/blob/039465db2bdc0486df36365c9bdb428188482a18/src/mistral_common/protocol/instruct/validator.py'

export const facts: readonly ProviderFact[] = [
  {
    id: 'mi-empty',
    rule: '≥1 message.',
    words: '`Conversation must have at least one message`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-single',
    rule: 'A single message must be user or system.',
    words: '`Conversation must start with a user message or system message`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-last',
    rule: 'Last role user or tool (or assistant prefix:true).',
    words:
      'hosted: `Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant` ; newer lib: `Expected last role User or Tool (or Assistant with prefix or continue_final_message set to True) for serving but got {role}`',
    evidence: 'S',
    sources: ['https://github.com/QuantumNous/new-api/issues/2858', 'https://github.com/NEKOparapa/AiNiee/issues/641'],
  },
  {
    id: 'mi-order',
    rule: 'Allowed next roles: system→{user,assistant,system}; user→{assistant,system,user}; assistant→{assistant,user,tool}; tool→{assistant,tool}.',
    words: "`Unexpected role '{current}' after role '{previous}'`",
    evidence: 'S',
    sources: [
      'https://github.com/datapizza-labs/datapizza-ai/issues/98',
      'https://github.com/charmbracelet/crush/issues/279',
    ],
  },
  {
    id: 'mi-count',
    rule: 'Number of tool messages between two assistants = number of calls; checked at the next assistant and at the end.',
    words: '`Not the same number of function calls and responses`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-count-quirk',
    rule: 'First message is skipped by the counter: an assistant with calls (or a tool) at index 0 is not counted. Before tokenizer v13 ids are NOT matched, only counts.',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-v13-unexpected',
    rule: 'v13+: result id must be expected.',
    words: '`Unexpected tool call id {id} in tool results`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-v13-dup-result',
    rule: 'v13+: one result for each id.',
    words: '`Duplicate tool call id {id} in tool results`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-v13-dup-call',
    rule: 'v13+: the ids of one assistant message differ.',
    words: '`Duplicate tool call id {id} in assistant message`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-id',
    rule: 'id exactly 9 of [a-zA-Z0-9], on calls and tool messages. Body: type `invalid_function_call`, code `"3280"`.',
    words: '`Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.`',
    evidence: 'S',
    sources: ['https://github.com/editor-code-assistant/eca/issues/233'],
  },
  {
    id: 'mi-id-missing',
    rule: 'tool message needs id.',
    words: '`Tool call id has to be defined.` / calls: `Tool call id has to be defined in serving mode.`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-name',
    rule: 'function / tool name pattern {1,64}.',
    words:
      '`Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-both',
    rule: 'v1–v3 models: content xor tool_calls.',
    words: '`Assistant message must have either content or tool_calls, but not both.`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-none',
    rule: 'Hosted: not neither. A refusal is not content: the message has no such field (the second source).',
    words:
      '`Assistant message must have either content or tool_calls, but not none.` (type invalid_request_error, code null)',
    evidence: 'S',
    sources: [
      'https://github.com/solbrowse/extension/issues/16',
      'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/messages.py',
    ],
  },
  {
    id: 'mi-prefix',
    rule: 'prefix only last.',
    words: '`Assistant message with prefix True must be last message`',
    evidence: 'C',
    sources: [validator],
  },
  {
    id: 'mi-system-null',
    rule: 'system content not null.',
    words: '`System prompt must have content`',
    evidence: 'C',
    sources: [validator],
  },
]
