import { useState } from 'preact/hooks'
import type { StoreAction, StoredDocument } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import { copyText } from '../share/copy-text.ts'
import type { Transport } from '../transport.ts'
import { visibleText } from '../visible-text.ts'
import styles from './store.css?inline'

addStyles(styles)

interface Props {
  readonly transport: Transport
  /** The server can be reached. */
  readonly isThere: boolean
  readonly source: string
  readonly item: string
  readonly document: StoredDocument
  /** Shows the repaired conversation, or the stored one. */
  onPreview(isShown: boolean): void
  /** The store has changed. */
  onChange(): void
}

/** Repairs a session in the store of its program, after a preview, and undoes that. Without a server it only shows the command. */
export function StorePanel({ transport, isThere, source, item, document, onPreview, onChange }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [status, setStatus] = useState<{ readonly line: string; readonly isError: boolean }>()
  const { fix, undo } = document
  if (!fix && !undo && !status) return null
  const repair = isThere ? transport.repair : undefined
  const ask = (isAsked: boolean): void => {
    setAsking(isAsked)
    onPreview(isAsked)
  }
  const act = async (action: StoreAction): Promise<void> => {
    if (!repair || isBusy) return
    setBusy(true)
    try {
      setStatus({ line: (await repair(source, item, action)).message, isError: false })
    } catch (error) {
      setStatus({ line: `Nothing was changed: ${(error as Error).message}`, isError: true })
    } finally {
      setBusy(false)
      ask(false)
      onChange()
    }
  }
  return (
    <section class="store-panel" aria-label="Repair in the store">
      {fix && isAsking && (
        <p class="store-line">
          <span>This is the session as it would be. A backup of the store is made first.</span>
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void act({ do: 'fix' })}>
            Heal now
          </button>
          <button type="button" class="button" disabled={isBusy} onClick={() => ask(false)}>
            Cancel
          </button>
        </p>
      )}
      {fix && !isAsking && (
        <p class="store-line">
          {repair && (
            <button type="button" class="button primary" onClick={() => ask(true)}>
              Heal …
            </button>
          )}
          <Command command={fix.command} />
        </p>
      )}
      {undo && !isAsking && (
        <p class="store-line">
          {repair && (
            <button type="button" class="button" disabled={isBusy} onClick={() => void act({ do: 'undo' })}>
              Undo the repair
            </button>
          )}
          <Command command={undo.command} />
        </p>
      )}
      <p role="status" class={status?.isError ? 'store-status error' : 'store-status'}>
        {status?.line}
      </p>
    </section>
  )
}

/** A command with a button that copies it, unless a character of it cannot be seen. */
function Command({ command }: { readonly command: string }) {
  const [status, setStatus] = useState('')
  const copy = async (): Promise<void> => setStatus((await copyText(command)) ? 'Copied' : 'Could not be copied')
  const shown = visibleText(command)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <code class="store-command" tabIndex={0}>
        {shown}
      </code>
      {shown === command && (
        <button type="button" class="button quiet" onClick={() => void copy()}>
          Copy command
        </button>
      )}
      <span role="status" class="store-copied">
        {status}
      </span>
    </>
  )
}
