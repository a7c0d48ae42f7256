import { isRawNumber } from '../../core/json/exact-json.ts'

/** A text, or the empty one for anything else. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An id, also if it is written as a number; the empty text if there is none. */
export const idText = (value: unknown): string =>
  isRawNumber(value) ? JSON.stringify(value) : typeof value === 'number' ? String(value) : text(value)

/** A long number is an object, which has all its digits. */
const isNumber = (value: unknown): boolean => typeof value === 'number' || isRawNumber(value)

/** Marks an id that is written as a number. */
export const numeric = (value: unknown): { numeric?: true } => (isNumber(value) ? { numeric: true } : {})

/** Whether an id is written as it is read: a value that is neither a text nor a number counts as none. */
export const isId = (value: unknown, { id, numeric }: { readonly id: string; readonly numeric?: true }): boolean =>
  typeof value === 'string' || numeric ? idText(value) === id : id === ''
