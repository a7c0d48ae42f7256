import { formatDuration } from '../../../../observe/tape/format-duration.ts'

/** The time since `at`, in whole seconds, because it is updated every second. */
export function elapsedSince(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}

/** The time of day, with the date if it is not today. */
export function clockTime(at: number, now: number): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return isToday ? date.toLocaleTimeString() : date.toLocaleString()
}
