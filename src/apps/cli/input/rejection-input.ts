import { existsSync } from 'node:fs'
import { isRecord } from '../../../core/conversation.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { readSource } from '../../../doctor/files/source.ts'
import { readRejection } from '../../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import { statusIn } from './status-in.ts'

/**
 * Reads an error of a provider, given as for `errorText`. Text that the error quotes from the request is ignored. Throws if the error is
 * not known.
 */
export const rejectionFrom = async (given: string, request?: string): Promise<Rejection> =>
  readError(await errorText(given), request)

/** The same for the text of an error. */
export function readError(text: string, request?: string): Rejection {
  const error = errorIn(text)
  const rejection = readRejection(error.status, error.body, request === undefined ? {} : { request })
  if (rejection) return { ...rejection, error }
  throw new AntiphonError('unknown-rejection', 'unknown error of a provider', {
    hint: 'pass the whole error, as the provider sent it; nothing was changed',
  })
}

/** The text of an error: as it is given, in a file (`@FILE`, or its name), or on standard input (`-`). */
export async function errorText(given: string): Promise<string> {
  if (given.startsWith('@')) return (await readSource(given.slice(1))).text
  const isFile = given === '-' || !/[\s{]/.test(given) || existsSync(given)
  return isFile ? (await readSource(given)).text : given
}

/** An error as it was stored: a status and a body, only a body, or a log line that may contain a status. */
function errorIn(text: string): { readonly status: number; readonly body: unknown } {
  const value = tryParseJson(text)
  if (isRecord(value) && typeof value.status === 'number' && 'body' in value)
    return { status: value.status, body: value.body }
  return { status: statusIn(text) ?? 400, body: value ?? text }
}
