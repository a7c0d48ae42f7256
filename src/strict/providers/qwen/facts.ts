import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'qw-missing',
    rule: 'results missing. Prints a position, not ids; double quotes.',
    words:
      '`An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[{N}].role`',
    evidence: 'S',
    sources: [
      'https://github.com/alibaba/spring-ai-alibaba/issues/914',
      'https://github.com/QwenLM/qwen-code/issues/606',
    ],
  },
  {
    id: 'qw-orphan',
    rule: 'orphan (also reported on a multi-call turn; exact form not shown).',
    words: '`messages with role "tool" must be a response to a preceeding message with "tool_calls".`',
    evidence: 'S',
    sources: [
      'https://github.com/philschmid/mcp-openai-gemini-llama-example/pull/5',
      'https://github.com/sigoden/aichat/pull/993',
    ],
  },
  {
    id: 'qw-no-user',
    rule: '≥1 user message.',
    words: '`The input messages do not contain elements with the role of user`',
    evidence: 'S',
    sources: ['https://github.com/langfuse/langfuse/issues/10513'],
  },
  {
    id: 'qw-args',
    rule: 'function.arguments must be a JSON object string.',
    words: '`The "function.arguments" parameter of the code model must be in JSON format.`',
    evidence: 'S',
    sources: [],
  },
  {
    id: 'qw-empty-toolcalls',
    rule: 'tool_calls must not be an empty array.',
    words: '`Empty tool_calls is not supported in message`',
    evidence: 'T',
    sources: ['https://github.com/smallmain/vscode-unify-chat-provider/pull/65'],
  },
  {
    id: 'qw-role',
    rule: 'role must be one of five.',
    words:
      "`developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'` (plain, no InternalError prefix)",
    evidence: 'S',
    sources: [
      'https://github.com/DayuanJiang/next-ai-draw-io/issues/304',
      'https://github.com/maotoumao/Cebian/issues/46',
    ],
  },
]
