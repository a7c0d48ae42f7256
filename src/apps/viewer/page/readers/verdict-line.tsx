import type { DialectId } from '../../../../core/dialects/index.ts'
import type { Verdict } from '../../desk.ts'

interface Props {
  readonly verdicts: readonly Verdict[]
  readonly count: number
  readonly reader: DialectId | undefined
  /** The healed sheet is shown, and this is about the one that was found. */
  readonly isPast: boolean
  readonly onOpen: () => void
}

/** How many readers refuse the conversation. It is no alarm if the one that is chosen takes it, unless that one takes anything. */
export function VerdictLine({ verdicts, count, reader, isPast, onOpen }: Props) {
  if (count === 0) return null
  const refused = verdicts.filter(verdict => verdict.refused).length
  const isDone = verdicts.length >= count
  const chosen = reader === 'lenient' ? undefined : verdicts.find(verdict => verdict.reader === reader)
  const isElsewhere = chosen?.refused === false
  const some = isElsewhere ? 'elsewhere' : 'refused'
  const state = isPast ? 'past' : refused > 0 ? some : isDone ? 'accepted' : 'asking'
  return (
    <button type="button" class={`verdict ${state}`} onClick={onOpen}>
      <span class="meter" aria-hidden="true">
        {Array.from(Array(count).keys(), place => (
          <i key={place} class={verdicts[place] ? (verdicts[place].refused ? 'no' : 'yes') : ''} />
        ))}
      </span>
      {isPast && 'before: '}
      {said(refused, verdicts.length, count, isElsewhere)}
    </button>
  )
}

function said(refused: number, asked: number, count: number, isElsewhere: boolean): string {
  if (asked < count && refused === 0) return `asking ${count} readers …`
  const others = `${refused} of ${asked} readers`
  const soFar = asked < count ? ' so far' : ''
  if (refused > 0) return isElsewhere ? `${others} would refuse it${soFar}` : `refused by ${others}${soFar}`
  return count === 1 ? 'accepted by its reader' : `accepted by all ${count} readers`
}
