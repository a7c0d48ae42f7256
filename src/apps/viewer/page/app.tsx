import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { DocumentService, OpenChoices, OpenedDocument } from '../document-service.ts'
import type { Document, ThreadFacts } from '../protocol.ts'
import { Catalogue } from './catalogue/catalogue.tsx'
import { pathEnd } from './catalogue/path-end.ts'
import { ChooseButton } from './drop/choose-button.tsx'
import { DropZone } from './drop/drop-zone.tsx'
import { Editor } from './editor/editor.tsx'
import { LivePanel } from './live/live-panel.tsx'
import { useConnection } from './live/use-connection.ts'
import { readShared } from './share/shared-link.ts'
import { DocumentView } from './shell/document-view.tsx'
import { firstItem } from './shell/first-item.ts'
import { KeysDialogue } from './shell/keys-dialogue.tsx'
import { Logo } from './shell/logo.tsx'
import {
  exampleDocument,
  exampleSource,
  firstMessages,
  listExamples,
  localSource,
  sharedSource,
} from './shell/own-documents.ts'
import { playgroundHome } from './shell/playground-home.ts'
import { Start } from './shell/start.tsx'
import { ThemeSwitch } from './shell/theme-switch.tsx'
import { useAddress } from './shell/use-address.ts'
import { useCatalogue } from './shell/use-catalogue.ts'
import { type DocumentFetcher, documentNames, useDocument } from './shell/use-document.ts'
import { useKeys } from './shell/use-keys.ts'
import { StorePanel } from './store/store-panel.tsx'
import { TapeView } from './tape/tape-view.tsx'
import type { Transport } from './transport.ts'
import { visibleText } from './visible-text.ts'

interface Props {
  readonly service: DocumentService
  readonly transport: Transport
}

/** The page: the list of conversations at the side, the open one in the middle. */
export function App({ service, transport }: Props) {
  const [address, setAddress] = useAddress()
  const [known, addNotice] = useCatalogue(transport)
  const isThere = useConnection(transport)
  const { present, isBusy, errorText, open, close } = useDocument(service)
  const own = useRef(new Map<string, Document>()).current
  const [line, setLine] = useState<string>()
  const [isListShown, setListShown] = useState(false)
  const [areKeysShown, setKeysShown] = useState(false)
  const [isEditing, setEditing] = useState(playgroundHome !== undefined && innerWidth >= wideEnough)
  /** Counts the changes of documents by the editor. */
  const [revision, setRevision] = useState(0)
  const { source, item, dialect, model } = address

  const fetcher = useCallback(
    (source: string, item: string): DocumentFetcher | undefined => {
      if (source === localSource.id || source === exampleSource.id) {
        const document = source === localSource.id ? own.get(item) : exampleDocument(item)
        return document && { head: async () => firstMessages(document), whole: async () => document }
      }
      if (source === sharedSource.id) return { whole: () => readShared(item) }
      if (transport.kind === 'standalone') return undefined
      return { head: () => transport.head(source, item), whole: () => transport.document(source, item) }
    },
    [transport, own],
  )

  // The URL decides which document is open.
  const last = useRef(present)
  last.current = present
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edited document is opened again
  useEffect(() => {
    if (source === undefined || item === undefined) return close()
    if (source === exampleSource.id) listExamples(addNotice)
    const { current: held } = last
    const isSame = source !== localSource.id || own.get(item) === held?.document
    const isHeld = held?.source === source && held.item === item && !held.isHead && isSame
    const way = isHeld ? { whole: async () => held.document } : fetcher(source, item)
    if (way) open(source, item, way, choicesOf(dialect, model))
    else {
      close()
      setLine('A file that was opened in this page is gone after a reload: open the file again.')
    }
  }, [source, item, dialect, model, revision, fetcher, addNotice, open, close])

  const go = useCallback(
    (source: string, item: string): void => {
      setListShown(false)
      setLine(undefined)
      setAddress({ source, item, dialect: undefined, model: undefined, mode: 'before', step: 0, row: 0 })
    },
    [setAddress],
  )

  // The first broken conversation is opened when the page starts.
  const isAsked = source !== undefined
  const hasBegun = useRef(isAsked)
  hasBegun.current ||= isAsked
  useEffect(() => {
    const first = hasBegun.current ? undefined : firstItem(known)
    if (first) go(first.source, first.id)
  }, [known, go])

  const take = useCallback(
    (document: Document): void => {
      const id = String(own.size + 1)
      own.set(id, document)
      addNotice({ kind: 'source', source: localSource })
      addNotice({ kind: 'item', item: { source: localSource.id, id, title: pathEnd(document.name), state: 'unknown' } })
      addNotice({ kind: 'listed', source: localSource.id })
      go(localSource.id, id)
    },
    [own, addNotice, go],
  )
  // What is edited becomes a document of its own, and stays that one while it is edited.
  const edited = useRef<string>(undefined)
  const takeEdited = useCallback(
    (documents: readonly Document[]): void => {
      const [document] = documents
      if (documents.length !== 1 || !document) return void documents.forEach(take)
      const { current: id } = edited
      if (source !== localSource.id || item === undefined || item !== id) {
        take(document)
        edited.current = String(own.size)
        if (dialect !== undefined || model !== undefined) setAddress({ dialect, model })
      } else own.set(item, document)
      setRevision(revision => revision + 1)
    },
    [source, item, dialect, model, own, take, setAddress],
  )
  // The state of a dropped file comes from decoding it: the server has not checked it.
  useEffect(() => {
    if (!present || present.isHead || ![localSource.id, sharedSource.id].includes(present.source)) return
    const { document, opened, source, item: id } = present
    if (source === sharedSource.id) addNotice({ kind: 'source', source: sharedSource })
    const state = opened.unsupported ? 'unreadable' : opened.diagnostics.some(isError) ? 'broken' : 'healthy'
    if (document.kind === 'history')
      addNotice({ kind: 'item', item: { source, id, title: pathEnd(document.name), state } })
  }, [present, addNotice])

  // A thread that grows is loaded again only after the last load has finished: otherwise a busy thread would never be shown.
  const [latest, setLatest] = useState<{ readonly of: string; readonly head: number }>()
  const tried = useRef<typeof latest>(undefined)
  const onThreadFacts = useCallback(
    ({ head }: ThreadFacts): void => setLatest({ of: `${source}/${item}`, head }),
    [source, item],
  )
  useEffect(() => {
    if (!latest || latest === tried.current || isBusy || present?.document.kind !== 'thread' || present.isHead) return
    if (latest.of !== `${present.source}/${present.item}` || latest.head <= present.document.thread.head) return
    tried.current = latest
    const way = fetcher(present.source, present.item)
    if (way) open(present.source, present.item, { whole: way.whole }, choicesOf(dialect, model))
  }, [latest, present, isBusy, fetcher, open, dialect, model])
  const reload = (): void => {
    const way = present && fetcher(present.source, present.item)
    if (way) open(present.source, present.item, { whole: way.whole }, choicesOf(dialect, model))
  }
  useKeys({ '?': () => setKeysShown(true) })
  useEffect(() => {
    document.title = present ? `${visibleText(present.document.name)} · Antiphon` : 'Antiphon'
  }, [present])

  const hasList = known.items.length > 0 || known.sources.length > 0
  const selected = useMemo(
    () => (source !== undefined && item !== undefined ? { source, item } : undefined),
    [source, item],
  )
  const message = line ?? errorText
  const canEdit = present ? present.document.kind === 'history' : transport.kind === 'standalone'
  const isEditorShown = isEditing && canEdit
  // If a document cannot be read, the previous one must not be shown in its place.
  const isShown =
    present !== undefined && (errorText === undefined || (present.source === source && present.item === item))
  // The loading message is not shown when a thread is loaded again.
  const isThisShown =
    isShown && !present.isHead && present.source === source && present.item === item && isFor(dialect, present.opened)
  // Waits briefly for the first listed item, so that the start screen does not flash.
  const [isNew, setNew] = useState(transport.kind !== 'standalone')
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), 1_200)
    return () => clearTimeout(timer)
  }, [])
  const isWaiting = isAsked ? isBusy : isNew && !known.isEmpty && !hasBegun.current
  return (
    <DropZone onDocument={take} onError={setLine}>
      <div class={`app${hasList ? ' with-list' : ''}${isEditorShown ? ' with-editor' : ''}`}>
        <header class="bar">
          {hasList && (
            <button
              type="button"
              class="button quiet list-toggle"
              aria-expanded={isListShown}
              aria-controls="list"
              onClick={() => setListShown(!isListShown)}
            >
              ☰<span class="sr-only"> Conversations</span>
            </button>
          )}
          <button
            type="button"
            class="wordmark"
            aria-label="Antiphon, go to the start page"
            onClick={() => setAddress({ source: undefined, item: undefined })}
          >
            <Logo />
            <span>Antiphon</span>
          </button>
          <span class="busy" role="status">
            {isBusy && !isThisShown && 'Loading …'}
          </span>
          <div class="bar-end">
            {playgroundHome !== undefined && (
              <a class="button quiet" href={playgroundHome}>
                Docs
              </a>
            )}
            {canEdit && (
              <button
                type="button"
                class="button quiet"
                aria-pressed={isEditing}
                onClick={() => setEditing(!isEditing)}
              >
                Edit
              </button>
            )}
            {present && <ChooseButton label="Open …" />}
            <ThemeSwitch />
            <button type="button" class="button quiet" aria-label="Keys and symbols" onClick={() => setKeysShown(true)}>
              ?
            </button>
          </div>
        </header>
        {hasList && (
          <div id="list" class={`list${isListShown ? ' shown' : ''}`}>
            <Catalogue sources={known.sources} items={known.items} selected={selected} onOpen={go} />
          </div>
        )}
        {isEditorShown && (
          <Editor
            document={present?.document}
            model={model}
            onDocuments={takeEdited}
            onModel={model => setAddress({ model })}
          />
        )}
        <main>
          <p class="error-line" role="alert">
            {!isThere && 'The server is gone. This page shows its last state: start antiphon view again.'}
          </p>
          <p class="error-line" role="alert">
            {message}
          </p>
          {isShown
            ? view()
            : (unreadName() ?? (isWaiting ? null : <Start onExample={item => go(exampleSource.id, item)} />))}
        </main>
      </div>
      {areKeysShown && <KeysDialogue onClose={() => setKeysShown(false)} />}
    </DropZone>
  )

  /** The name of the document that cannot be read, under the error message. */
  function unreadName() {
    if (!isAsked || errorText === undefined) return undefined
    const title = known.items.find(one => one.source === source && one.id === item)?.title ?? 'This conversation'
    return (
      <div class="unsupported">
        <h1>{title}</h1>
        <p>It cannot be shown.</p>
      </div>
    )
  }

  function view() {
    if (!present) return null
    const { document, opened, source, item } = present
    if (document.kind === 'tape')
      return (
        <div class="tape-place" {...documentNames(present)}>
          <h1>{document.name}</h1>
          <TapeView service={service} document={document} onOpen={take} />
        </div>
      )
    if (opened.unsupported !== undefined)
      return (
        <div class="unsupported" {...documentNames(present)}>
          <h1>{document.name}</h1>
          <p>This cannot be drawn: {opened.unsupported}</p>
        </div>
      )
    return (
      <DocumentView
        key={`${source}/${item}`}
        service={service}
        present={present}
        address={address}
        onAddress={setAddress}
        onDialect={dialect => setAddress({ dialect })}
        isPublic={transport.kind === 'standalone' && location.protocol.startsWith('http')}
      >
        {document.kind === 'thread' && (
          <LivePanel
            transport={transport}
            source={source}
            item={item}
            facts={document.thread}
            onFacts={onThreadFacts}
            onOpen={item => go(source, item)}
          />
        )}
        {document.kind === 'stored' && (
          <StorePanel
            key={`${source}/${item}`}
            transport={transport}
            isThere={isThere}
            source={source}
            item={item}
            document={document}
            onPreview={isShown => setAddress({ mode: isShown ? 'after' : 'before' })}
            onChange={reload}
          />
        )}
      </DocumentView>
    )
  }
}

/** On a narrow screen the editor would leave little room for the drawing, so that it is opened on demand. */
const wideEnough = 820

const choicesOf = (dialect: string | undefined, model: string | undefined): OpenChoices => ({
  ...(dialect !== undefined && { for: dialect as DialectId }),
  ...(model !== undefined && { model }),
})

const isFor = (dialect: string | undefined, opened: OpenedDocument): boolean =>
  dialect === undefined || dialect === opened.dialect

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'
