import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Document } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import { catchDrops } from './catch-drops.ts'
import styles from './drop.css?inline'
import { FileOpener } from './file-opener.ts'
import { readFile } from './read-file.ts'
import { readTexts } from './read-text.ts'

addStyles(styles)

interface DropZoneProps {
  onDocument(document: Document): void
  /** One line on what could not be read. */
  onError(line: string): void
  readonly children?: ComponentChildren
}

/** Opens files that are dropped anywhere on the page or chosen, and pasted text. Nothing leaves the browser. */
export function DropZone({ onDocument, onError, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const [fileName, setFileName] = useState<string>()
  const field = useRef<HTMLInputElement>(null)

  /** Opens a document, or returns one line on why it cannot be read. */
  const attempt = async (read: () => Document[] | Promise<Document[]>): Promise<string[]> => {
    try {
      for (const document of await read()) onDocument(document)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  }
  // Reported last, because opening a document clears the message.
  const say = (failures: readonly string[]): void => {
    if (failures.length > 0) onError(failures.join('; '))
  }
  const openFiles = async (files: readonly File[]): Promise<void> => {
    const failures: string[] = []
    for (const file of files) {
      if (file.size > quickBytes) {
        setFileName(file.name)
        await nextFrame()
      }
      failures.push(...(await attempt(() => readFile(file))))
    }
    setFileName(undefined)
    say(failures)
  }
  const openText = async (text: string): Promise<void> => say(await attempt(() => readTexts('what was pasted', text)))
  const actions = useRef({ openFiles, openText })
  actions.current = { openFiles, openText }
  useEffect(
    () =>
      catchDrops({
        files: files => void actions.current.openFiles(files),
        text: text => void actions.current.openText(text),
        over: setOver,
      }),
    [],
  )
  const choose = (event: Event): void => {
    const { files } = event.currentTarget as HTMLInputElement
    void openFiles([...(files ?? [])])
    // Otherwise choosing the same file again would fire no event.
    if (field.current) field.current.value = ''
  }
  return (
    <FileOpener.Provider value={{ choose: () => field.current?.click(), paste: text => void openText(text) }}>
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
        {fileName !== undefined && `Reading ${fileName} …`}
      </p>
    </FileOpener.Provider>
  )
}

/** Smaller files are read without a message. */
const quickBytes = 2 ** 20

/** Lets the browser paint before the page is busy. A hidden page has no frames, hence the timeout. */
const nextFrame = (): Promise<unknown> =>
  Promise.race([
    new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise(resolve => setTimeout(resolve, 100)),
  ])
