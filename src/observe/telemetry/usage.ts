import { isRecord } from '../../core/conversation.ts'
import type { Attributes } from './api.ts'

/** The token usage of a response, as far as its provider reports it. `input` includes cached input. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheCreation?: number
  readonly reasoning?: number
}

export function readUsage(raw: unknown): Usage {
  if (!isRecord(raw)) return {}
  const usage = isRecord(raw.tokens) ? raw.tokens : raw
  // Some providers do not include cached tokens in the input count, nor reasoning tokens in the output count.
  const read = find(usage, separateReads)
  const creation = find(usage, separateCreations)
  const reasoning = find(usage, separateReasoning)
  return definedCounts({
    input: find(usage, wholeInputs) ?? sum(find(usage, inputs), read, creation, find(usage, toolInputs)),
    output: sum(find(usage, outputs), reasoning),
    cacheRead: read ?? find(usage, includedReads),
    cacheCreation: creation ?? find(usage, includedCreations),
    reasoning: reasoning ?? find(usage, includedReasoning),
  })
}

export const usageAttributes = ({ input, output, cacheRead, cacheCreation, reasoning }: Usage): Attributes => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  'gen_ai.usage.cache_read.input_tokens': cacheRead,
  'gen_ai.usage.cache_creation.input_tokens': cacheCreation,
  'gen_ai.usage.reasoning.output_tokens': reasoning,
})

export const addUsage = (one: Usage, other: Usage): Usage =>
  definedCounts({
    input: sum(one.input, other.input),
    output: sum(one.output, other.output),
    cacheRead: sum(one.cacheRead, other.cacheRead),
    cacheCreation: sum(one.cacheCreation, other.cacheCreation),
    reasoning: sum(one.reasoning, other.reasoning),
  })

type Paths = readonly (readonly string[])[]

const paths = (...all: string[]): Paths => all.map(path => path.split('.'))

/** These counts always include cached input. */
const wholeInputs = paths('prompt_tokens', 'promptTokens')
const inputs = paths('input_tokens', 'inputTokens', 'inputTokens.total', 'promptTokenCount')
const toolInputs = paths('toolUsePromptTokenCount')
const outputs = paths(
  ...['output_tokens', 'completion_tokens', 'outputTokens', 'outputTokens.total', 'completionTokens'],
  'candidatesTokenCount',
)
const separateReads = paths('cache_read_input_tokens', 'cacheReadInputTokens')
const separateCreations = paths('cache_creation_input_tokens', 'cacheWriteInputTokens')
const separateReasoning = paths('thoughtsTokenCount')
const includedReads = paths(
  ...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'input_token_details.cache_read'],
  ...['inputTokenDetails.cacheReadTokens', 'inputTokens.cacheRead', 'cachedInputTokens', 'cachedContentTokenCount'],
)
const includedCreations = paths(
  ...['input_token_details.cache_creation', 'inputTokenDetails.cacheWriteTokens', 'inputTokens.cacheWrite'],
)
const includedReasoning = paths(
  ...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
  ...['output_token_details.reasoning', 'outputTokenDetails.reasoningTokens', 'outputTokens.reasoning'],
  'reasoningTokens',
)

/** The first candidate that is a number. */
function find(usage: Record<string, unknown>, candidates: Paths): number | undefined {
  for (const path of candidates) {
    let found: unknown = usage
    for (const key of path) found = isRecord(found) ? found[key] : undefined
    if (typeof found === 'number' && Number.isFinite(found)) return found
  }
  return undefined
}

/** Undefined if all counts are. */
function sum(...counts: (number | undefined)[]): number | undefined {
  let total: number | undefined
  for (const count of counts) if (count !== undefined) total = (total ?? 0) + count
  return total
}

function definedCounts(usage: { [Key in keyof Usage]: number | undefined }): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}
