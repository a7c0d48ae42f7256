import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Mark, Row } from '../../desk.ts'
import type { Pointed } from '../score/lit.ts'
import { MarkCard } from './mark-card.tsx'
import { stack } from './stack.ts'

interface Props {
  readonly rows: readonly Row[]
  readonly marks: readonly Mark[]
  readonly topOf: (row: number) => number
  readonly currentMark: number | undefined
  readonly lit: ReadonlySet<number>
  readonly onMark: (mark: number | undefined) => void
  readonly point: (pointed: Pointed | undefined) => void
}

/** The diagnostics beside their rows. A row shows one of its own until one of them is opened, and then those around it. */
export function Margin({ rows, marks, topOf, currentMark, lit, onMark, point }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const marked = rows.filter(row => row.marks.length > 0).sort((one, other) => one.index - other.index)
  const isOpen = (row: Row): boolean => currentMark !== undefined && row.marks.includes(currentMark)

  useLayoutEffect(() => {
    const groups = [...(list.current?.children ?? [])] as HTMLElement[]
    const wishes = groups.map((group, index) => ({ top: topOf(marked[index].index) + 3, height: group.offsetHeight }))
    const tops = stack(wishes, marked.findIndex(isOpen), 6)
    for (const [index, group] of groups.entries()) group.style.transform = `translateY(${tops[index]}px)`
  })

  return (
    <aside class="margin" aria-label="Diagnostics beside their messages">
      <ul ref={list}>
        {marked.map(row => {
          const here = isOpen(row) ? around(row.marks, currentMark) : row.marks.slice(0, 1)
          return (
            <li key={row.key} class="mark-group">
              {here.map(
                mark =>
                  marks[mark] && (
                    <MarkCard
                      key={mark}
                      index={mark}
                      mark={marks[mark]}
                      isOpen={mark === currentMark}
                      isLit={lit.has(mark)}
                      more={mark === here.at(-1) ? row.marks.length - here.length : 0}
                      onMark={onMark}
                      point={point}
                    />
                  ),
              )}
            </li>
          )
        })}
      </ul>
    </aside>
  )
}

/** A message can have thousands: more than these nobody reads beside it. */
const shownMax = 20

function around(marks: readonly number[], current = 0): readonly number[] {
  const from = Math.max(0, Math.min(marks.indexOf(current) - shownMax / 2, marks.length - shownMax))
  return marks.slice(from, from + shownMax)
}
