import { useEffect, useRef, useState } from 'preact/hooks'
import type { Arc, Desk, Opened, SheetWindow } from '../../desk.ts'

/** What was last read of a sheet: these rows of this step of this document. */
export interface Loaded {
  readonly opened: Opened
  readonly step: number
  readonly from: number
  readonly to: number
  /** How many rows there are in all. */
  readonly count: number
  readonly window: SheetWindow
}

interface Wanted {
  readonly opened: Opened
  readonly step: number
  readonly first: number
  readonly last: number
  readonly count: number
}

/** How many rows are read beyond both edges of the screen. */
const margin = 30

/**
 * Reads the rows that are on the screen, and some around them. One question at a time is asked; of those that come up
 * meanwhile, only the last. Until the answer is there, what was read before stays.
 */
export function useWindow(
  desk: Desk,
  opened: Opened,
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
        state.have = { opened, step, from, to, count, window: withinReason(await desk.window(step, from, to)) }
        if (state.have.opened === state.wanted.opened) setLoaded(state.have)
      }
    }
    if (state.isAsking) return
    state.isAsking = true
    const rest = (): void => {
      state.isAsking = false
    }
    // What could not be read is asked for again when the sheet is scrolled on.
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

/** Above this many, faults come first, and the rest of the arcs is left out: nobody could tell them apart. */
const arcsMax = 600

export function withinReason({ rows, arcs }: SheetWindow): SheetWindow {
  if (arcs.length <= arcsMax) return { rows, arcs }
  const isFault = ({ kind }: Arc): boolean => kind !== 'seated'
  return { rows, arcs: [...arcs.filter(isFault), ...arcs.filter(arc => !isFault(arc))].slice(0, arcsMax) }
}
