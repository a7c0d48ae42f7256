import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'or-missing-output-fn',
    rule: 'Every function_call in input (or in the chain reached by previous_response_id / conversation) needs a function_call_output with the same call_id.',
    words: '`No tool output found for function call {call_id}.`',
    evidence: 'S',
    sources: [
      'https://github.com/router-for-me/CLIProxyAPI/issues/2368',
      'https://github.com/tjardoo/openai-client/pull/124',
    ],
  },
  {
    id: 'or-async',
    rule: 'A function_call or custom_tool_call with `async: true` may be answered in a later request, while the conversation goes on.',
    evidence: 'D',
    sources: ['https://developers.openai.com/api/docs/guides/async-tool-calling'],
  },
  {
    id: 'or-missing-output-custom',
    rule: 'Same for custom_tool_call.',
    words: '`No tool output found for custom tool call {call_id}.`',
    evidence: 'S',
    sources: [
      'https://github.com/Soju06/codex-lb/issues/1168',
      'https://github.com/diegosouzapw/OmniRoute/issues/8946',
    ],
  },
  {
    id: 'or-missing-output-shell',
    rule: 'Same for local_shell_call (server wants `call_id`, not `id`, in the output item) and for shell_call.',
    words: '`No tool output found for local shell call {call_id}.` / `No tool output found for shell call {call_id}.`',
    evidence: 'S',
    sources: [
      'https://github.com/openai/openai-agents-python/pull/1855',
      'https://github.com/microsoft/agent-framework/issues/8663',
    ],
  },
  {
    id: 'or-missing-output-computer',
    rule: 'Same for computer_call.',
    words: '`No tool output found for computer call {call_id}.`',
    evidence: 'S',
    sources: ['https://github.com/Azure-Samples/computer-use/issues/22'],
  },
  {
    id: 'or-missing-output-patch',
    rule: 'Same for apply_patch_call.',
    words: '`No tool output found for apply patch call {call_id}.`',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'or-missing-output-search',
    rule: 'Same for tool_search_call that the client runs.',
    words: '`No tool output found for tool search call {call_id}.`',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'or-orphan-fn',
    rule: 'A function_call_output needs its function_call.',
    words: '`No tool call found for function call output with call_id {call_id}.`',
    evidence: 'S',
    sources: [
      'https://github.com/continuedev/continue/issues/10092',
      'https://github.com/james-6-23/codex2api/issues/414',
    ],
  },
  {
    id: 'or-orphan-custom',
    rule: 'Same for custom tools; a function_call does not satisfy a custom output (type must match).',
    words: '`No tool call found for custom tool call output with call_id {call_id}.`',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'or-reasoning-no-follow',
    rule: 'A reasoning item sent with its id must be followed by the item it was produced with (message, function_call, …).',
    words: "`Item '{rs_id}' of type 'reasoning' was provided without its required following item.`",
    evidence: 'S',
    sources: [
      'https://github.com/continuedev/continue/issues/8933',
      'https://github.com/vercel/ai/issues/7099',
      'https://github.com/continuedev/continue/issues/11721',
      'https://github.com/openai/openai-responses-starter-app/issues/38',
    ],
  },
  {
    id: 'or-fc-no-reasoning',
    rule: 'A function_call replayed with its `fc_` id needs the reasoning item that preceded it.',
    words: "`Item '{fc_id}' of type 'function_call' was provided without its required 'reasoning' item: '{rs_id}'.`",
    evidence: 'S',
    sources: ['https://github.com/mastra-ai/mastra/issues/8738', 'https://github.com/laravel/ai/pull/1052'],
  },
  {
    id: 'or-msg-no-reasoning',
    rule: 'Same for assistant message with `msg_` id.',
    words: "`Item '{msg_id}' of type 'message' was provided without its required 'reasoning' item: '{rs_id}'.`",
    evidence: 'S',
    sources: [
      'https://github.com/continuedev/continue/issues/11466',
      'https://github.com/continuedev/continue/issues/11309',
    ],
  },
  {
    id: 'or-other-no-reasoning',
    rule: 'Same template for other item types (web_search_call, …).',
    words: "`Item '{id}' of type '{type}' was provided without its required 'reasoning' item: '{rs_id}'.`",
    evidence: 'I',
    sources: [],
  },
  {
    id: 'or-dup-item',
    rule: 'The same item id twice (incl. once in input and once in the previous_response_id / conversation chain).',
    words: '`Duplicate item found with id {id}. Remove duplicate items from your input and try again.`',
    evidence: 'S',
    sources: [
      'https://github.com/openai/openai-agents-python/issues/1789',
      'https://github.com/MacPaw/OpenAI/issues/432',
      'https://github.com/OpenRouterTeam/ai-sdk-provider/issues/254',
    ],
  },
  {
    id: 'or-dup-output',
    rule: 'Two function_call_outputs for one call_id. A gateway said so; whether OpenAI itself does is not established.',
    words:
      "`Duplicate function_call_output for call_id '{id}'. Each function_call must have exactly one matching function_call_output`",
    evidence: 'T',
    sources: [
      'https://github.com/NousResearch/hermes-agent/issues/102629',
      'https://github.com/mnfst/llm-gateway/pull/2858',
    ],
  },
  {
    id: 'or-not-persisted',
    rule: 'With store:false, or from another account, an item referenced only by id is unknown. HTTP 404.',
    words:
      "`Item with id '{rs_id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.`",
    evidence: 'S',
    sources: ['https://github.com/can1357/oh-my-pi/issues/41'],
  },
  {
    id: 'or-encrypted',
    rule: 'encrypted_content must decrypt (same org/model family/route).',
    words:
      '`The encrypted content {first4}...{last4} could not be verified.` newer: `… could not be verified. Reason: Encrypted content could not be decrypted or parsed.` newer still: `The encrypted content for item {id} could not be verified. Reason: …`',
    evidence: 'S',
    sources: [
      'https://github.com/openai/codex/issues/8145',
      'https://github.com/Wei-Shaw/sub2api/issues/2863',
      'https://github.com/openai/codex/issues/35334',
      'https://github.com/openai/codex/issues/13724',
    ],
  },
  {
    id: 'or-id-prefix',
    rule: 'function_call.id must start with `fc`.',
    words: "`Invalid 'input[{N}].id': '{id}'. Expected an ID that begins with 'fc'.`",
    evidence: 'S',
    sources: ['https://github.com/Wei-Shaw/sub2api/issues/3785'],
  },
  {
    id: 'or-id-charset',
    rule: 'item ids: letters, digits, `_`, `-`; not empty; a trailing `_` is rejected too.',
    words:
      "`Invalid 'input[{N}].id': '{id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`",
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchainjs/issues/11044',
      'https://github.com/earendil-works/pi/issues/977',
    ],
  },
  {
    id: 'or-callid-len',
    rule: 'call_id 1..64 chars.',
    words:
      "`Invalid 'input[{N}].call_id': string too long. Expected a string with maximum length 64, but got a string with length {L} instead.` / `Invalid 'input[{N}].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.`",
    evidence: 'S',
    sources: [
      'https://github.com/AnswerDotAI/fastllm/issues/45',
      'https://github.com/BigPizzaV3/CodexPlusPlus/issues/315',
    ],
  },
  {
    id: 'or-role-tool',
    rule: 'role `tool` does not exist here.',
    words: "`Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`",
    evidence: 'S',
    sources: ['https://github.com/Chevey339/kelivo/pull/281'],
  },
  {
    id: 'or-output-type',
    rule: 'computer_call_output.output must be an object.',
    words: "`Invalid type for 'input[{N}].output': expected a computer call output, but got a string instead.`",
    evidence: 'S',
    sources: ['https://github.com/browserbase/stagehand-python/issues/149'],
  },
]
