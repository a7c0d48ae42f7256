import type { DialectId } from '../../../../core/dialects/index.ts'
import type { ProviderVerdict } from '../../document-service.ts'

interface Props {
  readonly verdicts: readonly ProviderVerdict[]
  readonly count: number
  readonly dialect: DialectId | undefined
  /** The repaired history is shown; the verdicts are about the original. */
  readonly isPast: boolean
  readonly onOpen: () => void
}

/** How many providers reject the conversation. Not shown as an error if the chosen one accepts it, except for `lenient`. */
export function VerdictLine({ verdicts, count, dialect, isPast, onOpen }: Props) {
  if (count === 0) return null
  const rejected = verdicts.filter(verdict => verdict.rejected).length
  const isDone = verdicts.length >= count
  const chosen = dialect === 'lenient' ? undefined : verdicts.find(verdict => verdict.dialect === dialect)
  const isElsewhere = chosen?.rejected === false
  const some = isElsewhere ? 'elsewhere' : 'rejected'
  const state = isPast ? 'past' : rejected > 0 ? some : isDone ? 'accepted' : 'asking'
  return (
    <button type="button" class={`verdict ${state}`} onClick={onOpen}>
      <span class="meter" aria-hidden="true">
        {Array.from(Array(count).keys(), place => (
          <i key={place} class={verdicts[place] ? (verdicts[place].rejected ? 'no' : 'yes') : ''} />
        ))}
      </span>
      {isPast && 'before: '}
      {status(rejected, verdicts.length, count, isElsewhere)}
    </button>
  )
}

function status(rejected: number, asked: number, count: number, isElsewhere: boolean): string {
  if (asked < count && rejected === 0) return `checking ${count} providers …`
  const others = `${rejected} of ${asked} providers`
  const soFar = asked < count ? ' so far' : ''
  if (rejected > 0) return isElsewhere ? `${others} would reject it${soFar}` : `rejected by ${others}${soFar}`
  return count === 1 ? 'accepted by its provider' : `accepted by all ${count} providers`
}
