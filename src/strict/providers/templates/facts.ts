import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'tp-system-first',
    rule: 'system only at index 0 (one only).',
    words: '`System message must be at the beginning.`',
    evidence: 'S',
    sources: ['https://github.com/ggml-org/llama.cpp/issues/20733', 'https://github.com/moltis-org/moltis/issues/317'],
  },
  {
    id: 'tp-no-user',
    rule: '≥1 real user query (user text that is not wrapped in `<tool_response>`).',
    words: '`No user query found in messages.`',
    evidence: 'S',
    sources: ['https://github.com/anomalyco/opencode/issues/47367'],
  },
  {
    id: 'tp-no-messages',
    rule: 'at least one message.',
    words: '`No messages provided.`',
    evidence: 'C',
    sources: ['https://huggingface.co/Qwen/Qwen3.5-27B/blob/main/chat_template.jinja'],
  },
  {
    id: 'tp-role',
    rule: 'unknown role.',
    words: '`Unexpected message role.`',
    evidence: 'C',
    sources: ['https://huggingface.co/Qwen/Qwen3.5-27B/blob/main/chat_template.jinja'],
  },
  {
    id: 'tp-alt-gemma',
    rule: 'alternation.',
    words: '`Conversation roles must alternate user/assistant/user/assistant/...`',
    evidence: 'S',
    sources: ['https://github.com/nextai-translator/raycast-openai-translator/issues/34'],
  },
  {
    id: 'tp-alt-mistral-old',
    rule: 'alternation after optional system (tool turns skipped in v3 templates).',
    words: '`After the optional system message, conversation roles must alternate user/assistant/user/assistant/...`',
    evidence: 'S',
    sources: ['https://github.com/vllm-project/vllm/issues/6862', 'https://github.com/nomic-ai/gpt4all/issues/3255'],
  },
  {
    id: 'tp-alt-mistral-new',
    rule: 'user and call-free assistant must alternate; tool messages and assistants with calls are not counted. So `u a[A] t(A) u` FAILS (two users in a row in the counted list; derived from the template code).',
    words:
      '`After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.`',
    evidence: 'S',
    sources: ['https://github.com/mistralai/mistral-vibe/issues/1006'],
  },
  {
    id: 'tp-id9',
    rule: 'call id length 9.',
    words: '`Tool call IDs should be alphanumeric strings with length 9!`',
    evidence: 'C',
    sources: ['https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/139'],
  },
  {
    id: 'tp-roles-only',
    rule: 'only user/assistant (and first system).',
    words:
      '`Only user and assistant roles are supported, with the exception of an initial optional system message!` ; `Only user and assistant roles are supported!`',
    evidence: 'S',
    sources: ['https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/139'],
  },
  {
    id: 'tp-roles-new',
    rule: 'only user, assistant and tool (and first system), in the templates of Devstral 2 and Ministral 3.',
    words: '`Only user, assistant and tool roles are supported, got {role}.`',
    evidence: 'C',
    sources: [],
  },
  {
    id: 'tp-single-call',
    rule: 'one call per assistant message.',
    words: '`This model only supports single tool-calls at once!`',
    evidence: 'C',
    sources: ['https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct'],
  },
  {
    id: 'tp-tools-first-user',
    rule: 'tools need a first user message.',
    words: "`Cannot put tools in the first user message when there's no first user message!`",
    evidence: 'C',
    sources: ['https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct'],
  },
  {
    id: 'tp-gptoss-orphan',
    rule: 'tool without earlier call.',
    words: '`Message has tool role, but there was no previous assistant message with a tool call!`',
    evidence: 'C',
    sources: ['https://github.com/ggml-org/llama.cpp/issues/15789'],
  },
  {
    id: 'vl-args',
    rule: 'vLLM parses the arguments of replayed calls; text that is not JSON is rejected with the message of the Python parser.',
    words: "`Expecting ',' delimiter: line 1 column {N} (char {N-1})`",
    evidence: 'S',
    sources: [],
  },
]
