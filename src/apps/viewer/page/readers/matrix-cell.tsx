import type { Verdict } from '../../desk.ts'
import { SeveritySign } from '../margin/severity-sign.tsx'

/** How often a reader finds a rule broken. */
export function MatrixCell({ found }: { readonly found: Verdict['rules'][string] | undefined }) {
  if (!found || found.errors + found.warnings === 0)
    return (
      <td class="none">
        <span aria-hidden="true">·</span>
        <span class="sr-only">nothing</span>
      </td>
    )
  return (
    <td class={found.errors > 0 ? 'error' : 'warning'}>
      {found.errors > 0 && <Count severity="error" count={found.errors} />}
      {found.warnings > 0 && <Count severity="warning" count={found.warnings} />}
    </td>
  )
}

const Count = ({ severity, count }: { readonly severity: 'error' | 'warning'; readonly count: number }) => (
  <span class={`count ${severity}`}>
    <SeveritySign severity={severity} /> {count.toLocaleString('en')}
    <span class="sr-only"> {count === 1 ? severity : `${severity}s`}</span>
  </span>
)
