import type { ItemState } from '../../protocol.ts'

/** How a state is shown: by an icon and a word, never by its colour alone. */
export interface StateIcon {
  readonly word: string
  /** The colour of the icon: a custom property of the page. */
  readonly tone: 'error' | 'warning' | 'good' | 'accent' | 'faint'
  /** The path of the icon, in a square of 12. */
  readonly path: string
  /** Stroked, not filled. */
  readonly hollow?: true
}

const circle = 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z'

export const stateIcons: Readonly<Record<ItemState, StateIcon>> = {
  unknown: { word: 'not checked yet', tone: 'faint', path: 'M3 6h6', hollow: true },
  healthy: { word: 'healthy', tone: 'good', path: 'M2 6.5l2.8 2.8L10 3.4', hollow: true },
  pending: { word: 'waiting', tone: 'accent', path: 'M6 1.2L10.8 6L6 10.8L1.2 6z', hollow: true },
  broken: { word: 'broken', tone: 'error', path: 'M6 1L11.2 10.6H.8z' },
  busy: { word: 'in use', tone: 'warning', path: 'M2.5 1.5h7L6 6l3.5 4.5h-7L6 6z' },
  unreadable: { word: 'unreadable', tone: 'error', path: 'M2.5 2.5l7 7M9.5 2.5l-7 7', hollow: true },
  idle: { word: 'idle', tone: 'faint', path: circle, hollow: true },
  ready: { word: 'ready', tone: 'accent', path: 'M2 6h7M6.2 2.8L9.4 6L6.2 9.2', hollow: true },
  running: { word: 'running', tone: 'good', path: 'M3 1.5L10.2 6L3 10.5z' },
  parked: { word: 'parked', tone: 'warning', path: 'M2.8 2h2v8h-2zM7.2 2h2v8h-2z' },
  failed: { word: 'failed', tone: 'error', path: 'M2.5 2.5l7 7M9.5 2.5l-7 7', hollow: true },
  erased: { word: 'erased', tone: 'faint', path: 'M2 5h8v2H2z', hollow: true },
  kept: { word: 'kept', tone: 'faint', path: 'M2 2h8v8H2z', hollow: true },
}
