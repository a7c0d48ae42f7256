import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { type CodecId, codecs } from '../../../src/codecs/index.ts'

const root = join(import.meta.dirname, '../../..')

/**
 * What a bundle for a browser weighs at most, in bytes, minified and gzipped. The aims are lower (30,000 for a format and
 * 70,000 for all, see docs/decisions/0013-one-codec-alone.md): these keep bundles from growing unnoticed.
 */
const everythingMax = 111_500
const formatMax: Readonly<Record<CodecId, number>> = {
  'openai-chat': 31_600,
  'openai-responses': 33_300,
  anthropic: 33_300,
  gemini: 32_100,
  bedrock: 34_300,
  'ai-sdk': 29_900,
  'ai-sdk-ui': 29_400,
  langchain: 33_400,
  'ag-ui': 28_000,
  ollama: 30_400,
  'pydantic-ai': 27_500,
  'gemini-interactions': 31_500,
}

test('the bundle of a single format does not grow', { timeout: 60_000 }, async () => {
  expect(Object.keys(formatMax).sort()).toEqual(Object.keys(codecs).sort())
  for (const [format, max] of Object.entries(formatMax))
    expect(await weigh(`src/heal/formats/${format}.ts`), format).toBeLessThanOrEqual(max)
})

test('the bundle of the main entry point does not grow', { timeout: 60_000 }, async () => {
  expect(await weigh('src/index.ts')).toBeLessThanOrEqual(everythingMax)
})

async function weigh(input: string): Promise<number> {
  const bundle = await rolldown({ input: join(root, input), cwd: root, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  return gzipSync(output[0].code, { level: 9 }).length
}
