import { type DialectId, dialects } from '../core/dialects/index.ts'
import type { Repair } from '../core/repair.ts'

/** A repair with the words by which a provider refuses what was wrong, where the list itself names no provider. */
export function quote(repair: Repair, provider: DialectId): Repair {
  const words = (dialects[provider].refusals as Record<string, string | undefined>)[repair.rule]
  if (repair.refusal !== undefined || words === undefined) return repair
  const [n, k] = [...repair.at.matchAll(/\[(\d+)\]/g)].map(([, number]) => number)
  const known: Record<string, string | undefined> = { id: repair.callId, n, k }
  const refusal = words.replaceAll(/\{(id|n|k)\}/g, (place, name: string) => known[name] ?? place)
  return /\{(id|n|k)\}/.test(refusal) ? repair : { ...repair, refusal }
}
