import { useMemo, useState } from 'preact/hooks'
import { formatDuration } from '../../../../observe/tape/format-duration.ts'
import type { Inspection } from '../../../../observe/tape/inspect.ts'
import type { TapeDocument } from '../../protocol.ts'
import { FirstFailureCard } from './first-failure-card.tsx'
import { TapeLine } from './tape-line.tsx'
import { tapeRows } from './tape-rows.ts'
import { timeScale } from './time-scale.ts'

interface TimeLineProps {
  readonly tape: TapeDocument
  readonly inspection: Inspection
  /** Opens the messages of a request. False if it has none. */
  onOpen(request: number): Promise<boolean>
}

/** Requests and calls as bars over time, user input, and the first failure. */
export function TimeLine({ tape, inspection, onOpen }: TimeLineProps) {
  const rows = useMemo(() => tapeRows(tape.entries, inspection), [tape, inspection])
  const scale = useMemo(() => timeScale(rows.flatMap(({ at, until = at }) => [at, until])), [rows])
  const failureRow = rows.findIndex(({ isFirstFailure }) => isFirstFailure)
  const [[from, to], setRange] = useState(() => around(failureRow, rows.length))
  const [errorText, setErrorText] = useState<string>()
  const { requests, calls, firstFailure } = inspection
  const start = rows[0]?.at ?? 0
  const end = rows.reduce((latest, { at, until = at }) => Math.max(latest, until), start)

  const open = async (number: number): Promise<void> => {
    setErrorText(undefined)
    if (!(await onOpen(number))) setErrorText(`Request ${number} has no history that can be shown.`)
  }
  return (
    <section class="tape" aria-label="Time line">
      <p class="tape-facts">
        {[
          plural(requests.length, 'request'),
          plural(calls.length, 'call'),
          formatDuration(end - start),
          tape.redacted ? 'redacted' : 'not redacted',
        ].join(' · ')}
      </p>
      {firstFailure ? (
        <FirstFailureCard failure={firstFailure} onOpen={() => void open(firstFailure.request)} />
      ) : (
        <p class="tape-fine">No request on this tape is malformed, and none was rejected.</p>
      )}
      <p class="tape-error" role="status">
        {errorText}
      </p>
      <Faults faults={tape.faults} />
      {from > 0 && (
        <button type="button" class="button" onClick={() => setRange([Math.max(0, from - pageSize), to])}>
          Show {Math.min(pageSize, from)} earlier
        </button>
      )}
      <ol class="tape-rows" start={from + 1}>
        {rows.slice(from, to).map(row => (
          <TapeLine
            key={row.key}
            row={row}
            start={start}
            scale={scale}
            failureAt={rows[failureRow]?.at}
            onOpen={number => void open(number)}
          />
        ))}
      </ol>
      {to < rows.length && (
        <button type="button" class="button" onClick={() => setRange([from, to + pageSize])}>
          Show {Math.min(pageSize, rows.length - to)} later
        </button>
      )}
    </section>
  )
}

const pageSize = 200

/** The first rows, or those around the first failure. */
function around(failure: number, length: number): readonly [number, number] {
  const from = failure < pageSize ? 0 : failure - pageSize / 2
  return [from, Math.min(length, from + pageSize)]
}

const plural = (count: number, word: string): string => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

function Faults({ faults }: { readonly faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <details class="tape-faults">
      <summary>{faults.length === 1 ? 'One line cannot be read' : `${faults.length} lines cannot be read`}</summary>
      <ul>
        {faults.slice(0, 50).map(fault => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </details>
  )
}
