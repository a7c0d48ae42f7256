import type { RejectionEntry } from '../rejection.ts'

/** More tokens asked for than are left for an answer. */
export const outputRejections: readonly RejectionEntry[] = [
  {
    id: 'an-output-budget',
    kind: 'output-budget',
    provider: 'anthropic',
    status: 400,
    words: /input length and max_tokens exceed context limit: (?<used>[\d,]+) \+ (?<asked>[\d,]+) > (?<limit>[\d,]+)/,
    repair: 'output-budget',
    source: 'docker/docker-agent#569',
  },
  {
    id: 'oc-output-budget',
    kind: 'output-budget',
    provider: 'openai, deepseek, vllm',
    status: 400,
    words:
      /maximum context length is (?<limit>[\d,]+) tokens.{0,60}you requested [\d,]+ tokens \((?<used>[\d,]+) in (your prompt|the (messages|prompt|input))[,;] (and )?((?<over>[\d,]+) in the (functions|tools)[,;] (and )?)?(?<asked>[\d,]+) (in|for) the completion/s,
    repair: 'output-budget',
    source: 'evalstate/fast-agent#621',
  },
  {
    id: 'vl-output-budget',
    kind: 'output-budget',
    provider: 'vllm',
    status: 400,
    words:
      /You passed (?<used>[\d,]+) input tokens and requested (?<asked>[\d,]+) output tokens.{0,60}context length is only (?<limit>[\d,]+)/s,
    repair: 'output-budget',
    source: 'proxysoul/Empryo#52',
  },
  {
    id: 'vl-output-budget-old',
    kind: 'output-budget',
    provider: 'vllm',
    status: 400,
    words:
      /max_(completion_)?tokens is too large: (?<asked>[\d,]+)\. .{0,20}maximum context length is (?<limit>[\d,]+) tokens and your request has (?<used>[\d,]+) input tokens/s,
    repair: 'output-budget',
    source: 'vllm-project/vllm',
  },
  {
    id: 'sg-output-budget',
    kind: 'output-budget',
    provider: 'sglang',
    status: 400,
    words:
      /maximum context length of (?<limit>[\d,]+) tokens\. You requested a total of [\d,]+ tokens: (?<used>[\d,]+) tokens from the input messages and (?<asked>[\d,]+) tokens for the completion/,
    repair: 'output-budget',
    source: 'RooCodeInc/Roo-Code#6806',
  },
  {
    id: 'gq-output-cap',
    kind: 'output-budget',
    provider: 'groq',
    status: 400,
    words: /max_(completion_)?tokens must be less than or equal to (?<limit>[\d,]+)/,
    repair: 'output-cap',
    source: 'anomalyco/opencode#1000',
  },
  {
    id: 'an-output-cap',
    kind: 'output-budget',
    provider: 'anthropic',
    status: 400,
    words: /max_tokens: (?<asked>[\d,]+) > (?<limit>[\d,]+), which is the maximum allowed/,
    repair: 'output-cap',
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    id: 'oc-output-cap',
    kind: 'output-budget',
    provider: 'openai',
    status: 400,
    words:
      /max_(completion_)?tokens is too large: (?<asked>[\d,]+)\. This model supports at most (?<limit>[\d,]+) completion tokens/,
    repair: 'output-cap',
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    id: 'ds-output-cap',
    kind: 'output-budget',
    provider: 'deepseek',
    status: 400,
    words: /valid range of max_tokens is \[\d+, ?(?<limit>[\d,]+)\]/,
    repair: 'output-cap',
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
  },
  {
    id: 'br-output-cap',
    kind: 'output-budget',
    provider: 'bedrock',
    status: 400,
    words: /maximum tokens you requested exceeds the model limit of (?<limit>[\d,]+)/,
    repair: 'output-cap',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
  },
  {
    id: 'km-output-budget',
    kind: 'output-budget',
    provider: 'moonshot',
    status: 400,
    words: /model max length exceeded, max length: ?(?<limit>[\d,]+)/,
    repair: 'output-rest',
    source: 'MoonshotAI/MoonshotAI-Cookbook#18',
  },
]
