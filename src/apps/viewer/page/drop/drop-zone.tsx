import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Document } from '../../protocol.ts'
import { adopt } from '../adopt.ts'
import { catchDrops } from './catch-drops.ts'
import styles from './drop.css?inline'
import { Opening } from './opening.ts'
import { readFile } from './read-file.ts'
import { readText } from './read-text.ts'

adopt(styles)

interface DropZoneProps {
  onDocument(document: Document): void
  /** One clear line on what could not be read. */
  onTrouble(line: string): void
  readonly children?: ComponentChildren
}

/** Takes files that are dropped anywhere on the page, or chosen, and JSON that is pasted. Nothing leaves the browser. */
export function DropZone({ onDocument, onTrouble, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const [reading, setReading] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  /** Opens what is read, or gives back one line on why it cannot be. */
  const attempt = async (read: () => Document | Promise<Document>): Promise<string[]> => {
    try {
      onDocument(await read())
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  }
  // It is said at the end, since whatever is opened takes away what was said before.
  const say = (troubles: readonly string[]): void => {
    if (troubles.length > 0) onTrouble(troubles.join('; '))
  }
  const openFiles = async (files: readonly File[]): Promise<void> => {
    const troubles: string[] = []
    for (const file of files) {
      if (file.size > quickBytes) {
        setReading(file.name)
        await nextFrame()
      }
      troubles.push(...(await attempt(() => readFile(file))))
    }
    setReading(undefined)
    say(troubles)
  }
  const openText = async (text: string): Promise<void> => say(await attempt(() => readText('what was pasted', text)))
  const deeds = useRef({ openFiles, openText })
  deeds.current = { openFiles, openText }
  useEffect(
    () =>
      catchDrops({
        files: files => void deeds.current.openFiles(files),
        text: text => void deeds.current.openText(text),
        over: setOver,
      }),
    [],
  )
  const choose = (event: Event): void => {
    const { files } = event.currentTarget as HTMLInputElement
    void openFiles([...(files ?? [])])
    // The same file may be chosen again.
    if (field.current) field.current.value = ''
  }
  return (
    <Opening.Provider value={{ choose: () => field.current?.click(), paste: text => void openText(text) }}>
      {children}
      <input ref={field} class="drop-input" type="file" multiple tabIndex={-1} aria-hidden="true" onChange={choose} />
      {isOver && (
        <div class="drop-veil" aria-hidden="true">
          <p>
            <strong>Drop to open</strong>
            <span>It stays in this browser.</span>
          </p>
        </div>
      )}
      <p class="drop-reading" role="status">
        {reading !== undefined && `Reading ${reading} …`}
      </p>
    </Opening.Provider>
  )
}

/** What is read so soon that nothing need be said. */
const quickBytes = 2 ** 20

/** So that what was set is on the screen before the page is busy. A hidden page has no frames. */
const nextFrame = (): Promise<unknown> =>
  Promise.race([
    new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise(resolve => setTimeout(resolve, 100)),
  ])
