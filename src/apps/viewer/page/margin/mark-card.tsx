import type { Mark } from '../../desk.ts'
import type { Pointed } from '../score/lit.ts'
import { MarkDetails } from './mark-details.tsx'
import { SeveritySign } from './severity-sign.tsx'

interface Props {
  readonly index: number
  readonly mark: Mark
  readonly isOpen: boolean
  readonly isLit: boolean
  /** How many more stand at the same row and are not shown. */
  readonly more?: number
  readonly onMark: (mark: number | undefined) => void
  readonly point: (pointed: Pointed | undefined) => void
}

/** One diagnostic beside its row: the rule and the message, and all of it once it is opened. */
export function MarkCard({ index, mark, isOpen, isLit, more = 0, onMark, point }: Props) {
  const light = (): void => point({ kind: 'mark', mark: index })
  const dim = (): void => point(undefined)
  return (
    <div
      class={`mark-card ${mark.severity}${isOpen ? ' open' : ''}${isLit ? ' lit' : ''}`}
      data-mark={index}
      onPointerEnter={light}
      onPointerLeave={dim}
    >
      <button
        type="button"
        class="mark-head"
        aria-expanded={isOpen}
        onClick={() => onMark(isOpen ? undefined : index)}
        onFocus={light}
        onBlur={dim}
      >
        <span class="mark-rule">
          <SeveritySign severity={mark.severity} />
          <span class="sr-only">{mark.severity}: </span>
          {mark.rule}
          {more > 0 && <span class="mark-more">and {more} more here</span>}
        </span>
        <span class="mark-message">{mark.message}</span>
      </button>
      {isOpen && <MarkDetails mark={mark} />}
    </div>
  )
}
