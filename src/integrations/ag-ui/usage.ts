import type { TokenUsage } from '@ag-ui/core'
import { isRecord } from '../../core/conversation.ts'
import type { ResponseRecord } from '../../journal/entry.ts'

/**
 * The token usage of a response as AG-UI counts it: totals that include cached input and reasoning. For providers that count these
 * separately, they are added. Empty if nothing is known.
 */
export function tokenUsageOf({ usage, model, dialect, format }: ResponseRecord): TokenUsage[] {
  if (!isRecord(usage)) return []
  const read = counts[format] ?? plain
  const known = Object.entries(read(usage)).filter(([, count]) => count !== undefined)
  if (known.length === 0) return []
  const { inputTokens, outputTokens } = Object.fromEntries(known)
  return [
    {
      provider: dialect,
      ...(model === undefined ? {} : { model }),
      ...Object.fromEntries(known),
      ...(inputTokens === undefined || outputTokens === undefined ? {} : { totalTokens: inputTokens + outputTokens }),
    },
  ]
}

/** The usage of several responses, added up for each model. */
export function addUsage(usages: readonly TokenUsage[]): TokenUsage[] {
  const sums = new Map<string, TokenUsage>()
  for (const usage of usages) {
    const { provider, model } = usage
    const key = JSON.stringify([provider, model])
    sums.set(key, addCounts(sums.get(key) ?? {}, usage))
  }
  return [...sums.values()]
}

function addCounts(one: TokenUsage, other: TokenUsage): TokenUsage {
  const counts = Object.entries({ ...one, ...other }).map(([name, value]) => {
    const before = (one as Record<string, unknown>)[name]
    const more = (other as Record<string, unknown>)[name]
    return [name, typeof before === 'number' && typeof more === 'number' ? before + more : value]
  })
  return Object.fromEntries(counts)
}

type Counts = Partial<Record<keyof Omit<TokenUsage, 'provider' | 'model' | 'totalTokens'>, number | undefined>>
type Read = (usage: Record<string, unknown>) => Counts

const chat: Read = usage => ({
  inputTokens: count(usage.prompt_tokens),
  outputTokens: count(usage.completion_tokens),
  cachedInputTokens: count(within(usage.prompt_tokens_details).cached_tokens),
  reasoningTokens: count(within(usage.completion_tokens_details).reasoning_tokens),
})

const responses: Read = usage => ({
  inputTokens: count(usage.input_tokens),
  outputTokens: count(usage.output_tokens),
  cachedInputTokens: count(within(usage.input_tokens_details).cached_tokens),
  reasoningTokens: count(within(usage.output_tokens_details).reasoning_tokens),
})

const messages: Read = usage => {
  const cachedInputTokens = count(usage.cache_read_input_tokens)
  const cacheWriteInputTokens = count(usage.cache_creation_input_tokens)
  return {
    inputTokens: sum(count(usage.input_tokens), cachedInputTokens, cacheWriteInputTokens),
    outputTokens: count(usage.output_tokens),
    cachedInputTokens,
    cacheWriteInputTokens,
  }
}

const gemini: Read = usage => {
  const reasoningTokens = count(usage.thoughtsTokenCount)
  return {
    inputTokens: count(usage.promptTokenCount),
    outputTokens: sum(count(usage.candidatesTokenCount), reasoningTokens),
    cachedInputTokens: count(usage.cachedContentTokenCount),
    reasoningTokens,
  }
}

const interactions: Read = usage => {
  const reasoningTokens = count(usage.total_thought_tokens)
  return {
    inputTokens: count(usage.total_input_tokens),
    outputTokens: sum(count(usage.total_output_tokens), reasoningTokens),
    cachedInputTokens: count(usage.total_cached_tokens),
    reasoningTokens,
  }
}

const plain: Read = ({ inputTokens, outputTokens }) => ({
  inputTokens: count(inputTokens),
  outputTokens: count(outputTokens),
})

const counts: Readonly<Record<string, Read>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic: messages,
  gemini,
  'gemini-interactions': interactions,
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

const within = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const sum = (first: number | undefined, ...more: (number | undefined)[]): number | undefined =>
  first === undefined ? undefined : more.reduce<number>((total, next) => total + (next ?? 0), first)
