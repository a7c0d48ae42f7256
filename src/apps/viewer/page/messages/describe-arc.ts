import type { Arc } from '../../document-service.ts'

/** Describes an arc as text, from the point of view of one of its rows: for screen readers, and as its title. */
export function describeArc(arc: Arc, row?: number): string {
  const { kind, name, from, to } = arc
  const tool = name || 'a tool'
  if (kind === 'orphan' || from === undefined) return `result of ${tool}, without a call`
  if (kind === 'open' || (to === undefined && kind !== 'waiting')) return `call of ${tool}, without a result`
  if (to === undefined) return `call of ${tool}, waiting for its result`
  const distance = Math.abs(to - from)
  const away = distance === 0 ? 'in the same message' : distance === 1 ? 'one message' : `${distance} messages`
  if (row === from && row !== to) {
    const where = to < from ? `${away} before it, too early` : `${away} further on`
    return `call of ${tool}, ${kind === 'duplicate' ? 'another result' : 'its result'} ${where}`
  }
  const what = kind === 'duplicate' ? `one more result of ${tool}` : `result of ${tool}`
  if (distance === 0) return `${what}, ${away} as its call`
  return `${what}, ${away} ${to < from ? 'before' : 'away from'} its call`
}
