import { useEffect, useRef, useState } from 'preact/hooks'
import type { Arc, DocumentService, MessageWindow, OpenedDocument } from '../../document-service.ts'

/** The rows that were loaded last. */
export interface Loaded {
  readonly opened: OpenedDocument
  readonly step: number
  readonly from: number
  readonly to: number
  /** The total number of rows. */
  readonly count: number
  readonly window: MessageWindow
}

interface Wanted {
  readonly opened: OpenedDocument
  readonly step: number
  readonly first: number
  readonly last: number
  readonly count: number
}

/** How many rows are loaded beyond both edges of the screen. */
const margin = 30

/**
 * Loads the rows on the screen, and some around them. One load runs at a time; of those requested meanwhile, only the last one follows. Until
 * then the old rows stay.
 */
export function useWindow(
  service: DocumentService,
  opened: OpenedDocument,
  step: number,
  first: number,
  last: number,
  count: number,
): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>()
  const state = useRef<{ wanted: Wanted; have?: Loaded; isAsking: boolean; isGone: boolean }>({
    wanted: { opened, step, first, last, count },
    isAsking: false,
    isGone: false,
  }).current
  state.wanted = { opened, step, first, last, count }

  useEffect(() => {
    const ask = async (): Promise<void> => {
      while (!state.isGone && !covers(state.have, state.wanted)) {
        const { opened, step, first, last, count } = state.wanted
        const from = Math.max(0, first - margin)
        const to = last + margin + 1
        state.have = { opened, step, from, to, count, window: limitArcs(await service.window(step, from, to)) }
        if (state.have.opened === state.wanted.opened) setLoaded(state.have)
      }
    }
    if (state.isAsking) return
    state.isAsking = true
    const rest = (): void => {
      state.isAsking = false
    }
    // A failed load is tried again when the list is scrolled.
    ask().then(rest, rest)
  })
  useEffect(
    () => () => {
      state.isGone = true
    },
    [state],
  )
  return loaded
}

const covers = (loaded: Loaded | undefined, { opened, step, first, last }: Wanted): boolean =>
  loaded !== undefined && loaded.opened === opened && loaded.step === step && loaded.from <= first && last < loaded.to

/** With more arcs, those with errors come first, and the rest is left out. */
const arcsMax = 600

export function limitArcs({ rows, arcs }: MessageWindow): MessageWindow {
  if (arcs.length <= arcsMax) return { rows, arcs }
  const isFault = ({ kind }: Arc): boolean => kind !== 'paired'
  return { rows, arcs: [...arcs.filter(isFault), ...arcs.filter(arc => !isFault(arc))].slice(0, arcsMax) }
}
