import { mayReject, type ReadRejectionOptions, readRejection } from './read-rejection.ts'
import type { Rejection } from './rejection.ts'

/**
 * The rejection in an error, if its message is known: an error of the AI SDK, of the SDKs of the providers, of an HTTP
 * client, or the `cause` of any of them. Only the provider's answer is read, never the request that some errors contain.
 */
export function readErrorRejection(error: unknown, options: ReadRejectionOptions = {}): Rejection | undefined {
  return readAnswers(errorsIn(error), [], options)
}

/** The same, with the body of a `Response` that the error is or holds, if nothing has read it yet. */
export async function readThrownRejection(
  error: unknown,
  options: ReadRejectionOptions = {},
): Promise<Rejection | undefined> {
  const errors = errorsIn(error)
  const unread = errors.filter(isUnread)
  const bodies = await Promise.all(unread.map(response => response.clone().text().catch(noText)))
  return readAnswers(errors, bodies, options)
}

/** Whether an error is an answer of a provider, or an abort by the caller. */
export const isAnswerError = (error: unknown): boolean =>
  errorsIn(error).some(one => statusOf(one) !== undefined || one.name === 'AbortError')

/**
 * Whether nothing is wrong with the request: the provider is overloaded, limits the rate or failed, or could not be reached. The same request,
 * or one to another provider, may be answered.
 */
export function isTransientError(error: unknown): boolean {
  const errors = errorsIn(error)
  const status = errors.map(statusOf).find(known => known !== undefined)
  if (status !== undefined && status >= 400) return transientStatuses.has(status) || status >= 500
  return transientRejections.has(readErrorRejection(error)?.id ?? '') || errors.some(isNetworkError)
}

const transientStatuses = new Set([408, 425, 429])
const transientRejections = new Set(['no-load', 'no-rate'])

const isNetworkError = ({ code, name, message }: ErrorFields): boolean =>
  /^(?:ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_)/.test(String(code ?? '')) ||
  /^(?:APIConnection(?:Timeout)?Error|TimeoutError)$/.test(String(name ?? '')) ||
  /^(?:fetch failed|terminated|network error|connection error\.?|request timed out\.?|socket hang up|premature close)$/i.test(
    String(message ?? ''),
  )

function readAnswers(
  errors: readonly ErrorFields[],
  bodies: readonly string[],
  options: ReadRejectionOptions,
): Rejection | undefined {
  if (errors.length === 0) return undefined
  // Some SDKs throw errors without a status, for example for an error inside a stream. Then the message alone decides.
  const status = errors.map(statusOf).find(known => known !== undefined) ?? 400
  if (!mayReject(status)) return undefined
  const texts = errors.map(error => ({ body: bodiesOf(error), message: error.message }))
  return readRejection(status, { errors: [...texts, ...bodies] }, options)
}

type ErrorFields = Readonly<Record<string, unknown>>

/** An error, and the errors that it wraps: the outer ones first, each once. */
function errorsIn(error: unknown): ErrorFields[] {
  const found = new Set<ErrorFields>()
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && depth === 0) found.add({ message: value })
    if (typeof value !== 'object' || value === null || depth > depthMax || found.size >= errorsMax) return
    const one = value as ErrorFields
    if (found.has(one)) return
    found.add(one)
    for (const key of wrapped) collect(one[key], depth + 1)
    if (one.error instanceof Error) collect(one.error, depth + 1)
    if (Array.isArray(one.errors)) for (const inner of [...one.errors].reverse()) collect(inner, depth + 1)
  }
  collect(error, 0)
  return [...found]
}

const [depthMax, errorsMax] = [8, 20]
const wrapped = ['cause', 'lastError', 'originalError', 'response', 'rawResponse', '$response']

/** What a provider answered, by the names that SDKs have for it. */
function bodiesOf(error: ErrorFields): unknown[] {
  const { responseBody, body, error: inner, data, errorDetails } = error
  return [responseBody, body, inner, data, errorDetails].filter(isData)
}

/** Text or plain data. Streams, errors and other objects are not what was answered. */
const isData = (value: unknown): boolean =>
  typeof value === 'string' ||
  Array.isArray(value) ||
  (typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))

function statusOf(error: ErrorFields): number | undefined {
  const { statusCode, status, $metadata, code } = error
  const { httpStatusCode } = (($metadata as ErrorFields | undefined) ?? {}) as ErrorFields
  return [statusCode, status, httpStatusCode, code].find(isStatus) ?? statusIn(error.message)
}

const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 100 && (value as number) < 600

/** A status at the beginning of a message, as SDKs write it, or after a word for it. */
function statusIn(message: unknown): number | undefined {
  if (typeof message !== 'string') return undefined
  const [, first, named] =
    /^\W{0,3}([45]\d\d)\b|\b(?:HTTP|status|code)\W{1,3}([45]\d\d)\b/i.exec(message.slice(0, 200)) ?? []
  return first === undefined && named === undefined ? undefined : Number(first ?? named)
}

const isUnread = (error: ErrorFields): error is ErrorFields & Pick<Response, 'clone'> =>
  typeof error.clone === 'function' && typeof error.text === 'function' && error.bodyUsed === false

const noText = (): string => ''
