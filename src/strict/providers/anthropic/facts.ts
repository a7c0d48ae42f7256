import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'an-missing-result',
    rule: 'All tool_use ids of an assistant message must be answered by tool_result blocks in the very next (user) message.',
    words:
      '``messages.{N}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}[, {id}]. Each `tool_use` block must have a corresponding `tool_result` block in the next message.`` (N = assistant message)',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/5989',
      'https://github.com/Kilo-Org/kilocode/issues/5163',
    ],
  },
  {
    id: 'an-result-not-first',
    rule: 'In that user message the tool_result blocks must come FIRST; text before them is a 400 with the an-missing-result text.',
    words: 'as an-missing-result',
    evidence: 'D',
    sources: [
      'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
      'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
    ],
  },
  {
    id: 'an-legacy-text',
    rule: 'The text of the an-missing-result error in January 2025.',
    words:
      '`Did not find {k} tool_result block(s) at the beginning of this message. Messages following tool_use blocks must begin with a matching number of tool_result blocks.`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/anthropic-sdk-typescript/issues/653'],
  },
  {
    id: 'an-orphan',
    rule: 'A tool_result must refer to a tool_use of the previous message.',
    words:
      '``messages.{N}.content.{K}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.``',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/13460',
      'https://github.com/anthropics/claude-code/issues/18947',
    ],
  },
  {
    id: 'an-dup-use',
    rule: 'tool_use ids must be unique. Seen for an id repeated within one message. Third-party code reports it also for an id that a later message reuses (pedantic).',
    words: '``messages.{N}.content.{K}: `tool_use` ids must be unique`` (N,K = second occurrence)',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/20901',
      'https://github.com/trycua/cua/issues/524',
      'https://github.com/NVIDIA-NeMo/Switchyard/issues/502',
    ],
  },
  {
    id: 'an-dup-result',
    rule: 'One result per tool_use.',
    words:
      '``messages.{N}.content.{K}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}``',
    evidence: 'S',
    sources: [],
  },
  {
    id: 'an-id-pattern',
    rule: 'tool_use.id / tool_result.tool_use_id match ^[a-zA-Z0-9_-]+$ .',
    words:
      "`messages.{N}.content.{K}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'` (for results `.tool_result.tool_use_id:` I)",
    evidence: 'S',
    sources: [
      'https://github.com/BlockRunAI/ClawRouter/issues/17',
      'https://github.com/CommandCodeAI/command-code/issues/323',
    ],
  },
  {
    id: 'an-input',
    rule: 'tool_use.input is an object.',
    words: '`messages.{N}.content.{K}.tool_use.input: Input should be a valid dictionary`',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/anthropic-sdk-typescript/issues/648',
      'https://github.com/CopilotKit/CopilotKit/issues/3300',
    ],
  },
  {
    id: 'an-srv-id-pattern',
    rule: 'server_tool_use.id pattern.',
    words: "`….content.{K}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`",
    evidence: 'S',
    sources: ['https://github.com/ding113/claude-code-hub/issues/470'],
  },
  {
    id: 'an-srv-missing',
    rule: 'A server_tool_use (web_search …) in a closed assistant turn needs its result block in the same assistant turn.',
    words:
      '``messages.{N}: `web_search` tool use with id `{srvtoolu}` was found without a corresponding `web_search_tool_result` block`` (docs print it without prefix)',
    evidence: 'S',
    sources: ['https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
  },
  {
    id: 'an-srv-mixed',
    rule: 'If a turn has an unresolved server tool and client tool_use, the follow-up user message must hold ONLY tool_result blocks and keep the same tools.',
    words:
      'text after results → an-srv-missing ; tool missing → a message of which only the end was seen: ``but no `web_search` tool was provided``',
    evidence: 'D',
    sources: ['https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons'],
  },
  {
    id: 'an-srv-orphan',
    rule: 'A server result block needs its server_tool_use before it.',
    words:
      '``messages.{N}.content.{K}: unexpected `tool_use_id` found in `advisor_tool_result` blocks: {srvtoolu}. Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.`` (`web_search_tool_result` analog: I)',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/64383'],
  },
  {
    id: 'an-use-in-user',
    rule: 'tool_use blocks only in assistant messages.',
    words: '``messages.{N}: `tool_use` blocks can only be in `assistant` messages``',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'an-result-in-assistant',
    rule: 'tool_result blocks only in user messages.',
    words: '``messages.{N}: `tool_result` blocks can only be in `user` messages`` (prefix I)',
    evidence: 'S',
    sources: ['https://github.com/tghamm/Anthropic.SDK/issues/128'],
  },
  {
    id: 'an-tools-undefined',
    rule: 'Tool blocks in history require `tools` in the request. The second source says that newer models accept a request without them.',
    words: '``Requests which include `tool_use` or `tool_result` blocks must define tools.``',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/anthropic-sdk-python/issues/494',
      'https://github.com/anthropics/anthropic-sdk-python/issues/849',
    ],
  },
  {
    id: 'an-content-after-use',
    rule: 'Reported: text/thinking AFTER a tool_use inside the same assistant message gives the an-missing-result text.',
    words: 'as an-missing-result',
    evidence: 'T',
    sources: ['https://github.com/anthropics/claude-code/issues/15205'],
  },
  {
    id: 'an-first-user',
    rule: 'First message must be user. The second source has a request that was accepted without it. A summary that the provider made itself (a compaction block) comes first, in a message of either role (the third source).',
    words: '`messages: first message must use the "user" role`',
    evidence: 'S',
    sources: [
      'https://github.com/lobehub/lobehub/issues/1601',
      'https://github.com/anthropics/anthropic-sdk-typescript/issues/622',
      'https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand',
    ],
  },
  {
    id: 'an-alternate-legacy',
    rule: 'Alternation. No longer enforced on api.anthropic.com: "Consecutive user or assistant turns in your request will be combined into a single turn".',
    words:
      '`messages: roles must alternate between "user" and "assistant", but found multiple "{role}" roles in a row`',
    evidence: 'S',
    sources: ['https://github.com/FlowiseAI/Flowise/issues/2006'],
  },
  {
    id: 'an-empty-messages',
    rule: 'At least one message.',
    words: '`messages: at least one message is required`',
    evidence: 'S',
    sources: [],
  },
  {
    id: 'an-empty-content',
    rule: 'Non-empty content except a final assistant message.',
    words: '`messages.{N}: all messages must have non-empty content except for the optional final assistant message`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/4416'],
  },
  {
    id: 'an-error-empty',
    rule: 'A result of a failed call (`is_error`) has content.',
    words: '`messages.{N}.content.{K}.tool_result: content cannot be empty if `is_error` is true`',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-agent-sdk-python/issues/248'],
  },
  {
    id: 'an-empty-text',
    rule: 'Text blocks non-empty.',
    words: '`messages: text content blocks must be non-empty`',
    evidence: 'T',
    sources: ['https://github.com/NousResearch/hermes-agent/pull/41985'],
  },
  {
    id: 'an-ws-text',
    rule: 'Text blocks not whitespace only.',
    words: '`messages: text content blocks must contain non-whitespace text`',
    evidence: 'S',
    sources: ['https://github.com/aaif-goose/goose/pull/7343', 'https://github.com/anomalyco/opencode/issues/31259'],
  },
  {
    id: 'an-trailing-ws',
    rule: 'Final assistant (prefill) must not end with whitespace.',
    words: '`messages: final assistant content cannot end with trailing whitespace`',
    evidence: 'S',
    sources: ['https://github.com/tailcallhq/forgecode/issues/1872'],
  },
  {
    id: 'an-no-prefill',
    rule: '4.6+/5 models: last message must be user. A turn that the provider paused is sent back as it is.',
    words: '`This model does not support assistant message prefill. The conversation must end with a user message.`',
    evidence: 'S',
    sources: [
      'https://github.com/smallmain/vscode-unify-chat-provider/issues/249',
      'https://github.com/ericc-ch/copilot-api/pull/261',
    ],
  },
  {
    id: 'an-role',
    rule: 'The roles are user and assistant, and system on newer models.',
    words:
      '`messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For instructions on how to use tools, see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.`',
    evidence: 'S',
    sources: [
      'https://github.com/NyarchLinux/NyarchAssistant/issues/157',
      'https://github.com/swarmauri/swarmauri-sdk/issues/733',
    ],
  },
  {
    id: 'an-system-role-old',
    rule: 'No message has the role system on models that do not support it: Mythos Preview, and all models before Opus 4.8.',
    words:
      '`role \'system\' is not supported on this model` ; 2024 text: ``messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.``',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/61412',
      'https://github.com/anthropics/claude-code/issues/61242',
      'https://github.com/UKGovernmentBEIS/inspect_ai/pull/4221',
      'https://github.com/ianarawjo/ChainForge/issues/271',
    ],
  },
  {
    id: 'an-system-first',
    rule: 'Opus 4.8+/5: a system message with content may not be the first.',
    words:
      "`messages.0: use the top-level 'system' parameter for the initial system prompt; the directive-only form (content: [] with output_config) is accepted at any position`",
    evidence: 'S',
    sources: [
      'https://github.com/LeenHawk/gproxy/issues/209',
      'https://github.com/diegosouzapw/OmniRoute/pull/10457',
      'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
    ],
  },
  {
    id: 'an-system-place',
    rule: 'Opus 4.8+/5: a system message in the conversation is last or followed by the assistant. The documentation says that it must also follow a user turn; the error text for that was not seen.',
    words:
      "`messages.{N}: role 'system' must precede an 'assistant' message or end the array; the directive-only form (content: [] with output_config) is accepted at any position` (the second half since August 2026)",
    evidence: 'S',
    sources: [
      'https://github.com/letta-ai/letta-code/issues/3989',
      'https://github.com/anthropics/claude-code/issues/73821',
      'https://github.com/langchain4j/langchain4j/issues/5603',
    ],
  },
  {
    id: 'an-think-first',
    rule: 'thinking enabled: the final assistant message (of the open tool loop) must start with a thinking block.',
    words:
      '``messages.{N}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{tool_use or text}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`` (host docs.anthropic.com before autumn 2025)',
    evidence: 'S',
    sources: [
      'https://github.com/Kilo-Org/kilocode/issues/5219',
      'https://github.com/lbjlaq/Antigravity-Manager/issues/139',
    ],
  },
  {
    id: 'an-think-modified',
    rule: 'thinking/redacted_thinking of the latest assistant message must be byte-identical (also not reordered/dropped partially).',
    words:
      '``messages.{N}.content.{K}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.``',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/63203'],
  },
  {
    id: 'an-think-signature',
    rule: 'signature must verify: it is valid only for the text, the model and the account that it was made for.',
    words:
      '``messages.{N}.content.{K}: Invalid `signature` in `thinking` block`` ; 2026 binding form adds ``. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header. The `system` prompt differs from the one this block was created with.``',
    evidence: 'S',
    sources: [
      'https://github.com/anthropics/claude-code/issues/10627',
      'https://github.com/anthropics/anthropic-sdk-python/issues/1598',
      'https://github.com/ding113/claude-code-hub/issues/518',
      'https://github.com/router-for-me/CLIProxyAPI/pull/570',
      'https://github.com/router-for-me/CLIProxyAPI/issues/1584',
      'https://github.com/anomalyco/opencode/issues/48637',
    ],
  },
  {
    id: 'an-think-data',
    rule: 'The data of redacted thinking must be as the provider returned it. Enforced only with `verify`, because strict servers return none.',
    words: '``messages.{N}.content.{K}: Invalid `data` in `redacted_thinking` block``',
    evidence: 'S',
    sources: ['https://github.com/anthropics/claude-code/issues/56708'],
  },
  {
    id: 'an-search-encrypted',
    rule: 'The encrypted content of a search result must be as the provider returned it. Enforced only with `verify`, because strict servers return none.',
    words: '``messages.{N}.content.{K}: Invalid `encrypted_content` in `search_result` block``',
    evidence: 'S',
    sources: ['https://github.com/code-yeongyu/senpi/pull/150'],
  },
  {
    id: 'an-think-sig-missing',
    rule: 'signature field required.',
    words: '`messages.{N}.content.{K}.thinking.signature: Field required`',
    evidence: 'S',
    sources: ['https://github.com/earendil-works/pi/pull/1523'],
  },
  {
    id: 'an-think-last',
    rule: 'If the last message is an assistant message, its last block cannot be thinking.',
    words: '``messages.{N}: The final block in an assistant message cannot be `thinking`.``',
    evidence: 'S',
    sources: ['https://github.com/router-for-me/CLIProxyAPI/issues/5321'],
  },
  {
    id: 'an-think-disabled',
    rule: 'thinking off: final assistant message may not contain thinking.',
    words:
      '``messages.{N}.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.``',
    evidence: 'S',
    sources: ['https://github.com/tailcallhq/forgecode/issues/1853'],
  },
  {
    id: 'an-OPEN-split',
    rule: 'Open question: results split over two consecutive user messages, `a[A,B] u[tr A] u[tr B]`. The docs say that consecutive user messages are combined; fixes in clients say that this is a 400 with the text of an-missing-result.',
    evidence: 'T',
    sources: ['https://github.com/OnesoftQwQ/opencode-go-copilot/pull/89'],
  },
  {
    id: 'an-order',
    rule: 'Order of tool_results among themselves: no rule found. Text after results is allowed.',
    evidence: 'D',
    sources: ['https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls'],
  },
]
