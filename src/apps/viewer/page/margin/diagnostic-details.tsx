import type { DiagnosticView } from '../../document-service.ts'

const classWords = {
  lossless: 'no content is lost',
  synthetic: 'adds made-up content',
  lossy: 'removes content',
  elevating: 'moves tool output to another role',
} as const

/** Why a diagnostic matters, the provider's error message, and the repair. */
export function DiagnosticDetails({ diagnostic }: { readonly diagnostic: DiagnosticView }) {
  return (
    <dl class="diagnostic-details">
      <dt>Why</dt>
      <dd>{diagnostic.why}</dd>
      {diagnostic.refusal && (
        <>
          <dt>Rejected with</dt>
          <dd>
            <q class="rejection">{diagnostic.refusal}</q>
          </dd>
        </>
      )}
      <dt>{diagnostic.class ? 'Fix' : 'Remains'}</dt>
      <dd>
        {diagnostic.class ? diagnostic.help.replace(` (${diagnostic.class})`, '') : diagnostic.help}
        {diagnostic.class && (
          <span class="fix-class">
            {diagnostic.class}: {classWords[diagnostic.class]}
          </span>
        )}
      </dd>
      <dt>At</dt>
      <dd>
        <code>{diagnostic.at}</code>
      </dd>
    </dl>
  )
}
