/** The exit codes. */
export const exits = { healthy: 0, errors: 1, unreadable: 2 } as const

/** Of several outcomes, the worst sets the exit code. */
export function exitWith(outcome: keyof typeof exits): void {
  process.exitCode = Math.max(Number(process.exitCode ?? 0), exits[outcome])
}
