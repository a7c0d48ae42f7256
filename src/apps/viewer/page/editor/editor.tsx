import { useEffect, useRef, useState } from 'preact/hooks'
import { readBody } from '../../../../heal/request/request-body.ts'
import type { Document } from '../../protocol.ts'
import { addStyles } from '../add-styles.ts'
import { readTexts } from '../drop/read-text.ts'
import styles from './editor.css?inline'

addStyles(styles)

interface Props {
  /** The open document; undefined on the start page. */
  readonly document: Document | undefined
  readonly model: string | undefined
  readonly onDocuments: (documents: readonly Document[]) => void
  readonly onModel: (model: string | undefined) => void
}

/** The history as text, next to its drawing. What is typed is drawn as soon as it can be read. */
export function Editor({ document, model, onDocuments, onModel }: Props) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  /** The document that the text is read as. */
  const own = useRef<Document>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (!document || document === own.current) return
    own.current = document
    clearTimeout(timer.current)
    setText(textOf(document))
    setProblem('')
  }, [document])
  useEffect(() => () => clearTimeout(timer.current), [])

  const change = (next: string): void => {
    setText(next)
    setProblem('')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => open(next), settleMs)
  }
  const open = (text: string): void => {
    if (text.trim() === '') return
    try {
      const found = readTexts('Edited history', text)
      const options = document?.kind === 'history' ? document.options : undefined
      const documents = found.map(one => (one.kind === 'history' && options ? { ...one, options } : one))
      own.current = documents.length === 1 ? documents[0] : undefined
      onDocuments(documents)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isLong = text === '' && document !== undefined
  const given = document?.kind === 'history' ? readBody(document.value)?.model : undefined
  return (
    <section class="editor" aria-label="Editor">
      <header>
        <h2>History</h2>
        <label class="pick">
          <span>Model</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            placeholder={given ?? 'any'}
            value={model ?? ''}
            onChange={({ currentTarget: { value } }) => onModel(value.trim() === '' ? undefined : value.trim())}
          />
        </label>
      </header>
      <textarea
        aria-label="History as text"
        spellcheck={false}
        autocomplete="off"
        placeholder={
          isLong
            ? 'Nothing to edit: the document is too long, or is not a history. Paste another one here.'
            : 'Paste a list of messages, a whole request, a curl command, a HAR, a log line or a Python value. It stays in this browser.'
        }
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p class="editor-problem" role="status">
        {problem}
      </p>
    </section>
  )
}

/** Typing is drawn after a short pause. */
const settleMs = 350
const textMax = 2 * 2 ** 20

/** A document as JSON; empty if it is too long for a text field, or not a history. */
function textOf(document: Document): string {
  if (document.kind !== 'history') return ''
  try {
    const text = JSON.stringify(document.value, null, 2)
    return text.length > textMax ? '' : text
  } catch {
    return ''
  }
}
