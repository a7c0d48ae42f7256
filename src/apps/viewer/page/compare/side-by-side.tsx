import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Desk, Opened } from '../../desk.ts'
import { Sheet } from '../score/sheet.tsx'
import type { SheetControl } from '../score/use-control.ts'

interface Props {
  readonly desk: Desk
  readonly opened: Opened
  readonly title: string
  readonly current: number
  readonly currentMark: number | undefined
  readonly words: string
  readonly control: RefObject<SheetControl | null>
  readonly onCurrent: (row: number) => void
  readonly onMark: (mark: number | undefined) => void
}

type Side = 'before' | 'after'

/** How many rows further down a message is looked for, if the one at the edge is not on the other sheet. */
const lookAhead = 12

/** Two sheets, scrolled together: what is at the upper edge of one is at the upper edge of the other. */
export function SideBySide({ desk, opened, title, current, currentMark, words, control, onCurrent, onMark }: Props) {
  const end = opened.steps.length
  const after = useRef<SheetControl>(null)
  const leader = useRef<Side>('before')
  const [twin, setTwin] = useState(0)

  const follow = useCallback(
    async (side: Side): Promise<void> => {
      if (leader.current !== side) return
      const [from, to] = side === 'before' ? [0, end] : [end, 0]
      const [led, other] = side === 'before' ? [control, after] : [after, control]
      const top = led.current?.top()
      if (!top) return
      for (let ahead = 0; ahead < lookAhead; ahead++) {
        const row = await desk.follow(from, top.row + ahead, to)
        if (leader.current !== side) return
        if (row !== undefined) return other.current?.align(Math.max(0, row - ahead), top.past)
      }
    },
    [desk, end, control],
  )
  // The other sheet begins where this one does.
  const start = useRef(current).current
  useEffect(() => {
    follow('before')
    desk.follow(0, start, end).then(row => setTwin(row ?? -1))
  }, [desk, follow, start, end])
  const choose = async (side: Side, row: number): Promise<void> => {
    leader.current = side
    if (side === 'before') {
      onCurrent(row)
      setTwin((await desk.follow(0, row, end)) ?? -1)
    } else {
      setTwin(row)
      onCurrent((await desk.follow(end, row, 0)) ?? current)
    }
  }
  const lead = (side: Side) => (): void => {
    leader.current = side
  }
  const shared = { desk, opened, words, onMark, hasMargin: false }
  return (
    <div class="side-by-side">
      <div class="side" onPointerEnter={lead('before')} onFocusCapture={lead('before')} onWheel={lead('before')}>
        <h2>Before</h2>
        <Sheet
          {...shared}
          step={0}
          label="Before"
          title={`${title}, before`}
          control={control}
          current={current}
          currentMark={currentMark}
          onCurrent={row => choose('before', row)}
          onScroll={() => follow('before')}
        />
      </div>
      <div class="side" onPointerEnter={lead('after')} onFocusCapture={lead('after')} onWheel={lead('after')}>
        <h2>After</h2>
        <Sheet
          {...shared}
          step={end}
          label="After"
          title={`${title}, after`}
          control={after}
          current={twin}
          currentMark={undefined}
          onCurrent={row => choose('after', row)}
          onScroll={() => follow('after')}
        />
      </div>
    </div>
  )
}
