/** How the conversation is looked at. */
export type Mode = 'before' | 'after' | 'side' | 'steps'

export const modes: readonly Mode[] = ['before', 'after', 'side', 'steps']

/** What stands behind the # of the address, so that a reload shows the same. */
export interface Address {
  readonly source?: string | undefined
  readonly item?: string | undefined
  readonly reader?: string | undefined
  readonly mode: Mode
  readonly step: number
  readonly row: number
}

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const [source, item, reader] = [fields.get('source'), fields.get('item'), fields.get('reader')]
  return {
    ...(source !== null && item !== null && { source, item }),
    ...(reader !== null && { reader }),
    mode: modes.find(mode => mode === fields.get('mode')) ?? 'before',
    step: count(fields.get('step')),
    // People count from one.
    row: Math.max(0, count(fields.get('row')) - 1),
  }
}

export function writeAddress({ source, item, reader, mode, step, row }: Address): string {
  const fields = new URLSearchParams()
  if (source !== undefined && item !== undefined) {
    fields.set('source', source)
    fields.set('item', item)
    if (reader !== undefined) fields.set('reader', reader)
    if (mode !== 'before') fields.set('mode', mode)
    if (mode === 'steps') fields.set('step', String(step))
    if (row > 0) fields.set('row', String(row + 1))
  }
  return String(fields)
}

const count = (text: string | null): number => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0)
