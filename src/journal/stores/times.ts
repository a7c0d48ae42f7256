import { AntiphonError } from '../../core/errors.ts'
import type { ThreadRow, Write } from './store.ts'

/** The last moment that a date can be. What is stored must be read back by everybody. */
export const lastMoment = 8.64e15

/** Refuses times that no store could read back. */
export function checkTimes({ dueAt, lease }: Pick<Write, 'dueAt' | 'lease'>): void {
  if (typeof dueAt === 'number' && !isBetween(0, dueAt, lastMoment)) throw badTime('due', dueAt)
  if (lease) checkLease(lease.ms)
}

export function checkLease(ms: number): void {
  if (!isBetween(0, ms, leaseMax)) throw badTime('a lease', ms)
}

/**
 * The times of a thread that was last changed at a moment which is still to come: the clock was ahead then, and was set back
 * since. As if no time had passed since that change: a lease keeps what was left of it, and so never lasts longer than its
 * owner asked for; what was due then is due now. A time that was named, like the expiry of an approval, stays.
 */
export function timesSetBack(
  { leasedUntil, dueAt, updatedAt }: Pick<ThreadRow, 'leasedUntil' | 'updatedAt'> & { dueAt?: number | undefined },
  now: number,
): { leasedUntil: number; dueAt: number | undefined } {
  return {
    leasedUntil: Math.max(0, leasedUntil - (updatedAt - now)),
    dueAt: dueAt !== undefined && dueAt <= updatedAt ? Math.min(dueAt, now) : dueAt,
  }
}

const isBetween = (least: number, value: number, most: number): boolean => value >= least && value <= most

/** A century. */
const leaseMax = 100 * 366 * 24 * 3_600_000

const badTime = (what: string, ms: number): AntiphonError =>
  new AntiphonError('bad-write', `no journal takes this time: ${what}, ${ms}`, {
    hint: 'milliseconds; a moment up to the year 275760, a lease up to a century',
  })
