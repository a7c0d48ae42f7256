import { at, conditionsIn, type Mutant, readSource, short } from './mutant.ts'

/** The files of the scans, and the formats that they scan. */
const files: Readonly<Record<string, readonly string[]>> = {
  'src/codecs/ag-ui/scan.ts': ['ag-ui'],
  'src/codecs/ai-sdk/scan.ts': ['ai-sdk'],
  'src/codecs/ai-sdk-ui/scan.ts': ['ai-sdk-ui'],
  'src/codecs/gemini/scan.ts': ['gemini'],
  'src/codecs/langchain/scan.ts': ['langchain'],
  'src/codecs/openai-chat/scan.ts': ['openai-chat'],
  'src/codecs/openai-responses/scan.ts': ['openai-responses'],
  'src/codecs/shared/block-scan.ts': ['anthropic', 'bedrock'],
  'src/codecs/shared/chat-scan.ts': ['ag-ui', 'langchain', 'ai-sdk'],
  'src/codecs/shared/scan.ts': ['openai-chat', 'anthropic', 'gemini', 'openai-responses', 'ai-sdk-ui', 'langchain'],
}

/** Each doubt of a scan dropped: it passes what it should leave to the full check. */
export const scanMutants: readonly Mutant[] = Object.entries(files).flatMap(([file, formats]) => {
  const source = readSource(file)
  return conditionsIn(source).flatMap(({ text, end }) => {
    const doubt = /^\)\s*return false\b/.exec(source.slice(end))?.[0]
    if (doubt === undefined) return []
    return {
      group: 'scans',
      name: `${file.split('/').slice(2).join('/')} passes: ${short(text)}`,
      file,
      change: at(end, doubt, ') {}'),
      killers: [...formats.map(format => `scan ${format}`), 'examples'],
    }
  })
})
