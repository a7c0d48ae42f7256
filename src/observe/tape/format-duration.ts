/** A duration for people, such as `1.5 s`. */
export function formatDuration(ms: number): string {
  const time = Math.max(0, Math.round(ms))
  if (time < 1000) return `${time} ms`
  const [tenths, seconds, minutes] = [100, 1000, 60_000].map(unit => Math.round(time / unit))
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
