import { useContext, useId, useRef } from 'preact/hooks'
import { FileOpener } from './file-opener.ts'

/** A dialog with a text field for JSON. */
export function PasteButton({ label = 'Paste JSON …' }: { readonly label?: string }) {
  const { paste } = useContext(FileOpener)
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const title = useId()
  const open = (event: Event): void => {
    event.preventDefault()
    const text = field.current?.value ?? ''
    dialog.current?.close()
    if (field.current) field.current.value = ''
    if (text.trim() !== '') paste(text)
  }
  return (
    <>
      <button type="button" class="button" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} class="paste" aria-labelledby={title}>
        <form onSubmit={open}>
          <h2 id={title}>Paste JSON</h2>
          <p>
            A list of messages, a whole request, a curl command, a HAR, a log line, a Python value, or a tape. It stays
            in this browser.
          </p>
          <textarea ref={field} aria-labelledby={title} rows={12} spellcheck={false} autocomplete="off" />
          <p class="paste-buttons">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="button primary">
              Open
            </button>
          </p>
        </form>
      </dialog>
    </>
  )
}
