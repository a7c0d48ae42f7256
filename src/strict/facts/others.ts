import type { ProviderFact } from './fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'xa-content',
    rule: 'every message needs a content element (assistant with tool_calls and null content fails; `""` ok).',
    words: '`Invalid request content: Each message must have at least one content element.`',
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchain/issues/34140',
      'https://github.com/charmbracelet/crush/issues/964',
    ],
  },
  {
    id: 'xa-pairing',
    rule: 'orphan / missing results: no error text found.',
    evidence: 'I',
    sources: [],
  },
  {
    id: 'gq-unsupported',
    rule: 'unknown property on a message.',
    words:
      "`'messages.{N}' : for 'role:{role}' the following must be satisfied[('messages.{N}' : property '{p}' is unsupported)]` (until 2025 followed by `, did you mean '{q}'?`)",
    evidence: 'S',
    sources: [
      'https://github.com/ServiceStack/llms/issues/17',
      'https://github.com/odysseus-dev/odysseus/issues/200',
      'https://github.com/karthink/gptel/issues/774',
      'https://github.com/run-llama/llama_index/issues/14701',
    ],
  },
  {
    id: 'gq-pairing',
    rule: "Groq tolerates gaps in pairing per one client's note; no pairing error found.",
    evidence: 'T',
    sources: [],
  },
  {
    id: 'co-v1-empty',
    rule: 'v1: every history element needs a message, but for tool results; not seen for elements with calls.',
    words: '`invalid request: all elements in history must have a message.`',
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchain-cohere/pull/15',
      'https://github.com/microsoft/autogen/pull/3271',
      'https://docs.cohere.com/reference/errors',
    ],
  },
  {
    id: 'co-v1-user-after-tool',
    rule: 'v1: no user message right after a history that ends with tool results.',
    words: '`invalid request: cannot specify message if the last entry in chat history contains tool results`',
    evidence: 'S',
    sources: ['https://github.com/oracle/langchain-oracle/pull/9'],
  },
  {
    id: 'co-missing',
    rule: 'Command A (seen in v1, and v2): results required; Command R/R+ do not require them.',
    words:
      "`invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: `",
    evidence: 'S',
    sources: ['https://github.com/oracle/langchain-oracle/issues/10'],
  },
  {
    id: 'px-alternate',
    rule: 'Perplexity alternation.',
    words: '`After the (optional) system message(s), user and assistant roles should be alternating.`',
    evidence: 'S',
    sources: ['https://github.com/perplexityai/api-discussion/issues/265'],
  },
  {
    id: 'fw-extra',
    rule: 'Fireworks rejects unknown fields.',
    words:
      "`{k} request validation errors: Extra inputs are not permitted, field: '{path}', value: {v}; …` (a single one without the count)",
    evidence: 'S',
    sources: ['https://github.com/earendil-works/pi/issues/3854'],
  },
  {
    id: 'fw-template',
    rule: 'Hosted open models surface template texts (seen on a MiniMax host).',
    words:
      '`jinja template rendering failed. Message has tool role, but there was no previous assistant message with a tool call!`',
    evidence: 'T',
    sources: [],
  },
  {
    id: 'ort-wrap',
    rule: 'OpenRouter wraps the upstream body as string; mid-stream variant `{"error":{"message":"Minimax midstream error: invalid params, …","code":400,"metadata":{"provider_name":"Minimax"}},"user_id":…}`.',
    words: '`Provider returned error`',
    evidence: 'S',
    sources: [
      'https://github.com/router-for-me/CLIProxyAPI/issues/497',
      'https://github.com/MiniMax-AI/MiniMax-M2/issues/76',
      'https://github.com/reVrost/go-openrouter/pull/21',
      'https://github.com/iOfficeAI/AionUi/issues/2746',
    ],
  },
]
