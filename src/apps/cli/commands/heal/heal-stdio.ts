import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { isRecord } from '../../../../core/conversation.ts'
import { AntiphonError } from '../../../../core/errors.ts'
import { parseExactly } from '../../../../core/json/exact-json.ts'
import { repair } from '../../../../heal/heal.ts'
import type { HealOptions } from '../../../../heal/options.ts'
import { readableNumbers } from '../../../../heal/readable-numbers.ts'
import { healRequest } from '../../../../heal/request/heal-request.ts'
import { errorJson } from '../../error-line.ts'
import { dialectNamed } from '../../for-name.ts'
import { linesOf } from '../../input/open-input.ts'

/**
 * Heals one request a line until standard input ends, for programs in other languages. A line that cannot be healed gets an answer
 * with an error, and the next one is read.
 */
export async function healStdio(options: HealOptions): Promise<void> {
  for await (const { bytes } of linesOf(process.stdin)) {
    const answer = answerTo(bytes, options)
    if (answer !== undefined && !process.stdout.write(`${answer}\n`)) await once(process.stdout, 'drain')
  }
}

/** Undefined for an empty line. */
function answerTo(bytes: Buffer, options: HealOptions): string | undefined {
  let id: unknown
  try {
    const line = bytes.toString('utf8').trim()
    if (line === '') return undefined
    const asked = parseExactly(line)
    if (!isRecord(asked)) throw wrongLine('it is not an object')
    id = asked.id
    // Its characters would be replaced, and the caller would not see it.
    if (!isUtf8(bytes)) throw wrongLine('it is not UTF-8')
    if (asked.body === undefined) throw wrongLine('it has no body')
    const chosen = { ...options, ...optionsIn(asked) }
    const given = readableNumbers(asked.body, one => healed(one, chosen))
    const { body, changed, repairs, remaining } = healed(given, chosen)
    return written(id, { body: changed ? body : asked.body, changed, repairs: repairs.map(withoutEdits), remaining })
  } catch (error) {
    const known = error instanceof SyntaxError ? wrongLine('it is not JSON') : error
    return writtenError(id, errorJson(known))
  }
}

/** Throws for values that are nested too deeply to be written. */
const written = (id: unknown, answer: object): string =>
  JSON.stringify({ ...(id === undefined ? {} : { id }), ...answer })

/** The id itself may be nested too deeply. */
function writtenError(id: unknown, error: object): string {
  try {
    return written(id, error)
  } catch {
    return written(undefined, error)
  }
}

/** A list is a history; anything else is the body of a request. */
function healed(body: unknown, options: HealOptions): ReturnType<typeof healRequest> {
  if (!Array.isArray(body)) return healRequest(body, options)
  const { messages, ...report } = repair(body, options)
  return { body: messages, ...report }
}

/** What a line says about itself, before what the command line says. */
function optionsIn({ for: provider, format, model }: Readonly<Record<string, unknown>>): HealOptions {
  const { dialect = provider, model: named } = (typeof provider === 'string' && dialectNamed(provider)) || {}
  return {
    ...(typeof dialect === 'string' ? { for: dialect } : {}),
    ...(typeof format === 'string' ? { format } : {}),
    ...(typeof model === 'string' ? { model } : named === undefined ? {} : { model: named }),
  } as HealOptions
}

/** The repaired body shows the edits. */
const withoutEdits = ({ edits: _, ...repaired }: { readonly edits: unknown }): object => repaired

const wrongLine = (reason: string): AntiphonError =>
  new AntiphonError('not-json', `a line cannot be read: ${reason}`, {
    hint: 'write one JSON object per line: {"id": 1, "body": [...], "for": "openai"}',
  })
