/** What the exit code says. */
export const exits = { healthy: 0, errors: 1, unreadable: 2 } as const

/** Of several outcomes the worst one counts. */
export function exitWith(outcome: keyof typeof exits): void {
  process.exitCode = Math.max(Number(process.exitCode ?? 0), exits[outcome])
}
