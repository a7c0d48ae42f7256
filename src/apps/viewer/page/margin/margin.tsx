import { useLayoutEffect, useRef } from 'preact/hooks'
import type { DiagnosticView, MessageRow } from '../../document-service.ts'
import type { Pointed } from '../messages/highlight.ts'
import { DiagnosticCard } from './diagnostic-card.tsx'
import { stackCards } from './stack-cards.ts'

interface Props {
  readonly rows: readonly MessageRow[]
  readonly diagnostics: readonly DiagnosticView[]
  readonly topOf: (row: number) => number
  readonly currentDiagnostic: number | undefined
  readonly highlight: ReadonlySet<number>
  readonly onDiagnostic: (diagnostic: number | undefined) => void
  readonly point: (pointed: Pointed | undefined) => void
}

/** The diagnostics next to their rows. A row shows its first one; if one is open, also those around it. */
export function Margin({ rows, diagnostics, topOf, currentDiagnostic, highlight, onDiagnostic, point }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const rowsWithDiagnostics = rows
    .filter(row => row.diagnostics.length > 0)
    .sort((one, other) => one.index - other.index)
  const isOpen = (row: MessageRow): boolean =>
    currentDiagnostic !== undefined && row.diagnostics.includes(currentDiagnostic)

  useLayoutEffect(() => {
    const groups = [...(list.current?.children ?? [])] as HTMLElement[]
    const wanted = groups.map((group, index) => ({
      top: topOf(rowsWithDiagnostics[index]?.index ?? 0) + 3,
      height: group.offsetHeight,
    }))
    const tops = stackCards(wanted, rowsWithDiagnostics.findIndex(isOpen), 6)
    for (const [index, group] of groups.entries()) group.style.transform = `translateY(${tops[index]}px)`
  })

  return (
    <aside class="margin" aria-label="Diagnostics beside their messages">
      <ul ref={list}>
        {rowsWithDiagnostics.map(row => {
          const here = isOpen(row) ? around(row.diagnostics, currentDiagnostic) : row.diagnostics.slice(0, 1)
          return (
            <li key={row.key} class="diagnostic-group">
              {here.map(
                diagnostic =>
                  diagnostics[diagnostic] && (
                    <DiagnosticCard
                      key={diagnostic}
                      index={diagnostic}
                      diagnostic={diagnostics[diagnostic]}
                      isOpen={diagnostic === currentDiagnostic}
                      isHighlighted={highlight.has(diagnostic)}
                      more={diagnostic === here.at(-1) ? row.diagnostics.length - here.length : 0}
                      onDiagnostic={onDiagnostic}
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

/** A message can have thousands of diagnostics; this many are shown next to it. */
const shownMax = 20

function around(diagnostics: readonly number[], current = 0): readonly number[] {
  const from = Math.max(0, Math.min(diagnostics.indexOf(current) - shownMax / 2, diagnostics.length - shownMax))
  return diagnostics.slice(from, from + shownMax)
}
