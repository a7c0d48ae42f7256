import type { RejectionEntry } from '../../../heal/rejections/rejection.ts'

/** Where a known error was seen: pages, or issues as `owner/repository#number`. Empty if that was not recorded. */
export async function rejectionSources({ kind, id, source }: RejectionEntry): Promise<readonly string[]> {
  if (kind !== 'history') return source === undefined ? [] : [source]
  // Those of a history are recorded once, with the facts that the strict provider enforces.
  const { facts } = await import('../../../strict/facts/index.ts')
  return facts.find(fact => fact.id === id)?.sources ?? []
}
