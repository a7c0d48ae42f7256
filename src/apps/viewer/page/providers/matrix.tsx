import type { DialectId } from '../../../../core/dialects/index.ts'
import type { ProviderVerdict } from '../../document-service.ts'
import { Dialogue } from '../shell/dialogue.tsx'
import { MatrixCell } from './matrix-cell.tsx'

interface Props {
  readonly verdicts: readonly ProviderVerdict[]
  readonly count: number
  readonly dialect: DialectId | undefined
  readonly onDialect: (dialect: DialectId) => void
  readonly onClose: () => void
}

/** A table of rules and providers: which provider rejects what. */
export function Matrix({ verdicts, count, dialect, onDialect, onClose }: Props) {
  const rules = [...new Set(verdicts.flatMap(verdict => Object.keys(verdict.rules)))].sort()
  return (
    <Dialogue title="Verdicts of all providers" onClose={onClose}>
      <p role="status" class="matrix-status">
        {verdicts.length < count
          ? `${verdicts.length} of ${count} providers checked.`
          : `${verdicts.filter(({ rejected }) => rejected).length} of ${count} providers reject this conversation.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section class="matrix-frame" tabIndex={0} aria-label="Rules by provider">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Provider</th>
              <th scope="col">Verdict</th>
              {rules.map(rule => (
                <th key={rule} scope="col" class="rule">
                  <span>{rule}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {verdicts.map(verdict => (
              <tr key={verdict.dialect} class={verdict.dialect === dialect ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onDialect(verdict.dialect)}>
                    {verdict.title}
                  </button>
                </th>
                <td class={verdict.rejected ? 'rejected' : 'accepted'}>{verdict.rejected ? 'rejects' : 'accepts'}</td>
                {rules.map(rule => (
                  <MatrixCell key={rule} found={verdict.rules[rule]} isRejected={verdict.rejected} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialogue>
  )
}
