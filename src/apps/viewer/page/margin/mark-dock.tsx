import type { Mark } from '../../desk.ts'
import { MarkDetails } from './mark-details.tsx'
import { SeveritySign } from './severity-sign.tsx'

interface Props {
  readonly marks: readonly Mark[]
  readonly current: number | undefined
  readonly onGo: (by: 1 | -1) => void
  readonly onMark: (mark: number | undefined) => void
}

/** The open diagnostic below the sheet, where there is no room for a margin beside it. */
export function MarkDock({ marks, current, onGo, onMark }: Props) {
  const mark = current === undefined ? undefined : marks[current]
  if (!mark) return null
  return (
    <section class={`dock ${mark.severity}`} aria-label="Diagnostic">
      <header>
        <p class="mark-rule">
          <SeveritySign severity={mark.severity} />
          <span class="sr-only">{mark.severity}: </span>
          {mark.rule}
        </p>
        <button type="button" class="button quiet" aria-label="Previous diagnostic" onClick={() => onGo(-1)}>
          ‹
        </button>
        <button type="button" class="button quiet" aria-label="Next diagnostic" onClick={() => onGo(1)}>
          ›
        </button>
        <button type="button" class="button quiet" aria-label="Close" onClick={() => onMark(undefined)}>
          ✕
        </button>
      </header>
      <p class="mark-message">{mark.message}</p>
      <MarkDetails mark={mark} />
    </section>
  )
}
