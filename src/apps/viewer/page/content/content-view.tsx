import { useEffect, useState } from 'preact/hooks'
import type { DocumentService, MessageRow, OpenedDocument } from '../../document-service.ts'
import { BlockView } from './block-view.tsx'
import { cachedContent, loadContent } from './content-cache.ts'

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly step: number
  readonly row: MessageRow
  readonly words: string
}

/** The whole content of a message. It is loaded when the message is unfolded. */
export function ContentView({ service, opened, step, row, words }: Props) {
  const [content, setContent] = useState(() => cachedContent(opened, step, row.index))
  const [errorText, setErrorText] = useState<string>()
  useEffect(() => {
    let isOver = false
    loadContent(service, opened, step, row.index).then(
      content => !isOver && setContent(content),
      (error: unknown) => !isOver && setErrorText(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isOver = true
    }
  }, [service, opened, step, row.index])
  return (
    <div class="content">
      {row.at && <p class="content-at">{row.at}</p>}
      {errorText && <p class="error-text">{errorText}</p>}
      {Array.from(content?.blocks.entries() ?? [], ([place, block]) => (
        <BlockView key={place} block={block} words={words} />
      ))}
      {content?.blocks.length === 0 && <p class="content-at">Empty.</p>}
    </div>
  )
}
