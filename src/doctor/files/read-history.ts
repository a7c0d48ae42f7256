import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { detectFormat } from '../../heal/detect.ts'
import { identifyLibrary } from '../../heal/identify-library.ts'
import { type HealOptions, type HealPlan, planFor, unknownFormat } from '../../heal/options.ts'
import { ConversationNames, severalConversations } from '../backup/proof.ts'
import { fileError } from './file-error.ts'
import { type Input, readInput } from './input.ts'
import { mostAreMessages } from './most-are-messages.ts'
import type { Parse } from './parse-json.ts'

/** A history from a file, and the options that were decided for it. */
export interface ReadHistory {
  readonly input: Input
  readonly history: readonly unknown[]
  readonly options: HealOptions
  readonly plan: HealPlan
}

/** Reads a file, or standard input for `-`. Throws a one-line error if it is not a history in a known format. */
export async function readHistory(file: string, chosen: HealOptions, parse?: Parse): Promise<ReadHistory> {
  return historyIn(await readInput(file, parse), chosen)
}

/** The same for text that was already read. */
export function historyIn(input: Input, chosen: HealOptions): ReadHistory {
  if (input.kind === 'lines' && chosen.format === undefined && !mostAreMessages(input.history))
    throw othersSession(input)
  if (chosen.format === undefined) mustBeOneConversation(input)
  const options = optionsFor(input, chosen)
  const plan = planFor(input.history, options)
  if (plan.unreadable !== undefined) {
    if (input.kind === 'lines' && chosen.format === undefined && programReadByDoctor(input.history) !== undefined)
      throw othersSession(input)
    if (plan.unreadable === unknownFormat)
      throw fileError(input.name, 'its messages are not in a known format', knownFormats)
    const isUnfit = (codecs[plan.codec.id as CodecId] as Codec).acceptedBy?.includes(plan.dialect.id) === false
    throw fileError(
      input.name,
      plan.unreadable,
      isUnfit ? 'for any other provider, convert the history first' : knownFormats,
    )
  }
  return { input, history: input.history, options, plan }
}

function mustBeOneConversation({ name, history }: Input): void {
  const names = new ConversationNames()
  for (const message of history) names.push(message)
  if (names.alternating !== undefined)
    throw fileError(
      name,
      severalConversations(names.alternating),
      'split it by that field, or name the format with --format if it is one history',
    )
}

/** Whether the lines of a file are the session of a program that is known. */
export const isKnownSession = (records: readonly unknown[]): boolean =>
  programReadByDoctor(records) !== undefined || identifyLibrary(records) !== undefined

function programReadByDoctor(records: readonly unknown[]): string | undefined {
  const first = records.slice(0, recordsMax)
  const known = readByDoctor.find(([, isOne]) => first.some(one => isRecord(one) && isOne(one)))
  if (known) return known[0]
  const library = identifyLibrary(records)
  return library !== undefined && linesReadByDoctor.has(library) ? library : undefined
}

/** Recommends the doctor only for sessions of a program that the doctor can read. */
function othersSession({ name, history }: Input): Error {
  const read = programReadByDoctor(history)
  if (read !== undefined)
    return fileError(name, `it is a session of ${read}`, 'antiphon doctor and antiphon view read it')
  const program = identifyLibrary(history)
  return program === undefined
    ? fileError(
        name,
        'most of its lines are not messages',
        'antiphon doctor --help lists the programs whose sessions it reads',
      )
    : fileError(
        name,
        `it looks like a session of ${program}, which is not supported in this form`,
        'antiphon proxy repairs the requests that the program sends',
      )
}

/** Programs that `identifyLibrary` knows, and whose files of lines the doctor reads. OpenClaw writes the format of pi. */
const linesReadByDoctor: ReadonlySet<string> = new Set(['pi', 'kimi-cli', 'Gemini CLI', 'Qwen Code', 'Copilot CLI'])

const readByDoctor: readonly (readonly [string, (record: Readonly<Record<string, unknown>>) => boolean])[] = [
  ['Claude Code', ({ uuid, isSidechain }) => typeof uuid === 'string' && typeof isSidechain === 'boolean'],
  ['Codex', ({ type, payload }) => isRecord(payload) && (type === 'session_meta' || type === 'response_item')],
  ['Agent Framework', ({ role, contents }) => role !== undefined && Array.isArray(contents)],
]

const recordsMax = 50

const knownFormats = `known formats: ${Object.keys(codecs).join(', ')}; name one with --format`

/** The caller's options, completed from the request body. */
function optionsFor({ history, model, continues, formatHint, for: dialect }: Input, chosen: HealOptions): HealOptions {
  const plain = planFor(history, chosen).codec.id
  const hinted = chosen.format === undefined && formatHint !== undefined ? detectFormat(history, formatHint) : undefined
  return {
    ...(dialect === undefined ? {} : { for: dialect }),
    ...(model === undefined ? {} : { model }),
    ...(continues === undefined ? {} : { continues }),
    ...(hinted === undefined || hinted === plain ? {} : { format: hinted }),
    ...chosen,
  }
}
