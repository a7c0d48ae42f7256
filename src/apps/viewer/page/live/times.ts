import { formatDuration } from '../../../../observe/tape/format-duration.ts'

/** How long something has lasted, in whole seconds, since it is said again every second. */
export function sinceThen(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}

/** A time of the day, or with its day if that is another one. */
export function clockTime(at: number, now: number): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday ? date.toLocaleTimeString() : date.toLocaleString()
}
