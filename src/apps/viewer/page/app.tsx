import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DialectId } from '../../../core/dialects/index.ts'
import type { Desk, Opened } from '../desk.ts'
import type { Document, ThreadFacts } from '../protocol.ts'
import { Catalogue } from './catalogue/catalogue.tsx'
import { pathEnd } from './catalogue/path-end.ts'
import { ChooseButton } from './drop/choose-button.tsx'
import { DropZone } from './drop/drop-zone.tsx'
import { LivePanel } from './live/live-panel.tsx'
import { useConnection } from './live/use-connection.ts'
import { DocumentView } from './shell/document-view.tsx'
import { firstItem } from './shell/first-item.ts'
import { KeysDialogue } from './shell/keys-dialogue.tsx'
import { Logo } from './shell/logo.tsx'
import { exampleDocument, exampleSource, headOf, hereSource, tellExamples } from './shell/own-documents.ts'
import { Start } from './shell/start.tsx'
import { ThemeSwitch } from './shell/theme-switch.tsx'
import { useAddress } from './shell/use-address.ts'
import { useCatalogue } from './shell/use-catalogue.ts'
import { documentNames, type Fetching, useDocument } from './shell/use-document.ts'
import { useKeys } from './shell/use-keys.ts'
import { TapeView } from './tape/tape-view.tsx'
import type { Transport } from './transport.ts'

interface Props {
  readonly desk: Desk
  readonly transport: Transport
}

/** The page: what can be opened at the side, what is open in the middle. */
export function App({ desk, transport }: Props) {
  const [address, setAddress] = useAddress()
  const [known, hear] = useCatalogue(transport)
  const isThere = useConnection(transport)
  const { present, isBusy, trouble, open, close } = useDocument(desk)
  const own = useRef(new Map<string, Document>()).current
  const [line, setLine] = useState<string>()
  const [isListShown, setListShown] = useState(false)
  const [areKeysShown, setKeysShown] = useState(false)
  const { source, item, reader } = address

  const fetching = useCallback(
    (source: string, item: string): Fetching | undefined => {
      if (source === hereSource.id || source === exampleSource.id) {
        const document = source === hereSource.id ? own.get(item) : exampleDocument(item)
        return document && { head: async () => headOf(document), whole: async () => document }
      }
      if (transport.kind === 'alone') return undefined
      return { head: () => transport.head(source, item), whole: () => transport.document(source, item) }
    },
    [transport, own],
  )

  // What the address names is what is open, whoever changed it.
  const last = useRef(present)
  last.current = present
  useEffect(() => {
    if (source === undefined || item === undefined) return close()
    if (source === exampleSource.id) tellExamples(hear)
    const { current: held } = last
    const isHeld = held?.source === source && held.item === item && !held.isHead
    const way = isHeld ? { whole: async () => held.document } : fetching(source, item)
    if (way) open(source, item, way, reader as DialectId | undefined)
    else {
      close()
      setLine('What is opened here stays in the page, and goes with it: open the file again.')
    }
  }, [source, item, reader, fetching, hear, open, close])

  const go = useCallback(
    (source: string, item: string): void => {
      setListShown(false)
      setLine(undefined)
      setAddress({ source, item, reader: undefined, mode: 'before', step: 0, row: 0 })
    },
    [setAddress],
  )

  // The page begins with a fault, if there is one. After that everybody chooses for themselves.
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
      hear({ kind: 'source', source: hereSource })
      hear({ kind: 'item', item: { source: hereSource.id, id, title: pathEnd(document.name), state: 'unknown' } })
      hear({ kind: 'listed', source: hereSource.id })
      go(hereSource.id, id)
    },
    [own, hear, go],
  )
  // What was dropped here has no doctor to say how it is: the desk has just read it.
  useEffect(() => {
    if (!present || present.isHead || present.source !== hereSource.id) return
    const { document, opened, item: id } = present
    const state = opened.foreign ? 'unreadable' : opened.marks.some(isError) ? 'broken' : 'healthy'
    if (document.kind === 'history')
      hear({ kind: 'item', item: { source: hereSource.id, id, title: pathEnd(document.name), state } })
  }, [present, hear])

  // A thread that goes on is read again when all that was asked for has come: else one that never rests would never be shown.
  const [told, setTold] = useState<{ readonly of: string; readonly head: number }>()
  const tried = useRef<typeof told>(undefined)
  const hearFacts = useCallback(
    ({ head }: ThreadFacts): void => setTold({ of: `${source}/${item}`, head }),
    [source, item],
  )
  useEffect(() => {
    if (!told || told === tried.current || isBusy || present?.document.kind !== 'thread' || present.isHead) return
    if (told.of !== `${present.source}/${present.item}` || told.head <= present.document.thread.head) return
    tried.current = told
    const way = fetching(present.source, present.item)
    if (way) open(present.source, present.item, { whole: way.whole }, reader as DialectId | undefined)
  }, [told, present, isBusy, fetching, open, reader])
  useKeys({ '?': () => setKeysShown(true) })
  useEffect(() => {
    document.title = present ? `${present.document.name} · Antiphon` : 'Antiphon'
  }, [present])

  const hasList = known.items.length > 0 || known.sources.length > 0
  const selected = useMemo(
    () => (source !== undefined && item !== undefined ? { source, item } : undefined),
    [source, item],
  )
  const said = line ?? trouble
  // What was open before must not be taken for what cannot be read.
  const isShown =
    present !== undefined && (trouble === undefined || (present.source === source && present.item === item))
  // A thread that goes on is read again and again, which need not be told each time.
  const isThisShown =
    isShown && !present.isHead && present.source === source && present.item === item && isFor(reader, present.opened)
  // What is listed in a moment is opened then; the start would only flash by.
  const [isNew, setNew] = useState(transport.kind !== 'alone')
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), 1_200)
    return () => clearTimeout(timer)
  }, [])
  const isWaiting = isAsked ? isBusy : isNew && !hasBegun.current
  return (
    <DropZone onDocument={take} onTrouble={setLine}>
      <div class={`app${hasList ? ' with-list' : ''}`}>
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
            aria-label="Antiphon, to the start"
            onClick={() => setAddress({ source: undefined, item: undefined })}
          >
            <Logo />
            <span>Antiphon</span>
          </button>
          <span class="busy" role="status">
            {isBusy && !isThisShown && 'Reading …'}
          </span>
          <div class="bar-end">
            {present && <ChooseButton label="Open …" />}
            <ThemeSwitch />
            <button type="button" class="button quiet" aria-label="Keys and signs" onClick={() => setKeysShown(true)}>
              ?
            </button>
          </div>
        </header>
        {hasList && (
          <div id="list" class={`list${isListShown ? ' shown' : ''}`}>
            <Catalogue sources={known.sources} items={known.items} selected={selected} onOpen={go} />
          </div>
        )}
        <main>
          <p class="trouble-line" role="alert">
            {!isThere && 'The server is gone. What stands here is what it said last: start antiphon view again.'}
          </p>
          <p class="trouble-line" role="alert">
            {said}
          </p>
          {isShown
            ? view()
            : (unreadName() ?? (isWaiting ? null : <Start onExample={item => go(exampleSource.id, item)} />))}
        </main>
      </div>
      {areKeysShown && <KeysDialogue onClose={() => setKeysShown(false)} />}
    </DropZone>
  )

  /** The name of what cannot be read, under the line that says why. */
  function unreadName() {
    if (!isAsked || trouble === undefined) return undefined
    const title = known.items.find(one => one.source === source && one.id === item)?.title ?? 'This conversation'
    return (
      <div class="foreign">
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
          <TapeView desk={desk} document={document} onOpen={take} />
        </div>
      )
    if (opened.foreign !== undefined)
      return (
        <div class="foreign" {...documentNames(present)}>
          <h1>{document.name}</h1>
          <p>This cannot be drawn: {opened.foreign}</p>
        </div>
      )
    return (
      <DocumentView
        key={`${source}/${item}`}
        desk={desk}
        present={present}
        address={address}
        onAddress={setAddress}
        onReader={reader => setAddress({ reader })}
      >
        {document.kind === 'thread' && (
          <LivePanel transport={transport} source={source} item={item} facts={document.thread} onFacts={hearFacts} />
        )}
      </DocumentView>
    )
  }
}

const isFor = (reader: string | undefined, opened: Opened): boolean => reader === undefined || reader === opened.reader

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'
