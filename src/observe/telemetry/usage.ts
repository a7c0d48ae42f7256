import { isRecord } from '../../core/conversation.ts'
import type { Attributes } from './api.ts'

/** What a response cost, as far as its provider says: all input, also what was cached of it, and all output. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheCreation?: number
  readonly reasoning?: number
}

export function usageOf(raw: unknown): Usage {
  if (!isRecord(raw)) return {}
  const usage = isRecord(raw.tokens) ? raw.tokens : raw
  // Some providers count what was cached beside the input and not in it, and thoughts beside the output.
  const read = find(usage, readsBeside)
  const creation = find(usage, creationsBeside)
  const thoughts = find(usage, thoughtsBeside)
  return known({
    input: find(usage, wholeInputs) ?? sum(find(usage, inputs), read, creation, find(usage, toolInputs)),
    output: sum(find(usage, outputs), thoughts),
    cacheRead: read ?? find(usage, reads),
    cacheCreation: creation ?? find(usage, creations),
    reasoning: thoughts ?? find(usage, thinking),
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
  known({
    input: sum(one.input, other.input),
    output: sum(one.output, other.output),
    cacheRead: sum(one.cacheRead, other.cacheRead),
    cacheCreation: sum(one.cacheCreation, other.cacheCreation),
    reasoning: sum(one.reasoning, other.reasoning),
  })

type Paths = readonly (readonly string[])[]

const paths = (...all: string[]): Paths => all.map(path => path.split('.'))

/** Who says it in these words counts all of it, whatever else stands there. */
const wholeInputs = paths('prompt_tokens', 'promptTokens')
const inputs = paths('input_tokens', 'inputTokens', 'inputTokens.total', 'promptTokenCount')
const toolInputs = paths('toolUsePromptTokenCount')
const outputs = paths(
  ...['output_tokens', 'completion_tokens', 'outputTokens', 'outputTokens.total', 'completionTokens'],
  'candidatesTokenCount',
)
const readsBeside = paths('cache_read_input_tokens', 'cacheReadInputTokens')
const creationsBeside = paths('cache_creation_input_tokens', 'cacheWriteInputTokens')
const thoughtsBeside = paths('thoughtsTokenCount')
const reads = paths(
  ...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'input_token_details.cache_read'],
  ...['inputTokenDetails.cacheReadTokens', 'inputTokens.cacheRead', 'cachedInputTokens', 'cachedContentTokenCount'],
)
const creations = paths(
  ...['input_token_details.cache_creation', 'inputTokenDetails.cacheWriteTokens', 'inputTokens.cacheWrite'],
)
const thinking = paths(
  ...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
  ...['output_token_details.reasoning', 'outputTokenDetails.reasoningTokens', 'outputTokens.reasoning'],
  'reasoningTokens',
)

/** The first of these that is a number. */
function find(usage: Record<string, unknown>, candidates: Paths): number | undefined {
  for (const path of candidates) {
    let found: unknown = usage
    for (const key of path) found = isRecord(found) ? found[key] : undefined
    if (typeof found === 'number' && Number.isFinite(found)) return found
  }
  return undefined
}

/** Undefined if nothing is known. */
function sum(...counts: (number | undefined)[]): number | undefined {
  let total: number | undefined
  for (const count of counts) if (count !== undefined) total = (total ?? 0) + count
  return total
}

function known(usage: { [Key in keyof Usage]: number | undefined }): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}
