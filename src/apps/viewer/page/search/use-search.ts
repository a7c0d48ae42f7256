import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Desk, Opened } from '../../desk.ts'

export interface Search {
  readonly words: string
  readonly setWords: (words: string) => void
  /** The rows that hold the words; undefined while they are looked for. */
  readonly finds: readonly number[] | undefined
  /** Which of the finds is shown. */
  readonly at: number
  readonly go: (by: 1 | -1) => void
}

/** Looks for words in all of the sheet, not only in what is on the screen, a moment after the last key. */
export function useSearch(
  desk: Desk,
  opened: Opened,
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
      const rows = await desk.search(step, words).catch(() => [])
      if (!isOver) setFinds(rows)
    }, 120)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [desk, opened, step, words])
  const go = useCallback(
    (by: 1 | -1): void => {
      if (!finds || finds.length === 0) return
      const next = at < 0 ? nearest(finds, current, by) : (at + by + finds.length) % finds.length
      setAt(next)
      onFind(finds[next])
    },
    [finds, at, current, onFind],
  )
  return { words, setWords, finds, at, go }
}

/** The first find from here on, in that direction, around the end if need be. */
function nearest(finds: readonly number[], row: number, by: 1 | -1): number {
  const next = by === 1 ? finds.findIndex(find => find >= row) : finds.findLastIndex(find => find <= row)
  return next >= 0 ? next : by === 1 ? 0 : finds.length - 1
}
