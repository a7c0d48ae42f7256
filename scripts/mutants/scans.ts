import { at, conditionsIn, type Mutant, readSource, short, swap } from './mutant.ts'

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

/** CAUTIOUS */
export const cautious: Readonly<Record<string, string>> = {}

/** Each doubt of a scan dropped: it passes what it should leave to the full check. */
const droppedDoubts = (file: string, formats: readonly string[]): readonly Mutant[] => {
  const source = readSource(file)
  return conditionsIn(source).flatMap(({ text, end }) => {
    const doubt = /^\)\s*return false\b/.exec(source.slice(end))?.[0]
    if (doubt === undefined) return []
    return {
      ...{ group: 'scans', name: `${nameOf(file)} passes: ${short(text)}`, file, killers: killersOf(formats) },
      change: at(end, doubt, ') {}'),
    }
  })
}

const nameOf = (file: string): string => file.split('/').slice(2).join('/')
const killersOf = (formats: readonly string[]): readonly string[] => [
  ...formats.map(format => `scan ${format}`),
  'examples',
]

/** Doubts that are no condition of an `if`. */
const others: readonly (readonly [format: string, name: string, find: string, replace: string])[] = [
  ['anthropic', 'unsigned thinking', "isPresent(signature) ? 'thinking' : undefined", "'thinking'"],
  ['anthropic', 'redacted thinking without data', "isPresent(data) ? 'thinking' : undefined", "'thinking'"],
  ['anthropic', 'an empty result that is an error', '.is_error === true', '.is_error === 0'],
  ['bedrock', 'a call of the server', "toolUse.type === undefined ? 'call' : undefined", "'call'"],
  ['bedrock', 'a result in another form', ' && isResultContent(toolResult.content)', ''],
  ['bedrock', 'unsigned reasoning', "isSigned(reasoningContent) ? 'thinking' : undefined", "'thinking'"],
  ['bedrock', 'content that is a text', "typeof asRecord(message).content !== 'string' && ", ''],
  ['ag-ui', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['ai-sdk', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['gemini', 'an open call at the end', 'this.#isSettled && this.#turns.end()', 'this.#turns.end()'],
  ['langchain', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['openai-chat', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['openai-responses', 'an open call at the end', 'this.#calls.settled && !this.#leads', '!this.#leads'],
  ['openai-responses', 'reasoning at the end', '&& !this.#leads && this.#turns.end()', '&& this.#turns.end()'],
]

export const scanMutants: readonly Mutant[] = [
  ...Object.entries(files)
    .flatMap(([file, formats]) => droppedDoubts(file, formats))
    .filter(({ name }) => !Object.hasOwn(cautious, name)),
  ...others.map(([format, name, find, replace]) => {
    const file = `src/codecs/${format}/scan.ts`
    return {
      ...{ group: 'scans', name: `${nameOf(file)} passes: ${name}`, file, killers: killersOf([format]) },
      change: swap([find, replace]),
    }
  }),
]
