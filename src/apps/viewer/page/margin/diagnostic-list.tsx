import { useState } from 'preact/hooks'
import type { DiagnosticView } from '../../document-service.ts'
import { Dialogue } from '../shell/dialogue.tsx'
import { readingOrder } from './reading-order.ts'
import { SeverityIcon } from './severity-icon.tsx'

interface Props {
  readonly diagnostics: readonly DiagnosticView[]
  readonly onDiagnostic: (diagnostic: number) => void
  readonly onClose: () => void
}

/** How many are shown at first. */
const pageSize = 200

/** All diagnostics, or those of one rule. */
export function DiagnosticList({ diagnostics, onDiagnostic, onClose }: Props) {
  const [rule, setRule] = useState('')
  const [shown, setShown] = useState(pageSize)
  const counts = new Map<string, number>()
  for (const diagnostic of diagnostics) counts.set(diagnostic.rule, (counts.get(diagnostic.rule) ?? 0) + 1)
  const listed = readingOrder(diagnostics).flatMap(index => {
    const diagnostic = diagnostics[index]
    return diagnostic && (rule === '' || diagnostic.rule === rule) ? [{ index, diagnostic }] : []
  })
  return (
    <Dialogue title="All diagnostics" onClose={onClose}>
      {counts.size > 1 && (
        <label class="pick">
          <span aria-hidden="true">Rule</span>
          <select aria-label="Rule" value={rule} onChange={({ currentTarget }) => setRule(currentTarget.value)}>
            <option value="">all ({diagnostics.length.toLocaleString('en')})</option>
            {[...counts].map(([rule, count]) => (
              <option key={rule} value={rule}>
                {rule} ({count.toLocaleString('en')})
              </option>
            ))}
          </select>
        </label>
      )}
      <ol class="diagnostic-list">
        {listed.slice(0, shown).map(({ index, diagnostic }) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                onClose()
                onDiagnostic(index)
              }}
            >
              <span class="diagnostic-rule">
                <SeverityIcon severity={diagnostic.severity} />
                <span class="sr-only">{diagnostic.severity}: </span>
                {diagnostic.rule}
              </span>
              <span class="diagnostic-row">{diagnostic.rows.slice(0, 1).map(row => `message ${row + 1}`)}</span>
              <span class="diagnostic-message">{diagnostic.message}</span>
            </button>
          </li>
        ))}
      </ol>
      {listed.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + pageSize * 5)}>
          Show more ({(listed.length - shown).toLocaleString('en')} left)
        </button>
      )}
    </Dialogue>
  )
}
