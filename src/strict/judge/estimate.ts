import { isObject } from '../json.ts'

/**
 * Estimates how many tokens a value has: four characters per token in all of its strings. Inline media do not count. Real
 * tokenizers differ, by up to a third for prose and more for other languages.
 */
export const estimateTokens = (...values: unknown[]): number =>
  Math.ceil(values.reduce((sum: number, value) => sum + charsIn(value), 0) / charsPerToken)

const charsPerToken = 4

function charsIn(value: unknown, key = ''): number {
  if (typeof value === 'string') return isInline(value, key) ? 0 : value.length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charsIn(one, key), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => sum + charsIn(inner, name), 0)
}

const isInline = (text: string, key: string): boolean => text.startsWith('data:') || dataKeys.has(key)

const dataKeys = new Set(['data', 'bytes', 'file_data', 'signature', 'encrypted_content', 'thoughtSignature'])
