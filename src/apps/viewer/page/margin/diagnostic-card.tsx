import type { DiagnosticView } from '../../document-service.ts'
import type { Pointed } from '../messages/highlight.ts'
import { DiagnosticDetails } from './diagnostic-details.tsx'
import { SeverityIcon } from './severity-icon.tsx'

interface Props {
  readonly index: number
  readonly diagnostic: DiagnosticView
  readonly isOpen: boolean
  readonly isHighlighted: boolean
  /** How many more of the same row are not shown. */
  readonly more?: number
  readonly onDiagnostic: (diagnostic: number | undefined) => void
  readonly point: (pointed: Pointed | undefined) => void
}

/** One diagnostic next to its row: the rule and the message, and the details when it is open. */
export function DiagnosticCard({ index, diagnostic, isOpen, isHighlighted, more = 0, onDiagnostic, point }: Props) {
  const light = (): void => point({ kind: 'diagnostic', diagnostic: index })
  const dim = (): void => point(undefined)
  return (
    <div
      class={`diagnostic-card ${diagnostic.severity}${isOpen ? ' open' : ''}${isHighlighted ? ' highlighted' : ''}`}
      data-diagnostic={index}
      onPointerEnter={light}
      onPointerLeave={dim}
    >
      <button
        type="button"
        class="diagnostic-head"
        aria-expanded={isOpen}
        onClick={() => onDiagnostic(isOpen ? undefined : index)}
        onFocus={light}
        onBlur={dim}
      >
        <span class="diagnostic-rule">
          <SeverityIcon severity={diagnostic.severity} />
          <span class="sr-only">{diagnostic.severity}: </span>
          {diagnostic.rule}
          {more > 0 && <span class="diagnostic-more">and {more} more here</span>}
        </span>
        <span class="diagnostic-message">{diagnostic.message}</span>
      </button>
      {isOpen && <DiagnosticDetails diagnostic={diagnostic} />}
    </div>
  )
}
