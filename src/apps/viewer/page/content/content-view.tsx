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

/** How many blocks are shown at first, and how many more with each click. */
const blocksMax = 100
const moreBlocks = 500

/** The content of a message. It is loaded when the message is unfolded. Many blocks are shown in parts. */
export function ContentView({ service, opened, step, row, words }: Props) {
  const [content, setContent] = useState(() => cachedContent(opened, step, row.index))
  const [errorText, setErrorText] = useState<string>()
  const [shown, setShown] = useState(blocksMax)
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
  const blocks = content?.blocks ?? []
  return (
    <div class="content">
      {row.at && <p class="content-at">{row.at}</p>}
      {errorText && <p class="error-text">{errorText}</p>}
      {Array.from(blocks.slice(0, shown).entries(), ([place, block]) => (
        <BlockView key={place} block={block} words={words} />
      ))}
      {content?.blocks.length === 0 && <p class="content-at">Empty.</p>}
      {blocks.length > shown && (
        <button type="button" class="button small" onClick={() => setShown(shown + moreBlocks)}>
          Show more ({(blocks.length - shown).toLocaleString('en')} left)
        </button>
      )}
    </div>
  )
}
