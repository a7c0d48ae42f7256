import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { DocumentService, OpenedDocument } from '../../document-service.ts'

/** The unfolded rows, each with its measured height. */
export interface Folds {
  readonly open: ReadonlyMap<number, number>
  readonly toggle: (row: number) => void
  readonly measure: (row: number, height: number) => void
}

/** Which rows are unfolded. A message that an edit moves stays unfolded. */
export function useFolds(service: DocumentService, opened: OpenedDocument, step: number, folded: number): Folds {
  const [open, setOpen] = useState<ReadonlyMap<number, number>>(new Map())
  const last = useRef({ opened, step })
  const current = useRef(open)
  current.current = open

  useEffect(() => {
    const from = last.current
    last.current = { opened, step }
    if (from.step === step || from.opened !== opened || current.current.size === 0) return
    const rows = [...current.current]
    Promise.all(rows.map(async ([row, height]) => [await service.follow(from.step, row, step), height] as const)).then(
      followed => setOpen(new Map(followed.filter((entry): entry is [number, number] => entry[0] !== undefined))),
    )
  }, [service, opened, step])

  const toggle = useCallback(
    (row: number): void =>
      setOpen(open => {
        const next = new Map(open)
        if (!next.delete(row)) next.set(row, folded)
        return next
      }),
    [folded],
  )
  const measure = useCallback(
    (row: number, height: number): void =>
      setOpen(open => (!open.has(row) || open.get(row) === height ? open : new Map(open).set(row, height))),
    [],
  )
  return { open, toggle, measure }
}
