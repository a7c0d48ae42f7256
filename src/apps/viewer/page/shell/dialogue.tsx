import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. Escape and a click outside close it, and the focus returns to where it was. */
export function Dialogue({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = element
    const last = document.activeElement
    current?.showModal()
    return () => {
      current?.close()
      if (last instanceof HTMLElement) last.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={element}
      class="dialogue"
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="dialogue-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="button quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
