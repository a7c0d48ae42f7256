import { existsSync } from 'node:fs'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import { readSource } from '../../doctor/files/source.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'

/**
 * Reads the error of a provider, as `errorText` takes it: words that it quotes of the request do not count. Throws in one line if it is
 * not known.
 */
export async function rejectionFrom(given: string, request?: string): Promise<Rejection> {
  const error = errorIn(await errorText(given))
  const rejection = readRejection(error.status, error.body, request === undefined ? {} : { request })
  if (rejection) return { ...rejection, error }
  throw new AntiphonError('unknown-rejection', 'this error of a provider is not known', {
    hint: 'pass the whole error, as the provider sent it; nothing is done about an error that is not known',
  })
}

/** The text of an error: as it is given, in a file (`@FILE`, or its name), or on standard input (`-`). */
export async function errorText(given: string): Promise<string> {
  if (given.startsWith('@')) return (await readSource(given.slice(1))).text
  const isFile = given === '-' || !/[\s{]/.test(given) || existsSync(given)
  return isFile ? (await readSource(given)).text : given
}

/** An error as it was stored: with its status, its body alone, or words with a status among them, as in a log. */
function errorIn(text: string): { readonly status: number; readonly body: unknown } {
  const value = parsed(text)
  if (isRecord(value) && typeof value.status === 'number' && 'body' in value)
    return { status: value.status, body: value.body }
  return { status: statusIn(text), body: value ?? text }
}

/** A status in a log line, else that of most rejections. */
const statusIn = (text: string): number => Number(/\b(4\d\d|5\d\d)\b/.exec(text.slice(0, 200))?.[1] ?? 400)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
