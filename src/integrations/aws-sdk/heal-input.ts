import type { CodecId } from '../../codecs/index.ts'
import { type Fields, isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Report } from '../../core/report.ts'
import { detectFormat } from '../../heal/detect.ts'
import { healRejectedAfterHealing } from '../../heal/rejections/heal-rejected.ts'
import { healLearnt, type LessonsByModel, lessonsFor } from '../../heal/rejections/lessons.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { healRequest, type RequestOptions } from '../../heal/request/heal-request.ts'
import type { Endpoint } from '../fetch/endpoint.ts'
import { healRequestText } from '../fetch/heal-request-text.ts'

/** The input of a command after healing: the same object if nothing changed. */
export interface HealedInput extends Report {
  readonly input: object
  readonly dialect: DialectId
  readonly format: CodecId
  readonly model: string | undefined
}

/** The rejection of an earlier attempt, and what earlier rejections taught. */
export interface AfterRejection {
  readonly rejection?: Rejection | undefined
  readonly lessons?: LessonsByModel | undefined
}

type HealCommand = (input: Fields, options: RequestOptions, after: AfterRejection) => HealedInput | undefined

/** Heals the input of a command. Undefined if it contains no history. */
export function healInput(
  command: string,
  input: object,
  options: RequestOptions,
  after: AfterRejection = {},
): HealedInput | undefined {
  const { modelId } = input as Fields
  const model = options.model ?? (typeof modelId === 'string' ? modelId : undefined)
  return commands[command]?.(input as Fields, model === undefined ? options : { ...options, model }, after)
}

const commands: Readonly<Record<string, HealCommand | undefined>> = Object.assign(Object.create(null), {
  ConverseCommand: healConverse,
  ConverseStreamCommand: healConverse,
  InvokeModelCommand: healInvoke,
  InvokeModelWithResponseStreamCommand: healInvoke,
  CountTokensCommand: healCount,
} satisfies Record<string, HealCommand>)

function healConverse(
  input: Fields,
  options: RequestOptions,
  { rejection, lessons }: AfterRejection,
): HealedInput | undefined {
  if (!Array.isArray(input.messages)) return undefined
  const choices = { ...options, for: 'bedrock', format: 'bedrock' } as const
  const taught = lessonsFor(lessons, options.model, input)
  const learnt = taught && healLearnt(input, taught, choices)
  const known = learnt?.body ?? input
  const { body, ...last } = rejection
    ? healRejectedAfterHealing(known, rejection, choices)
    : healRequest(known, choices)
  const report = learnt?.changed
    ? {
        changed: true,
        repairs: [...learnt.repairs, ...last.repairs],
        remaining: [...learnt.remaining, ...last.remaining],
      }
    : last
  // A history in another format looks like unknown blocks only. It is left alone.
  if (report.changed && detectFormat(input.messages, 'bedrock') !== 'bedrock') return undefined
  return { ...report, input: body, dialect: 'bedrock', format: 'bedrock', model: options.model }
}

/** The body is the provider's own request as text or bytes. Only requests to Claude models are known to contain a history. */
function healInvoke(input: Fields, options: RequestOptions, known: AfterRejection): HealedInput | undefined {
  const text = textOf(input.body)
  if (text === undefined || !isOfAnthropic(text, options.model)) return undefined
  const endpoint: Endpoint = { url: nowhere, format: 'anthropic', model: options.model, owner: 'anthropic' }
  const healed = healRequestText(text, endpoint, { ...options, for: 'anthropic' }, { ...known, namesStay: true })
  if (!healed) return undefined
  const { text: after, ...report } = healed
  if (!report.changed) return { ...report, input, format: 'anthropic' }
  const body = typeof input.body === 'string' ? after : new TextEncoder().encode(after)
  return { ...report, input: { ...input, body }, format: 'anthropic' }
}

/** The input of CountTokens contains a request of one of the two kinds. */
function healCount(input: Fields, options: RequestOptions, after: AfterRejection): HealedInput | undefined {
  const inner = input.input
  if (!isRecord(inner)) return undefined
  for (const [member, heal] of Object.entries({ converse: healConverse, invokeModel: healInvoke })) {
    const within = inner[member]
    const done = isRecord(within) ? heal(within, options, after) : undefined
    if (done) return { ...done, input: done.changed ? { ...input, input: { ...inner, [member]: done.input } } : input }
  }
  return undefined
}

/** The request in an input: the input itself, or the body for the model's provider. */
export function requestIn(input: object): unknown {
  const { messages, body, input: inner } = input as Fields
  if (Array.isArray(messages)) return input
  const text = textOf(body)
  if (text !== undefined) return JSON.parse(text)
  return isRecord(inner) ? requestIn(asObject(inner.converse ?? inner.invokeModel)) : undefined
}

const asObject = (value: unknown): object => (isRecord(value) ? value : {})

/** A placeholder: the provider is known, so the URL is not used to identify it. */
const nowhere = new URL('https://bedrock-runtime.invalid')

const isOfAnthropic = (text: string, model = ''): boolean =>
  /anthropic|claude/i.test(model) || text.includes('"anthropic_version"')

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  const bytes = bytesOf(body)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : undefined
}
