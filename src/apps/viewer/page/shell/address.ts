/** How the conversation is shown. */
export type ViewMode = 'before' | 'after' | 'side' | 'steps'

export const modes: readonly ViewMode[] = ['before', 'after', 'side', 'steps']

/** The state in the fragment of the URL, so that a reload shows the same. */
export interface Address {
  readonly source?: string | undefined
  readonly item?: string | undefined
  readonly dialect?: string | undefined
  readonly model?: string | undefined
  readonly mode: ViewMode
  readonly step: number
  readonly row: number
}

export function readAddress(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''))
  const [source, item, dialect] = [fields.get('source'), fields.get('item'), fields.get('for')]
  const model = fields.get('model')
  return {
    ...(source !== null && item !== null && { source, item }),
    ...(dialect !== null && { dialect }),
    ...(model !== null && { model }),
    mode: modes.find(mode => mode === fields.get('mode')) ?? 'before',
    step: count(fields.get('step')),
    // Rows count from 1 in the URL.
    row: Math.max(0, count(fields.get('row')) - 1),
  }
}

export function writeAddress({ source, item, dialect, model, mode, step, row }: Address): string {
  const fields = new URLSearchParams()
  if (source !== undefined && item !== undefined) {
    fields.set('source', source)
    fields.set('item', item)
    if (dialect !== undefined) fields.set('for', dialect)
    if (model !== undefined) fields.set('model', model)
    if (mode !== 'before') fields.set('mode', mode)
    if (mode === 'steps') fields.set('step', String(step))
    if (row > 0) fields.set('row', String(row + 1))
  }
  return String(fields)
}

const count = (text: string | null): number => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0)
