/** A duration for people, such as `1.5 s`. */
export function formatDuration(ms: number): string {
  const time = Math.max(0, Math.round(ms))
  if (time < 1000) return `${time} ms`
  const tenths = Math.round(time / 100)
  const seconds = Math.round(time / 1000)
  const minutes = Math.round(time / 60_000)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
