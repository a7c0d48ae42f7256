/** Who takes what is dropped on the page, or pasted. */
export interface Taker {
  files(files: readonly File[]): void
  text(text: string): void
  /** Something that can be dropped is held over the page, or no longer. */
  over(isOver: boolean): void
}

/** Listens on the whole page. What goes into a field stays the field's. Returns what ends it. */
export function catchDrops({ files, text, over }: Taker): () => void {
  // A drag crosses many elements: each says that it is left after the next one was entered.
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
