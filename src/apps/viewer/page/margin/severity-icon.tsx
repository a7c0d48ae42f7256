import type { DiagnosticView } from '../../document-service.ts'

/** An error is a filled diamond, a warning a triangle: they differ without colour. */
export function SeverityIcon({ severity }: { readonly severity: DiagnosticView['severity'] }) {
  return (
    <svg class={`sign ${severity}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {severity === 'error' ? <path d="M6 .5 11.5 6 6 11.5.5 6Z" /> : <path d="M6 1.5 11 10.5H1Z" />}
    </svg>
  )
}
