/** A text, or the empty one for anything else. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An id, also where a number stands for it; the empty text if there is none. */
export const idText = (value: unknown): string => (typeof value === 'number' ? String(value) : text(value))

/** Marks an id that stands as a number. */
export const numeric = (value: unknown): { numeric?: true } => (typeof value === 'number' ? { numeric: true } : {})

/** Whether an id stands on the wire as it is read: what is neither a text nor a number stands for none. */
export const isId = (value: unknown, { id, numeric }: { readonly id: string; readonly numeric?: true }): boolean =>
  typeof value === 'string' || numeric ? idText(value) === id : id === ''
