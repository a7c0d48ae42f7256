import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codecs } from '../../../codecs/index.ts'
import { replies } from '../../../codecs/shared/replies.ts'
import type { Finish, Reply } from '../../../codecs/shared/reply.ts'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'
import { isPrivateHost } from '../../../integrations/proxy/host-guard.ts'
import { isForeignOrigin } from '../../../integrations/proxy/origin-guard.ts'
import { createRouter, readUpstreams } from '../../../integrations/proxy/routes.ts'
import { cleanText, harmlessParameters, hideKeys } from '../../../observe/tape/clean-url.ts'
import type { ReplyContent, ScriptedReply, ScriptInput, StopReason, StrictRequest } from '../../../strict/index.ts'
import { isSecretHeader } from '../output/secret-headers.ts'
import { shorten } from '../plain.ts'
import { RecordingFile } from './recording-file.ts'

export interface Recorder {
  /** Writes the list without any reply. Called once the server listens. */
  begin(): void
  /** A script that asks the real API, and records its reply. */
  reply(input: ScriptInput, request: StrictRequest): Promise<ScriptedReply>
}

/** Records the replies of a real API as a script: a JSON list, complete after every reply. */
export function createRecorder(file: string, to: string): Recorder {
  const router = createRouter(readUpstreams(to))
  const path = resolve(file)
  if (existsSync(path)) throw fileError(file, 'the file exists already', 'choose another name for --record')
  if (!existsSync(dirname(path))) throw fileError(file, 'its folder does not exist', 'create the folder first')
  const recording = new RecordingFile(path, file)
  return {
    begin: () => recording.begin(),
    async reply(input, request) {
      // A strict server answers every page. Here a page would use the real API, and write to the recording.
      if (isForeignOrigin(request.headers, noOrigins) || !isPrivateHost(request.headers.host))
        throw new Error('a web page of another origin may not use the API')
      // Replies are kept in the order of the requests, also if a later one is answered first.
      const place = recording.reserve()
      const content = await ask(input, request, router)
      recording.set(place, withoutKeys(content, credentialsOf(request)))
      return content
    },
  }
}

const noOrigins: ReadonlySet<string> = new Set()

/** Asks for a whole answer, which the strict server streams if the client wants that. */
async function ask(
  input: ScriptInput,
  request: StrictRequest,
  router: ReturnType<typeof createRouter>,
): Promise<ReplyContent> {
  const named = `/${input.provider}/`
  const path = request.path.startsWith(named) ? request.path.slice(named.length - 1) : request.path
  const whole = path
    .replace(/(:|%3A)streamGenerateContent$/i, ':generateContent')
    .replace(/\/converse-stream$/, '/converse')
  const { alt: _, ...query } = request.query ?? {}
  const words = new URLSearchParams(query).toString()
  const route = router(words === '' ? whole : `${whole}?${words}`)
  if (typeof route === 'string') throw new Error('the path cannot be sent to the API')
  const body = withoutStream(request.body, input.api)
  const response = await fetch(route.upstream.origin + route.path, {
    ...{ method: 'POST', headers: headersOf(request), body: JSON.stringify(body) },
    // A redirect could carry the key to another host.
    ...{ redirect: 'error', signal: AbortSignal.timeout(timeoutMs) },
  }).catch(error => {
    throw new Error(`the API cannot be reached: ${cleanText(failureReason((error as Error).cause ?? error))}`)
  })
  const text = await textOf(response)
  if (response.status === 429) return { fail: 'rate-limit' }
  if (response.status >= 500) return { fail: 'overload' }
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${shorten(cleanText(text), 500)}`)
  return contentOf(input.api, tryParseJson(text))
}

const timeoutMs = 600_000

/** An answer may go on without end. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the answer.
    if (bytes > answerMax) throw new Error(`the API answered with more than ${answerMax / 2 ** 20} MB`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const answerMax = 64 * 2 ** 20

function withoutStream(body: unknown, api: ScriptInput['api']): unknown {
  // Ollama streams unless it is told not to.
  if (isRecord(body) && api === 'ollama') return { ...body, stream: false }
  if (!isRecord(body) || body.stream !== true) return body
  const { stream: _, stream_options: _options, ...rest } = body
  return rest
}

/** Without headers that describe the connection or the body: fetch sets its own. */
const headersOf = ({ headers }: StrictRequest): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(headers).filter(([name]) => !ownHeaders.test(name)),
    ['content-type', 'application/json'],
  ])

const ownHeaders =
  /^(host|connection|keep-alive|content-.{1,40}|transfer-encoding|accept|accept-encoding|te|upgrade|expect|x-strict-.{1,40})$/

/** The reply as a script has it. */
function contentOf(api: ScriptInput['api'], response: unknown): ReplyContent {
  const format = api === 'cohere-v1' || api === 'cohere-v2' ? undefined : api
  const reply = format && replies[format].read(response)
  if (!format || !reply) throw new Error(`the answer of the API cannot be recorded: it is not one of ${api}`)
  const parts = codecs[format].decode(reply.messages).messages.flatMap(message => message.parts)
  const text = parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('')
  const thinking = parts.flatMap(part => (part.kind === 'reasoning' ? [part.text] : [])).join('')
  const calls = parts.flatMap(part =>
    part.kind === 'call' && part.by === 'client'
      ? [{ name: part.name, input: inputOf(part.input), ...(part.id !== '' && { id: part.id }) }]
      : [],
  )
  const stop = stops[reply.finish]
  const usage = usageOf(reply)
  return {
    ...(text !== '' && { text }),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { calls }),
    ...(stop !== undefined && { stop }),
    ...(usage && { usage }),
  }
}

/** JSON text as its value, so that it can be read and edited; anything else as it came. */
function inputOf(input: unknown): unknown {
  const value = typeof input === 'string' ? tryParseJson(input) : input
  return isRecord(value) ? value : input
}

const stops: Readonly<Partial<Record<Finish, StopReason>>> = { length: 'length', refusal: 'refusal', pause: 'pause' }

function usageOf({ usage }: Reply): ReplyContent['usage'] | undefined {
  if (!isRecord(usage)) return undefined
  const count = (names: readonly string[]): number | undefined =>
    names.map(name => usage[name]).find((value): value is number => Number.isInteger(value) && Number(value) >= 0)
  const input = count(['prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokenCount', 'prompt_eval_count'])
  const written = count(['completion_tokens', 'output_tokens', 'outputTokens', 'candidatesTokenCount', 'eval_count'])
  // Only Gemini counts thinking apart.
  const thought = count(['thoughtsTokenCount'])
  const output = written === undefined ? thought : written + (thought ?? 0)
  if (input === undefined && output === undefined) return undefined
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) }
}

/** The credentials of the request. */
function credentialsOf({ headers, query = {} }: StrictRequest): string[] {
  const inHeaders = Object.keys(headers).filter(isSecretHeader)
  const inQuery = Object.keys(query).filter(name => !harmlessParameters.has(name))
  const values = [...inHeaders.map(name => headers[name]), ...inQuery.map(name => query[name])].filter(
    value => value !== undefined,
  )
  return values.flatMap(value => [value, value.replace(/^\w+\s+/, '')]).filter(value => value.length >= secretMin)
}

/** A shorter one would be found in ordinary words. */
const secretMin = 8

/** Every text without the keys of the request, and without anything that looks like a key. */
function withoutKeys(value: unknown, credentials: readonly string[]): unknown {
  if (typeof value === 'string')
    return hideKeys(credentials.reduce((text, one) => text.replaceAll(one, '[key]'), value))
  if (Array.isArray(value)) return value.map(item => withoutKeys(item, credentials))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [withoutKeys(name, credentials), withoutKeys(field, credentials)]),
  )
}
