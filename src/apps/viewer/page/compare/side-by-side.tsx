import type { RefObject } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { DocumentService, OpenedDocument } from '../../document-service.ts'
import { MessageList } from '../messages/message-list.tsx'
import type { ListControl } from '../messages/use-list-control.ts'

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly title: string
  readonly current: number
  readonly currentDiagnostic: number | undefined
  readonly words: string
  readonly control: RefObject<ListControl | null>
  readonly onCurrent: (row: number) => void
  readonly onDiagnostic: (diagnostic: number | undefined) => void
}

type Side = 'before' | 'after'

/** How many rows further down a common message is looked for, if the one at the edge is not in the other list. */
const lookAhead = 12

/** Two lists, scrolled together: both have the same message at their upper edge. */
export function SideBySide({
  service,
  opened,
  title,
  current,
  currentDiagnostic,
  words,
  control,
  onCurrent,
  onDiagnostic,
}: Props) {
  const end = opened.steps.length
  const after = useRef<ListControl>(null)
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
        const row = await service.follow(from, top.row + ahead, to)
        if (leader.current !== side) return
        if (row !== undefined) return other.current?.align(Math.max(0, row - ahead), top.past)
      }
    },
    [service, end, control],
  )
  // The other list starts at the same message.
  const start = useRef(current).current
  useEffect(() => {
    follow('before')
    service.follow(0, start, end).then(row => setTwin(row ?? -1))
  }, [service, follow, start, end])
  const choose = async (side: Side, row: number): Promise<void> => {
    leader.current = side
    if (side === 'before') {
      onCurrent(row)
      setTwin((await service.follow(0, row, end)) ?? -1)
    } else {
      setTwin(row)
      onCurrent((await service.follow(end, row, 0)) ?? current)
    }
  }
  const lead = (side: Side) => (): void => {
    leader.current = side
  }
  const shared = { service, opened, words, onDiagnostic, hasMargin: false }
  return (
    <div class="side-by-side">
      <div class="side" onPointerEnter={lead('before')} onFocusCapture={lead('before')} onWheel={lead('before')}>
        <h2>Before</h2>
        <MessageList
          {...shared}
          step={0}
          label="Before"
          title={`${title}, before`}
          control={control}
          current={current}
          currentDiagnostic={currentDiagnostic}
          onCurrent={row => choose('before', row)}
          onScroll={() => follow('before')}
        />
      </div>
      <div class="side" onPointerEnter={lead('after')} onFocusCapture={lead('after')} onWheel={lead('after')}>
        <h2>After</h2>
        <MessageList
          {...shared}
          step={end}
          label="After"
          title={`${title}, after`}
          control={after}
          current={twin}
          currentDiagnostic={undefined}
          onCurrent={row => choose('after', row)}
          onScroll={() => follow('after')}
        />
      </div>
    </div>
  )
}
