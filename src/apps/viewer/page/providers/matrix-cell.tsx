import type { ProviderVerdict } from '../../document-service.ts'
import { SeverityIcon } from '../margin/severity-icon.tsx'

interface Props {
  readonly found: ProviderVerdict['rules'][string] | undefined
  readonly isRejected: boolean
}

/** The number of violations of a rule for a provider. A provider that accepts the conversation nevertheless gets no mark of an error. */
export function MatrixCell({ found, isRejected }: Props) {
  if (!found || found.errors + found.warnings === 0)
    return (
      <td class="none">
        <span aria-hidden="true">·</span>
        <span class="sr-only">nothing</span>
      </td>
    )
  if (!isRejected) return <td class="noted">{(found.errors + found.warnings).toLocaleString('en')}</td>
  return (
    <td class={found.errors > 0 ? 'error' : 'warning'}>
      {found.errors > 0 && <Count severity="error" count={found.errors} />}
      {found.warnings > 0 && <Count severity="warning" count={found.warnings} />}
    </td>
  )
}

const Count = ({ severity, count }: { readonly severity: 'error' | 'warning'; readonly count: number }) => (
  <span class={`count ${severity}`}>
    <SeverityIcon severity={severity} /> {count.toLocaleString('en')}
    <span class="sr-only"> {count === 1 ? severity : `${severity}s`}</span>
  </span>
)
