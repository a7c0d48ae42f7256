import type { CodecId } from '../../../src/codecs/index.ts'
import {
  check,
  convert,
  createHealer,
  cutPoints,
  detect,
  type HealOptions,
  healRequest,
  repair,
  trim,
} from '../../../src/index.ts'

/** What is done with a history, each in the time that the history is long. */
export const works = {
  repair,
  check,
  request: (history, options) =>
    healRequest({ model: 'some-model', [rootOf(options.format as CodecId)]: history, tools: [] }, options),
  trim(history, options) {
    trim(history, { ...options, maxMessages: Math.max(1, history.length >> 1) })
    trim(history, { ...options, maxTokens: Math.max(1, history.length) })
    trim(history, { ...options, maxTokens: Math.max(1, history.length), results: 'clear' })
    return cutPoints(history, options)
  },
  convert(history, { format, for: _, ...options }) {
    const from = format ?? detect(history) ?? 'openai-chat'
    for (const to of targets) convert(history, { ...options, from, to })
  },
  /** One message after the other. It is read a few times on the way, since a reading is as long as what is read. */
  healer(history, { format, ...options }) {
    for (const known of format === undefined ? [{}] : [{}, { format }]) {
      const healer = createHealer({ ...options, ...known })
      for (const [at, message] of history.entries()) {
        healer.push(message)
        if (at === history.length >> 1 || at === history.length - 2) healer.history.at(-1)
      }
      healer.history.at(-1)
    }
  },
} satisfies Record<string, (history: unknown[], options: HealOptions) => unknown>

export type Work = keyof typeof works

const targets = ['openai-chat', 'anthropic', 'openai-responses', 'gemini'] as const

/** The field of a request that has its history. */
export const rootOf = (format: CodecId): string =>
  format === 'openai-responses' ? 'input' : format === 'gemini' ? 'contents' : 'messages'
