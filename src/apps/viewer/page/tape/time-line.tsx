import { useMemo, useState } from 'preact/hooks'
import { formatDuration } from '../../../../observe/tape/format-duration.ts'
import type { Inspection } from '../../../../observe/tape/inspect.ts'
import type { TapeDocument } from '../../protocol.ts'
import { MomentCard } from './moment-card.tsx'
import { TapeLine } from './tape-line.tsx'
import { tapeRows } from './tape-rows.ts'
import { timeScale } from './time-scale.ts'

interface TimeLineProps {
  readonly tape: TapeDocument
  readonly inspection: Inspection
  /** Opens a request as a sheet. False if there is nothing in it to draw. */
  onOpen(request: number): Promise<boolean>
}

/** Requests and calls as bars over time, what was said meanwhile, and where it went wrong. */
export function TimeLine({ tape, inspection, onOpen }: TimeLineProps) {
  const rows = useMemo(() => tapeRows(tape.entries, inspection), [tape, inspection])
  const scale = useMemo(() => timeScale(rows.flatMap(({ at, until = at }) => [at, until])), [rows])
  const momentRow = rows.findIndex(({ isMoment }) => isMoment)
  const [[from, to], setRange] = useState(() => around(momentRow, rows.length))
  const [trouble, setTrouble] = useState<string>()
  const { requests, calls, firstFailure: moment } = inspection
  const start = rows[0]?.at ?? 0
  const end = rows.reduce((latest, { at, until = at }) => Math.max(latest, until), start)

  const open = async (number: number): Promise<void> => {
    setTrouble(undefined)
    if (!(await onOpen(number))) setTrouble(`Request ${number} has no history that can be drawn.`)
  }
  return (
    <section class="tape" aria-label="Time line">
      <p class="tape-facts">
        {[
          plural(requests.length, 'request'),
          plural(calls.length, 'call'),
          formatDuration(end - start),
          tape.redacted ? 'without what was said' : 'with what was said',
        ].join(' · ')}
      </p>
      {moment ? (
        <MomentCard moment={moment} onOpen={() => void open(moment.request)} />
      ) : (
        <p class="tape-fine">No request on this tape is malformed, and none was refused.</p>
      )}
      <p class="tape-trouble" role="status">
        {trouble}
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
            momentAt={rows[momentRow]?.at}
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

/** The first rows, or those around the moment. */
function around(moment: number, length: number): readonly [number, number] {
  const from = moment < pageSize ? 0 : moment - pageSize / 2
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
