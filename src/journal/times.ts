import { AntiphonError } from '../errors.ts'
import type { Write } from './store.ts'

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

const isBetween = (least: number, value: number, most: number): boolean => value >= least && value <= most

/** A century. */
const leaseMax = 100 * 366 * 24 * 3_600_000

const badTime = (what: string, ms: number): AntiphonError =>
  new AntiphonError('bad-write', `no journal takes this time: ${what}, ${ms}`, {
    hint: 'milliseconds; a moment up to the year 275760, a lease up to a century',
  })
