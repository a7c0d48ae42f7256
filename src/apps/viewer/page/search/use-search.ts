import { useCallback, useEffect, useState } from 'preact/hooks'
import type { DocumentService, OpenedDocument } from '../../document-service.ts'

export interface Search {
  readonly words: string
  readonly setWords: (words: string) => void
  /** The rows that contain the words; undefined while searching. */
  readonly finds: readonly number[] | undefined
  /** The index of the current match. */
  readonly at: number
  readonly go: (by: 1 | -1) => void
}

/** Searches the whole history, not only the rows on the screen, shortly after the last key press. */
export function useSearch(
  service: DocumentService,
  opened: OpenedDocument,
  step: number,
  current: number,
  onFind: (row: number) => void,
): Search {
  const [words, setWords] = useState('')
  const [finds, setFinds] = useState<readonly number[]>()
  const [at, setAt] = useState(-1)
  useEffect(() => {
    setFinds(undefined)
    setAt(-1)
    if (words === '' || opened.rows === 0) return
    let isOver = false
    const timer = setTimeout(async () => {
      const rows = await service.search(step, words).catch(() => [])
      if (!isOver) setFinds(rows)
    }, 120)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [service, opened, step, words])
  const go = useCallback(
    (by: 1 | -1): void => {
      if (!finds || finds.length === 0) return
      const next = at < 0 ? nearest(finds, current, by) : (at + by + finds.length) % finds.length
      setAt(next)
      const row = finds[next]
      if (row !== undefined) onFind(row)
    },
    [finds, at, current, onFind],
  )
  return { words, setWords, finds, at, go }
}

/** The first match from `row` in a direction, wrapping around at the end. */
function nearest(finds: readonly number[], row: number, by: 1 | -1): number {
  const next = by === 1 ? finds.findIndex(find => find >= row) : finds.findLastIndex(find => find <= row)
  return next >= 0 ? next : by === 1 ? 0 : finds.length - 1
}
