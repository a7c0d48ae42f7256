import type { ArcKind } from '../../document-service.ts'

const kinds: readonly (readonly [ArcKind, string])[] = [
  ['paired', 'call and result'],
  ['misplaced', 'result out of place'],
  ['duplicate', 'one result too many'],
  ['orphan', 'result without a call'],
  ['open', 'call without a result'],
  ['waiting', 'call still in progress'],
]

/** What the arcs mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="What the arcs mean">
      <li class="legend-hint">Select a message to unfold it</li>
      {kinds.map(([kind, words]) => (
        <li key={kind}>
          <svg width="30" height="22" viewBox="0 0 30 22" aria-hidden="true">
            <Sample kind={kind} />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  )
}

const tall = 'M6 3C26 3 26 19 10 19'
const fromNowhere = 'M22 5C23 14 18 19 10 19'
const toNowhere = 'M6 3C15 3 22 7 22 15'

function Sample({ kind }: { readonly kind: ArcKind }) {
  const line = kind === 'orphan' ? fromNowhere : kind === 'open' || kind === 'waiting' ? toNowhere : tall
  return (
    <g class={`arc ${kind}`}>
      <path class="stroke" d={line} />
      {kind === 'duplicate' && <path class="core" d={line} />}
      {kind === 'orphan' && <circle class="end" cx="22" cy="4" r="3" />}
      {kind === 'open' && <circle class="end" cx="22" cy="18" r="3" />}
      {kind === 'waiting' && <path class="end" d="M20 15v6m4 -6v6" />}
    </g>
  )
}
