import { useState } from 'preact/hooks'
import type { DocumentService, OpenedDocument } from '../../document-service.ts'
import type { HistoryDocument } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import { Dialogue } from '../shell/dialogue.tsx'
import { commandFor } from './command-for.ts'
import { copyText } from './copy-text.ts'
import { reportText } from './report-text.ts'
import styles from './share.css?inline'
import { writeShared } from './shared-link.ts'

addStyles(styles)

interface Props {
  readonly service: DocumentService
  readonly opened: OpenedDocument
  readonly document: HistoryDocument
  readonly model: string | undefined
  /** The URL that opens a shared history in its present state; undefined if others cannot open this page. */
  readonly linkTo: ((item: string) => string) | undefined
  readonly onClose: () => void
}

/** Copies the repaired history, the report, the command that does the same, or a link. */
export function ShareDialogue({ service, opened, document, model, linkTo, onClose }: Props) {
  const [redacts, setRedacts] = useState(true)
  const [status, setStatus] = useState('')
  const command = commandFor(document.name, opened.dialect, model)
  const copy = async (what: string, text: () => Promise<string | undefined> | string): Promise<void> => {
    try {
      const found = await text()
      if (found === undefined) return setStatus('There is no repaired JSON.')
      setStatus((await copyText(found)) ? `${what} copied.` : `${what} could not be copied.`)
    } catch (error) {
      setStatus(`${what} could not be copied: ${error instanceof Error ? error.message : error}.`)
    }
  }
  return (
    <Dialogue title="Copy or share" onClose={onClose}>
      <div class="share">
        <section>
          <h3>The repair</h3>
          <p class="share-buttons">
            <button type="button" class="button" onClick={() => copy('Repaired JSON', () => service.healed())}>
              Copy repaired JSON
            </button>
            <button type="button" class="button" onClick={() => copy('Report', () => reportText(opened))}>
              Copy report
            </button>
          </p>
        </section>
        <section>
          <h3>The command that does the same</h3>
          <p>
            <code class="share-command">{command}</code>
          </p>
          <p class="share-buttons">
            <button type="button" class="button" onClick={() => copy('Command', () => command)}>
              Copy command
            </button>
          </p>
        </section>
        <section>
          <h3>A link to this view</h3>
          {linkTo ? (
            <>
              <p>
                The history is in the link itself, after the #, and is not sent to any server. Everyone who has the link
                can read it. What looks like a key or a password, or is in a field of that name, is removed.
              </p>
              <label class="share-choice">
                <input
                  type="checkbox"
                  checked={redacts}
                  onChange={({ currentTarget }) => setRedacts(currentTarget.checked)}
                />
                Replace all text with filler of the same length. Roles, ids and tool names stay.
              </label>
              <p class="share-buttons">
                <button
                  type="button"
                  class="button primary"
                  onClick={() => copy('Link', async () => linkTo(await writeShared(document, redacts)))}
                >
                  Copy link
                </button>
              </p>
            </>
          ) : (
            <p>
              Others cannot open this page, which is on your machine. To share a link, open the history in the
              playground of the site.
            </p>
          )}
        </section>
        <p role="status" class="share-status">
          {status}
        </p>
      </div>
    </Dialogue>
  )
}
