import type { DiagnosticView } from '../../document-service.ts'
import { DiagnosticDetails } from './diagnostic-details.tsx'
import { SeverityIcon } from './severity-icon.tsx'

interface Props {
  readonly diagnostics: readonly DiagnosticView[]
  readonly current: number | undefined
  readonly onGo: (by: 1 | -1) => void
  readonly onDiagnostic: (diagnostic: number | undefined) => void
}

/** The open diagnostic below the list, on screens too narrow for a margin. */
export function DiagnosticDock({ diagnostics, current, onGo, onDiagnostic }: Props) {
  const diagnostic = current === undefined ? undefined : diagnostics[current]
  if (!diagnostic) return null
  return (
    <section class={`dock ${diagnostic.severity}`} aria-label="Diagnostic">
      <header>
        <p class="diagnostic-rule">
          <SeverityIcon severity={diagnostic.severity} />
          <span class="sr-only">{diagnostic.severity}: </span>
          {diagnostic.rule}
        </p>
        <button type="button" class="button quiet" aria-label="Previous diagnostic" onClick={() => onGo(-1)}>
          ‹
        </button>
        <button type="button" class="button quiet" aria-label="Next diagnostic" onClick={() => onGo(1)}>
          ›
        </button>
        <button type="button" class="button quiet" aria-label="Close" onClick={() => onDiagnostic(undefined)}>
          ✕
        </button>
      </header>
      <p class="diagnostic-message">{diagnostic.message}</p>
      <DiagnosticDetails diagnostic={diagnostic} />
    </section>
  )
}
