import { useEffect, useState } from 'preact/hooks'
import type { Desk, Opened, Row } from '../../desk.ts'
import { BlockView } from './block-view.tsx'
import { knownContent, readContent } from './contents.ts'

interface Props {
  readonly desk: Desk
  readonly opened: Opened
  readonly step: number
  readonly row: Row
  readonly words: string
}

/** All of what a message holds. It is asked for only now: what is folded is never sent over. */
export function ContentView({ desk, opened, step, row, words }: Props) {
  const [content, setContent] = useState(() => knownContent(opened, step, row.index))
  const [trouble, setTrouble] = useState<string>()
  useEffect(() => {
    let isOver = false
    readContent(desk, opened, step, row.index).then(
      content => !isOver && setContent(content),
      (error: unknown) => !isOver && setTrouble(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isOver = true
    }
  }, [desk, opened, step, row.index])
  return (
    <div class="content">
      {row.at && <p class="content-at">{row.at}</p>}
      {trouble && <p class="trouble">{trouble}</p>}
      {Array.from(content?.blocks.entries() ?? [], ([place, block]) => (
        <BlockView key={place} block={block} words={words} />
      ))}
      {content?.blocks.length === 0 && <p class="content-at">It holds nothing.</p>}
    </div>
  )
}
