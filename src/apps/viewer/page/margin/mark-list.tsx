import { useState } from 'preact/hooks'
import type { Mark } from '../../desk.ts'
import { Dialogue } from '../shell/dialogue.tsx'
import { orderOf } from './order-of.ts'
import { SeveritySign } from './severity-sign.tsx'

interface Props {
  readonly marks: readonly Mark[]
  readonly onMark: (mark: number) => void
  readonly onClose: () => void
}

/** How many are in the list at once. */
const pageSize = 200

/** All diagnostics, of all rules or of one. */
export function MarkList({ marks, onMark, onClose }: Props) {
  const [rule, setRule] = useState('')
  const [shown, setShown] = useState(pageSize)
  const counts = new Map<string, number>()
  for (const mark of marks) counts.set(mark.rule, (counts.get(mark.rule) ?? 0) + 1)
  const listed = orderOf(marks)
    .filter(index => rule === '' || marks[index].rule === rule)
    .map(index => [index, marks[index]] as const)
  return (
    <Dialogue title="All diagnostics" onClose={onClose}>
      {counts.size > 1 && (
        <label class="pick">
          <span aria-hidden="true">Rule</span>
          <select aria-label="Rule" value={rule} onChange={({ currentTarget }) => setRule(currentTarget.value)}>
            <option value="">all ({marks.length.toLocaleString('en')})</option>
            {[...counts].map(([rule, count]) => (
              <option key={rule} value={rule}>
                {rule} ({count.toLocaleString('en')})
              </option>
            ))}
          </select>
        </label>
      )}
      <ol class="mark-list">
        {listed.slice(0, shown).map(([index, mark]) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                onClose()
                onMark(index)
              }}
            >
              <span class="mark-rule">
                <SeveritySign severity={mark.severity} />
                <span class="sr-only">{mark.severity}: </span>
                {mark.rule}
              </span>
              <span class="mark-row">{mark.rows.length > 0 && `message ${mark.rows[0] + 1}`}</span>
              <span class="mark-message">{mark.message}</span>
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
