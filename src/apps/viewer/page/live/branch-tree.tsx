import type { BranchFacts } from '../../protocol.ts'
import type { ThreadActions } from './use-actions.ts'

interface BranchTreeProps {
  readonly branches: readonly BranchFacts[]
  /** Absent where no action is possible. */
  readonly act?: ThreadActions['act']
  readonly isBusy: boolean
}

/** The branches of a thread, each under the one that it left. */
export function BranchTree({ branches, act, isBusy }: BranchTreeProps) {
  const known = new Set(branches.map(({ branch }) => branch))
  const isRoot = ({ from }: BranchFacts): boolean => from === undefined || !known.has(from)
  return <ul class="live-branches">{branches.filter(isRoot).map(draw)}</ul>

  function draw({ branch, title, isCurrent }: BranchFacts) {
    const below = branches.filter(({ from }) => from === branch)
    const name = branch === 1 ? 'Main branch' : `Branch ${branch}`
    return (
      <li key={branch} data-branch={branch} aria-current={isCurrent ? 'true' : undefined}>
        <p class="live-branch">
          <span class="live-faint">{name}</span> <span dir="auto">{title}</span>
          {isCurrent && <strong>current</strong>}
          {!isCurrent && act && (
            <button
              type="button"
              class="button small"
              disabled={isBusy}
              aria-label={`Switch to ${name.toLowerCase()}`}
              onClick={() => void act({ do: 'switch', branch })}
            >
              Switch
            </button>
          )}
        </p>
        {below.length > 0 && <ul>{below.map(draw)}</ul>}
      </li>
    )
  }
}
