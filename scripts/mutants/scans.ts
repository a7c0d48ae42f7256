import { at, conditionsIn, distinct, type Mutant, readSource, short, swap } from './mutant.ts'

/** The files of the scans, and the formats that they scan. */
const files: Readonly<Record<string, readonly string[]>> = {
  'src/codecs/ag-ui/scan.ts': ['ag-ui'],
  'src/codecs/ai-sdk/scan.ts': ['ai-sdk'],
  'src/codecs/ai-sdk-ui/scan.ts': ['ai-sdk-ui'],
  'src/codecs/gemini/scan.ts': ['gemini'],
  'src/codecs/gemini-interactions/scan.ts': ['gemini-interactions'],
  'src/codecs/langchain/scan.ts': ['langchain'],
  'src/codecs/ollama/scan.ts': ['ollama'],
  'src/codecs/openai-chat/scan.ts': ['openai-chat'],
  'src/codecs/openai-responses/scan.ts': ['openai-responses'],
  'src/codecs/pydantic-ai/scan.ts': ['pydantic-ai'],
  'src/codecs/shared/block-scan.ts': ['anthropic', 'bedrock'],
  'src/codecs/shared/chat-scan.ts': ['ag-ui', 'langchain', 'ai-sdk'],
  'src/codecs/shared/scan.ts': ['openai-chat', 'anthropic', 'gemini', 'openai-responses', 'ai-sdk-ui', 'langchain'],
}

/**
 * Doubts that can be dropped and nothing is passed that has a diagnostic: another doubt follows, or they only leave to the
 * full check what it finds healthy. By the name of the mutant, with the reason.
 */
export const cautious: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['ag-ui', 'langchain', 'ollama', 'openai-chat'].map(format => [
      `${format}/scan.ts passes: this.#turns.last !== 'tool' && this.#turns.last !== 'assistant'`,
      'no other message is passed while a call is open, and a result only if its call is open',
    ]),
  ),
  "ag-ui/scan.ts passes: content !== undefined && content !== null && content !== '' && !this.…":
    'no history is known in which content beside calls is wrong and the message is passed',
  'ai-sdk/scan.ts passes: providerExecuted !== undefined && providerExecuted !== false':
    'anything but true is read as a call of the client',
  "ai-sdk/scan.ts passes: typeof toolCallId !== 'string' || providerIds.test(toolCallId)":
    'the calls that are open doubt other values than texts; an id of a provider is healthy',
  "ai-sdk-ui/scan.ts passes: type === 'text' && this.#hasCalled && textAfterCall !== 'accept'":
    'no history is known in which text after a call is wrong and passed',
  "gemini/scan.ts passes: index === 0 && this.#turns.last !== 'assistant'":
    'a result is passed only if its call is open',
  'gemini/scan.ts passes: !this.#isSettled':
    'the next message of the model, or the end, is doubted while a call is open',
  'gemini/scan.ts passes: this.#open === callsMax': 'it only bounds the work',
  'langchain/scan.ts passes: this.#facts.files && Array.isArray(content) && !content.every(this.#i…':
    'no history is known in which a file in a result is wrong and passed',
  'langchain/scan.ts passes: !isWholeBlock(block)': 'no history is known in which such a block is wrong and passed',
  "ollama/scan.ts passes: role !== 'assistant' && raw.tool_calls !== undefined && raw.tool_call…":
    'calls in a message of another role are ignored; calls of a wrong type are doubted before',
  "ollama/scan.ts passes: name !== undefined && (typeof name !== 'string' || !mayBeNamed(this.#…":
    'a result is passed only if a call of that name, or without a name any call, is open',
  "ollama/scan.ts passes: typeof id !== 'string' || id === ''":
    'a result is passed only if a call of that id, or without an id any call, is open',
  "ollama/scan.ts passes: this.#facts.missingReasoning === 'refuse' && typeof thinking !== 'str…":
    'no dialect that reads this format requires reasoning',
  "pydantic-ai/scan.ts passes: this.#turns.last !== 'assistant' && this.#turns.last !== 'tool'":
    'no other message is passed while a call is open, and a result only if its call is open',
  "pydantic-ai/scan.ts passes: last === 'tool-call'":
    'no history is known in which a part after a call is wrong and passed',
  "pydantic-ai/scan.ts passes: kind !== 'thinking' || last === 'text'":
    'no history is known in which thinking after a text, or a part of another kind, is wrong and passed',
  "pydantic-ai/scan.ts passes: kind !== 'user-prompt'": 'no history is known in which such a part is wrong and passed',
  'shared/block-scan.ts passes: !this.#calls.settled': 'the next message of the assistant, or the end, is doubted',
  'openai-chat/scan.ts passes: !this.#calls.settled':
    'a result after it, the next message of the assistant, or the end, is doubted',
}

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

/** Doubts that are not conditions of an `if`. */
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
  ['gemini-interactions', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['langchain', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['ollama', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['openai-chat', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['pydantic-ai', 'an open call at the end', 'this.#calls.settled && this.#turns.end()', 'this.#turns.end()'],
  ['openai-responses', 'an open call at the end', 'this.#calls.settled && !this.#leads', '!this.#leads'],
  ['openai-responses', 'reasoning at the end', '&& !this.#leads && this.#turns.end()', '&& this.#turns.end()'],
]

export const allDoubts: readonly Mutant[] = distinct(
  Object.entries(files).flatMap(([file, formats]) => droppedDoubts(file, formats)),
)

export const scanMutants: readonly Mutant[] = [
  ...allDoubts.filter(({ name }) => !Object.hasOwn(cautious, name)),
  ...others.map(([format, name, find, replace]) => {
    const file = `src/codecs/${format}/scan.ts`
    return {
      ...{ group: 'scans', name: `${nameOf(file)} passes: ${name}`, file, killers: killersOf([format]) },
      change: swap([find, replace]),
    }
  }),
]
