import { describe, expect, test } from 'vitest'
import { run } from '../../bench/tasks/score/codec.ts'
import type { CodecId } from '../../src/codecs/index.ts'
import { sampleOf } from '../sample.ts'

/**
 * Not those in which a corruption may leave what cannot be told: a result without an id and with the name of another tool (Pydantic AI,
 * Ollama), or a system message, which the API does not have (Gemini Interactions).
 */
const formats: readonly CodecId[] = [
  ...(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock'] as const),
  ...(['ai-sdk', 'ai-sdk-ui', 'langchain', 'ag-ui'] as const),
]

describe('the score of formats', () => {
  test.each(sampleOf(formats, 3, 'score'))(
    '%s: histories with each class of defect are healed with nothing lost',
    async format => {
      const score = await run(format, { quick: true })
      expect(Object.keys(score.classes).length).toBeGreaterThan(50)
      const tallies = [score.corpus, ...Object.values(score.classes).flatMap(({ alone, company }) => [alone, company])]
      expect(tallies.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(90)
      expect(tallies.flatMap(({ failures }) => Object.values(failures))).toEqual([])
    },
  )
})
