import type { Mark } from '../../desk.ts'

/** An error is a filled square that stands on its corner, a warning an open triangle: told apart without colour. */
export function SeveritySign({ severity }: { readonly severity: Mark['severity'] }) {
  return (
    <svg class={`sign ${severity}`} width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {severity === 'error' ? <path d="M6 .5 11.5 6 6 11.5.5 6Z" /> : <path d="M6 1.5 11 10.5H1Z" />}
    </svg>
  )
}
