import { AntiphonError } from '../../core/errors.ts'
import type { ThreadRow, Write } from './store.ts'

/** The latest time that a JavaScript Date can represent. */
export const latestTimestamp = 8.64e15

/** Refuses times that a store could not read back. */
export function checkTimes({ dueAt, lease }: Pick<Write, 'dueAt' | 'lease'>): void {
  if (typeof dueAt === 'number' && !isBetween(0, dueAt, latestTimestamp)) throw invalidTime('dueAt', dueAt)
  if (lease) checkLease(lease.ms)
}

export function checkLease(ms: number): void {
  if (!isBetween(0, ms, leaseMax)) throw invalidTime('the lease', ms)
}

/**
 * Corrects the times of a thread whose last change is in the future, because the clock was ahead then and has been set back.
 * No time counts as passed since that change: a lease keeps its remaining time, so that it never lasts longer than requested,
 * and a thread that was due is due now. An erasure is continued as soon as it would have been. Absolute times, such as the expiry of an approval, are kept.
 */
export function timesAfterClockSetBack(
  {
    leasedUntil,
    dueAt,
    updatedAt,
    state,
  }: Pick<ThreadRow, 'leasedUntil' | 'updatedAt'> & Partial<Pick<ThreadRow, 'state'>> & { dueAt?: number | undefined },
  now: number,
): { leasedUntil: number; dueAt: number | undefined } {
  const aheadMs = updatedAt - now
  if (state === 'erased') return { leasedUntil, dueAt: dueAt === undefined ? dueAt : Math.max(0, dueAt - aheadMs) }
  return {
    leasedUntil: Math.max(0, leasedUntil - aheadMs),
    dueAt: dueAt !== undefined && dueAt <= updatedAt ? Math.min(dueAt, now) : dueAt,
  }
}

const isBetween = (least: number, value: number, most: number): boolean => value >= least && value <= most

/** 100 years. */
const leaseMax = 100 * 366 * 24 * 3_600_000

const invalidTime = (what: string, ms: number): AntiphonError =>
  new AntiphonError('invalid-write', `invalid time: ${what} is ${ms}`, {
    hint: 'pass milliseconds; dueAt may be up to the year 275760, a lease up to 100 years',
  })
