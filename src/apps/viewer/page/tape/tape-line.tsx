import { formatDuration } from '../../../../observe/tape/format-duration.ts'
import type { RowSign, TapeRow } from './tape-rows.ts'
import type { TimeScale } from './time-scale.ts'

interface TapeLineProps {
  readonly row: TapeRow
  /** When the tape begins. */
  readonly start: number
  readonly scale: TimeScale
  /** The time of the first failure. */
  readonly failureAt: number | undefined
  onOpen(request: number): void
}

/** One event of the time line: a description, and a bar for its time. */
export function TapeLine({ row, start, scale, failureAt, onOpen }: TapeLineProps) {
  const { kind, at, until, isOpen, title, sign, words, request, isFirstFailure } = row
  const left = scale.place(at)
  const right = until === undefined ? left : scale.place(until)
  return (
    <li
      class={`tape-row kind-${kind} sign-${sign}${isFirstFailure ? ' is-first-failure' : ''}`}
      data-kind={kind}
      data-key={row.key}
    >
      <div class="tape-label">
        <p class="tape-title">
          <Sign sign={sign} />
          {request === undefined ? (
            <span class="tape-name">{title}</span>
          ) : (
            <button type="button" class="tape-open" onClick={() => onOpen(request)}>
              {title}
            </button>
          )}
          <span class="tape-time">
            +{formatDuration(at - start)}
            {until !== undefined && !isOpen && `, ${formatDuration(until - at)} long`}
          </span>
        </p>
        {isFirstFailure && <p class="tape-here">first failure</p>}
        {words.map(line => (
          <p key={line} class="tape-words">
            {line}
          </p>
        ))}
      </div>
      <div class="tape-track" aria-hidden="true">
        {failureAt !== undefined && <i class="tape-failure-line" style={{ left: percent(scale.place(failureAt)) }} />}
        {scale.breaks.map(({ place, ms }) => (
          <i
            key={place}
            class="tape-break"
            style={{ left: percent(place) }}
            title={`${formatDuration(ms)} without events`}
          />
        ))}
        <i
          class={`tape-bar${isOpen ? ' is-open' : ''}${until === undefined ? ' is-point' : ''}`}
          style={until === undefined ? { left: percent(left) } : { left: percent(left), width: percent(right - left) }}
        />
      </div>
    </li>
  )
}

const percent = (part: number): string => `${(100 * part).toFixed(3)}%`

const paths: Record<RowSign, string> = {
  good: 'M2 6.5l2.8 2.8L10 3.4',
  bad: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
  doubt: 'M6 1.8v5M6 10v.1',
  open: 'M1.5 6h.1M6 6h.1M10.5 6h.1',
  none: 'M6 3a3 3 0 1 0 0 6a3 3 0 1 0 0-6z',
}

const Sign = ({ sign }: { readonly sign: RowSign }) => (
  <svg class="tape-sign" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
    <path d={paths[sign]} />
  </svg>
)
