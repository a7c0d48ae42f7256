import type { Entry } from '../../../src/journal/entry.ts'

/**
 * What an owner failed to do in time although nothing kept it from its work: it lost a turn that it had not given away, or it
 * heard of an interruption too late. `reliable` are those who never crashed or slept, on ways that are always short.
 */
export function lateOwners(
  entries: readonly Entry[],
  writers: readonly string[],
  reliable: ReadonlySet<string>,
): string[] {
  const problems: string[] = []
  let owner = ''
  let isParked = true
  let interruptedAt: number | undefined
  for (const [index, { seq, kind, at, ...entry }] of entries.entries()) {
    if (kind === 'turn-resume' && !isParked && reliable.has(owner))
      problems.push(`turn-resume at ${seq} takes the turn from ${owner}, which was there`)
    const isInterrupt = kind === 'turn-interrupt' || ('when' in entry && entry.when === 'interrupt')
    if (isInterrupt && !isParked) interruptedAt ??= at
    if (kind === 'turn-end' && interruptedAt !== undefined && at - interruptedAt > promptMs && reliable.has(owner))
      problems.push(`turn-end at ${seq} comes ${at - interruptedAt} ms after the interruption`)
    if (kind === 'turn-start' || kind === 'turn-resume') {
      owner = writers[index]
      isParked = false
      interruptedAt &&= at
    }
    if (kind === 'turn-park' || kind === 'turn-end') {
      isParked = true
      interruptedAt = undefined
    }
  }
  return problems
}

/** An owner looks twice a second, and waits for its tools for a grace period that is shorter than the rest of it. */
const promptMs = 1_500
