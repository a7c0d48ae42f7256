import { useEffect, useState } from 'preact/hooks'
import type { Inspection } from '../../../../observe/tape/inspect.ts'
import type { Desk } from '../../desk.ts'
import type { Document, TapeDocument } from '../../protocol.ts'
import { adopt } from '../adopt.ts'
import styles from './tape.css?inline'
import { TimeLine } from './time-line.tsx'

adopt(styles)

interface TapeViewProps {
  /** Has the tape open. */
  readonly desk: Desk
  readonly document: TapeDocument
  /** Opens a request as a sheet of its own. */
  onOpen(document: Document): void
}

/** What a tape tells, as soon as the desk has read it. */
export function TapeView({ desk, document: tape, onOpen }: TapeViewProps) {
  const [read, setRead] = useState<{ readonly of: TapeDocument; readonly inspection: Inspection | string }>()
  useEffect(() => {
    let isCurrent = true
    const tell = (inspection: Inspection | string): void => {
      if (isCurrent) setRead({ of: tape, inspection })
    }
    desk.inspection().then(tell, error => tell((error as Error).message))
    return () => {
      isCurrent = false
    }
  }, [desk, tape])
  const inspection = read?.of === tape ? read.inspection : 'Reading the tape …'
  if (typeof inspection === 'string')
    return (
      <p class="tape-wait" role="status">
        {inspection}
      </p>
    )
  return (
    <TimeLine
      tape={tape}
      inspection={inspection}
      onOpen={async number => {
        const request = await desk.request(number)
        if (request) onOpen(request)
        return request !== undefined
      }}
    />
  )
}
