import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import type { Codec } from '../codec.ts'
import { hasWords } from '../shared/scan.ts'
import { withSystemField } from '../shared/system-field.ts'
import { withUnreadFields } from '../shared/unread-fields.ts'
import { assistant, decode } from './decode.ts'
import { encode } from './encode.ts'
import { fieldsOf, isAside, isFilled, roleOf, typeOf } from './form.ts'
import { langchainFormat } from './format.ts'
import { plain } from './plain.ts'
import { LangChainScan } from './scan.ts'

/** The messages of LangChain and LangGraph: objects of its classes, and every way in which they are written as JSON. */
export const langchain: Codec = {
  id: 'langchain',
  home: 'lenient',
  format: langchainFormat,
  asSent,
  scan: facts => new LangChainScan(facts),
  decode: withUnreadFields(decode, 'content', plainFields),
  encode,
  count(history, from, to) {
    let count = 0
    for (let index = from; index < to; index++) if (!isAside(history[index])) count++
    return count
  },
  plain,
  isAside,
  opensTurn: message => isRecord(message) && roleOf(typeOf(message)) === 'user' && isWords(fieldsOf(message).content),
  closesTurn: message => isRecord(message) && roleOf(typeOf(message)) === 'assistant' && isAnswer(fieldsOf(message)),
  callIds: message =>
    isRecord(message) && roleOf(typeOf(message)) === 'assistant'
      ? assistant(fieldsOf(message)).parts.flatMap(part => (part.kind === 'call' && part.id !== '' ? [part.id] : []))
      : [],
}

/**
 * LangChain sends the list of calls alone to most providers; to OpenAI also the list in its extra fields, and to Anthropic
 * the content. It moves only the first system messages into the field of Anthropic, and one into that of Gemini. Its package
 * for Anthropic leaves out blocks that it does not know and fails on images without a web address or data. Its package
 * for the Responses API sends the response items that a message was made from, and sends a result in standard blocks as
 * words of the assistant.
 */
function asSent(facts: Facts, dialect: string): Facts {
  if (dialect === 'lenient') return facts
  const named = { ...facts, names: facts.names ?? { lengthMax: Number.MAX_SAFE_INTEGER } }
  if (dialect === 'anthropic')
    return { ...withSystemField(named), sentCalls: ['tool_use'], sentCopies: true, sentBlocks, files: 'web' }
  const sent = {
    ...named,
    sentCalls: ['extras'],
    ...(dialect === 'openai-responses' && {
      sentFields: [outputPath, 'tool_outputs'],
      standardResults: 'unsent' as const,
    }),
  }
  return dialect === 'gemini' ? { ...withSystemField(sent), systems: 'one' } : sent
}

/** The fields of a message and its extra ones, which can have content too. */
function plainFields(raw: Fields): Fields {
  const { additional_kwargs: extras, contentBlocks: _, content_blocks: __, ...fields } = fieldsOf(raw)
  return { ...fields, ...asRecord(extras), [outputPath]: asRecord(fields.response_metadata).output }
}

const outputPath = 'response_metadata.output'

const sentBlocks =
  /^(text(_delta)?|image(_url)?|file|document|compaction|container_upload|(redacted_)?thinking|\w*(tool|search)_(use|result))$/

const isWords = (content: unknown): boolean => typeof content === 'string' && hasWords(content)

function isAnswer({ content, tool_calls: calls, invalid_tool_calls: invalid, additional_kwargs }: Fields): boolean {
  if (!isWords(content) || isFilled(calls) || isFilled(invalid)) return false
  const { tool_calls: raw, function_call: only } = asRecord(additional_kwargs)
  return !isFilled(raw) && !isRecord(only)
}
