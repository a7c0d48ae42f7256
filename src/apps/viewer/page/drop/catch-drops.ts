/** Handles what is dropped on the page, or pasted. */
export interface DropHandlers {
  files(files: readonly File[]): void
  text(text: string): void
  /** Files are dragged over the page, or no longer. */
  over(isOver: boolean): void
}

/** Listens on the whole page. Pasting into an input field is not handled. Returns a function that stops it. */
export function catchDrops({ files, text, over }: DropHandlers): () => void {
  // Each element fires dragleave after the next one fires dragenter.
  let depth = 0
  const listening = new AbortController()
  const on = <Kind extends keyof WindowEventMap>(kind: Kind, listener: (event: WindowEventMap[Kind]) => void): void =>
    window.addEventListener(kind, listener, { signal: listening.signal })
  const take = (event: Event, data: DataTransfer | null): void => {
    const found = [...(data?.files ?? [])]
    const words = data?.getData('text/plain') ?? ''
    if (found.length === 0 && (words === '' || isField(event.target))) return
    event.preventDefault()
    if (found.length > 0) files(found)
    else text(words)
  }
  on('dragenter', event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth++
    over(true)
  })
  on('dragover', event => {
    if (hasFiles(event)) event.preventDefault()
  })
  on('dragleave', event => {
    if (!hasFiles(event)) return
    depth = Math.max(0, depth - 1)
    if (depth === 0) over(false)
  })
  on('drop', event => {
    depth = 0
    over(false)
    take(event, event.dataTransfer)
  })
  on('paste', event => take(event, event.clipboardData))
  return () => listening.abort()
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
