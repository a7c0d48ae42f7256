import type { Verdict } from '../../desk.ts'

interface Props {
  readonly verdicts: readonly Verdict[]
  readonly count: number
  /** The healed sheet is shown, and this is about the one that was found. */
  readonly isPast: boolean
  readonly onOpen: () => void
}

/** How many readers refuse the conversation. */
export function VerdictLine({ verdicts, count, isPast, onOpen }: Props) {
  if (count === 0) return null
  const refused = verdicts.filter(verdict => verdict.refused).length
  const isDone = verdicts.length >= count
  const state = isPast ? 'past' : refused > 0 ? 'refused' : isDone ? 'accepted' : 'asking'
  return (
    <button type="button" class={`verdict ${state}`} onClick={onOpen}>
      <span class="meter" aria-hidden="true">
        {Array.from(Array(count).keys(), place => (
          <i key={place} class={verdicts[place] ? (verdicts[place].refused ? 'no' : 'yes') : ''} />
        ))}
      </span>
      {isPast && 'before: '}
      {said(refused, verdicts.length, count)}
    </button>
  )
}

function said(refused: number, asked: number, count: number): string {
  if (asked < count)
    return refused === 0 ? `asking ${count} readers …` : `refused by ${refused} of ${asked} readers so far`
  if (refused > 0) return `refused by ${refused} of ${count} readers`
  return count === 1 ? 'accepted by its reader' : `accepted by all ${count} readers`
}
