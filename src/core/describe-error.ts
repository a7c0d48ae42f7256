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

function messageOf(error: unknown): unknown {
  if (error instanceof Error) return error.message || error.name
  return (error as { message?: unknown } | undefined)?.message ?? error
}
