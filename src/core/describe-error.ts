import { AntiphonError } from './errors.ts'

/** The message of a thrown value. Any value can be thrown, also one that cannot be written as text. */
export function describeError(error: unknown): string {
  for (const write of [messageOf, JSON.stringify, String])
    try {
      const text: unknown = write(error)
      if (typeof text === 'string') return text
    } catch {
      // The next one may work.
    }
  return 'an error without a readable message'
}

/** The same with the hint of an error of ours. Others are not read: a hint of a database may quote its content. */
export function describeWithHint(error: unknown): string {
  const hint = hintOf(error)
  return hint === undefined ? describeError(error) : `${describeError(error)} (${hint})`
}

function hintOf(error: unknown): string | undefined {
  try {
    return AntiphonError.is(error) ? error.hint : undefined
  } catch {
    return undefined
  }
}

function messageOf(error: unknown): unknown {
  if (error instanceof Error) return error.message || error.name
  return (error as { message?: unknown } | undefined)?.message ?? error
}
