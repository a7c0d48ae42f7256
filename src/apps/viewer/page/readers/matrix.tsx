import type { DialectId } from '../../../../core/dialects/index.ts'
import type { Verdict } from '../../desk.ts'
import { Dialogue } from '../shell/dialogue.tsx'
import { MatrixCell } from './matrix-cell.tsx'

interface Props {
  readonly verdicts: readonly Verdict[]
  readonly count: number
  readonly reader: DialectId | undefined
  readonly onReader: (reader: DialectId) => void
  readonly onClose: () => void
}

/** Rules by readers: who minds what. */
export function Matrix({ verdicts, count, reader, onReader, onClose }: Props) {
  const rules = [...new Set(verdicts.flatMap(verdict => Object.keys(verdict.rules)))].sort()
  return (
    <Dialogue title="What every reader says" onClose={onClose}>
      <p role="status" class="matrix-said">
        {verdicts.length < count
          ? `${verdicts.length} of ${count} readers have been asked.`
          : `${verdicts.filter(({ refused }) => refused).length} of ${count} readers refuse this conversation.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <section class="matrix-frame" tabIndex={0} aria-label="Rules by readers">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Reader</th>
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
              <tr key={verdict.reader} class={verdict.reader === reader ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onReader(verdict.reader)}>
                    {verdict.title}
                  </button>
                </th>
                <td class={verdict.refused ? 'refused' : 'accepted'}>{verdict.refused ? 'refuses' : 'accepts'}</td>
                {rules.map(rule => (
                  <MatrixCell key={rule} found={verdict.rules[rule]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialogue>
  )
}
