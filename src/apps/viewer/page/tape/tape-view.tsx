import { useEffect, useState } from 'preact/hooks'
import type { Inspection } from '../../../../observe/tape/inspect.ts'
import type { DocumentService } from '../../document-service.ts'
import type { Document, TapeDocument } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import styles from './tape.css?inline'
import { TimeLine } from './time-line.tsx'

addStyles(styles)

interface TapeViewProps {
  /** The service that has the tape open. */
  readonly service: DocumentService
  readonly document: TapeDocument
  /** Opens a request as a separate document. */
  onOpen(document: Document): void
}

/** The time line of a tape, as soon as it is analyzed. */
export function TapeView({ service, document: tape, onOpen }: TapeViewProps) {
  const [read, setRead] = useState<{ readonly of: TapeDocument; readonly inspection: Inspection | string }>()
  useEffect(() => {
    let isCurrent = true
    const show = (inspection: Inspection | string): void => {
      if (isCurrent) setRead({ of: tape, inspection })
    }
    service.inspection().then(show, error => show((error as Error).message))
    return () => {
      isCurrent = false
    }
  }, [service, tape])
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
        const request = await service.request(number)
        if (request) onOpen(request)
        return request !== undefined
      }}
    />
  )
}
