import type { CodecId } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/index.ts'
import { judge } from '../../test/oracle/judge.ts'
import { readers as providers, refusal } from '../../test/strict/readers.ts'
import { isUnknowable } from '../../test/strict/unknowable.ts'

/** Who is to take a history: a strict provider, or, for a framework's shape, one that gets a plain translation of it. */
export interface Reader {
  dialect: DialectId
  format: CodecId
  model?: string
  /** Why it does not take this history; nothing if it does. */
  refuse(history: unknown[]): string | undefined
}

export function readersOf(format: CodecId): Reader[] {
  const own = providers.filter(provider => provider.format === format)
  if (own.length > 0)
    return own.map(provider => ({
      dialect: provider.dialect,
      format,
      model: provider.model,
      refuse(history) {
        if (history.length === 0) return 'there is no message'
        const refused = refusal(history, provider)
        return refused && !isUnknowable(refused) ? refused.message : undefined
      },
    }))
  return (behind[format] ?? []).map(dialect => ({
    dialect,
    format,
    refuse(history) {
      if (history.length === 0) return 'there is no message'
      return judge(history, format, dialect).find(({ pedantic }) => !pedantic)?.message
    },
  }))
}

/** The providers that a framework's history may be for, as far as its shape leaves nothing to the framework's own writing. */
const behind: Partial<Record<CodecId, DialectId[]>> = {
  langchain: ['openai', 'anthropic', 'mistral', 'qwen-template'],
  'ag-ui': ['openai', 'anthropic', 'mistral', 'qwen-template'],
  'pydantic-ai': ['openai', 'qwen-template'],
  'ai-sdk': ['openai', 'anthropic', 'qwen-template'],
  'ai-sdk-ui': ['openai', 'anthropic', 'qwen-template'],
}

/** The first reader that took the whole conversation and refuses what became of it; undefined if it harms none of them. */
export const offended = (readers: readonly Reader[], whole: unknown[], broken: unknown[]): Reader | undefined =>
  readers.find(reader => reader.refuse(whole) === undefined && reader.refuse(broken) !== undefined)
